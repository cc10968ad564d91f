# The least bound that is named is one that works, also for events beside large frames.
cp "$DATA/go126-user.trace" a.trace
both() {
    tracepipe "$@" --sink events -o events.txt --sink zstd -o a.zst a.trace
}
both --max-memory 1K 2>message || echo $?
least=$(sed -nE 's/.* at least ([0-9]+) MiB$/\1/p' message)
for bound in "$least" $((least + 2)) $((2 * least)); do
    both --max-memory "${bound}M" -f
    tracepipe --sink events a.zst | cmp - events.txt
done
