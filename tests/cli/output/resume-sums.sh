# The sums of all inputs go on from the states beside the record.
all=("$DATA"/go126-user.trace "$DATA"/go125-http.trace "$DATA"/go126-held-lock.trace "$DATA"/go126-iter.trace)
run() {
    tracepipe --manifest manifest "${@:1:2}" --sink stats:format=json -o stats.json --sink pprof:kind=cpu -o cpu.pb.gz "${@:3}"
}
run --color never "${all[@]}" >report
mkdir whole
mv stats.json cpu.pb.gz manifest whole
for n in 1 3 3 4 4; do
    run --resume record "${all[@]:0:n}"
    echo "$n: $(grep -c '"sums", "inputs"' record), $(ls record.* | wc -l) states"
done
for file in stats.json cpu.pb.gz manifest; do
    cmp $file whole/$file
done
# The inputs of the states must be among those of the run, as they were.
run --resume record "${all[@]:1}"
tracepipe --sink stats:format=json "${all[@]:1}" | cmp - stats.json
tracepipe --verify record
# States that are missing are made again.
rm record.*
run --resume record "${all[@]:1}"
tracepipe --sink stats:format=json "${all[@]:1}" | cmp - stats.json
# Standard output has the report of all inputs each time.
for i in 1 2; do
    tracepipe --resume other --sink stats --sink report -o page.html "${all[@]}" | cmp - <(tracepipe "${all[@]}")
done
# How many commits there were depends on the time that they took.
ls | sed "s|-[0-9]*\.state|-N.state|"
