# The worst of a run: 2 before 3, 3 before 4, 4 before 1, 1 before 0.
shop=$DATA/../planted/shop.trace.zst
head -c 3000 "$DATA/go126-gens.trace" >cut
tell() {
    local rc=0
    "$@" >/dev/null 2>messages || rc=$?
    echo "$rc  $(grep -c '^  ' messages || true) checks shown"
}
holds='task(checkout).count > 0' fails='task(checkout).count > 1000'
tell tracepipe --check "$holds" "$shop"
tell tracepipe --check "$holds" "$shop" cut
tell tracepipe --check "$fails" "$shop"
tell tracepipe --check "$fails" "$shop" cut
tell tracepipe --check "$holds" --check "$fails" "$shop" absent
# An input takes more memory than it may.
"$SYNTH" --generations 1 --gen-events 40000 --stacks 40000 --stack-depth 60 --functions 20000 >large
tell tracepipe --check "$fails" --max-memory 24M "$shop" cut large
# The output exists; the run does not begin, and no check is evaluated.
touch there
tell tracepipe --check "$fails" -o there "$shop"
tell tracepipe --check "$fails" --check 'nonsense' "$shop"
tell tracepipe --check "$fails" --jobs x "$shop"
# Nothing was read: nothing holds, not even that there is none of something, unless the check allows it.
tell tracepipe --check 'findings.leak == 0' absent
tell tracepipe --check 'findings.leak == 0 or none' absent
# The manifest has the status.
tell tracepipe --check "$fails" --manifest manifest "$shop"
grep -o '"exit_status": [0-9]*' manifest
