# A window in which nothing is: said once, with what there is, however the input is read.
ways() { # FLAG...: the warning of a file, which is that of a pipe, and of a file read to its end
    echo "$*"
    tracepipe --sink events "$@" "$DATA/go126-gens.trace" 2>wanted
    cut -d: -f2- wanted
    tracepipe --sink events "$@" - <"$DATA/go126-gens.trace" 2>&1 | cmp - wanted
    tracepipe --sink events "$@" "$DATA/go126-gens.trace.zst" 2>&1 | cmp - wanted
    tracepipe -j8 --manifest m.json -f --sink events "$@" "$DATA/go126-gens.trace" >got 2>&1
    cmp got wanted
    tracepipe -j8 --sink stats "$@" "$DATA/go126-gens.trace" 2>&1 >/dev/null | cmp - wanted
}
ways --from 1h
ways --from 12:00 --tz Asia/Tokyo
ways --to 02:00
ways --from 2ms --to 2.000001ms
echo 'several, one of which does not know the time of day'
tracepipe --sink events --from 1h "$DATA/go126-gens.trace" "$DATA/go126-few-ps.trace" 2>&1
tracepipe --sink events --from 1h "$DATA/go126-gens.trace" "$DATA/go122-chan.trace" 2>&1
tracepipe --sink events --from 1h "$DATA/v1/go19-stw.trace" 2>&1
echo 'something is in one of them'
tracepipe --sink events --from 100ms "$DATA/go126-gens.trace" "$DATA/go126-few-ps.trace" 2>&1 |
    grep -c warning || true
echo 'nothing is put in order'
tracepipe --sink footprint --from 1h "$DATA/go126-gens.trace" 2>&1 | grep -c warning || true
echo quiet
tracepipe -q --sink events --from 1h "$DATA/go126-gens.trace"
