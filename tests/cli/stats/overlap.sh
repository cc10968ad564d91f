# Snapshots of one process that have generations in common are named, as these count twice.
trace=$DATA/go126-gens.trace
begin_of() { # GENERATION: its offset, 16 is the first one's
    tracepipe -lv "$trace" | awk -v number="$1" '/^generation/ { on = 1 } on && $1 == number { print $2; exit }'
}
head -c "$(begin_of 4)" "$trace" >first
{ head -c 16 "$trace" && tail -c +$(($(begin_of 3) + 1)) "$trace"; } >second
{ head -c 16 "$trace" && tail -c +$(($(begin_of 4) + 1)) "$trace"; } >third
tracepipe --manifest run.json -o report first second third
grep -o '"kind": "overlap", "generations": [0-9]*' run.json
echo 'none between these'
tracepipe -o report -f first third
echo 'a copy in another form'
gzip -nc first >copy.gz
tracepipe --sink stats:format=json -o report -f copy.gz first
echo 'nothing is added up'
tracepipe --sink events -o out first second
tracepipe --sink stats:level=counts -o report -f first second
echo 'in a time window only what is in it counts'
tracepipe -o report -f --to 1us first second
