# The head of the report: when what it counts was taken, and how many traces are in a time window.
cp "$DATA"/go126-{gens,few-ps,held-lock}.trace "$DATA"/go122-chan.trace .
head_of() { # FLAG... FILE...
    echo "$*"
    tracepipe "$@" | awk '/^$/ { is_over = 1 } !is_over'
}
head_of go126-gens.trace
head_of --tz Asia/Tokyo go126-gens.trace
TZ=America/St_Johns head_of go126-gens.trace
head_of go126-gens.trace go126-few-ps.trace
head_of go122-chan.trace
head_of go122-chan.trace go126-few-ps.trace
echo windows
head_of --from 11ms --to 22ms go126-gens.trace
head_of --from 100ms ./*.trace
head_of --from '2026-11-22 06:31:49.5' go126-gens.trace go126-few-ps.trace go126-held-lock.trace
head_of --from 1h go126-gens.trace
echo 'of sums, in whatever order'
tracepipe --sink stats:format=state -o a.tpstats go126-gens.trace go122-chan.trace
tracepipe --sink stats:format=state -o b.tpstats go126-few-ps.trace
tracepipe ./a.tpstats ./b.tpstats >sums
sed -n 1,2p sums
tracepipe b.tpstats a.tpstats | awk 'NR <= 2'
tracepipe go122-chan.trace a.tpstats go126-held-lock.trace | awk 'NR <= 2'
# Neither a filter nor what is shown changes how many traces count.
tracepipe --tz UTC --sink stats:filter=go126-user "$DATA/go126-user.trace" "$DATA/go125-http.trace" | sed -n 1p
tracepipe --tz UTC --sink stats:by=function --from 1us --to 2s "$DATA/go126-user.trace" "$DATA/go125-http.trace" | sed -n 1p
