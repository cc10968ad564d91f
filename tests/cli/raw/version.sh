# A trace from before Go 1.22 in the form of Go 1.26: read as strictly as Go reads that, it
# has the same events, two nanoseconds later.
events() {
    tracepipe "$@" --sink events - | sed -n 's/^.* \(Time=.*\)/\1/p' |
        grep -v -e '^Time=-*[0-9]* N=' | sed 's/^Time=[0-9]* *//; s/ Parent=0 / Parent=18446744073709551615 /'
}
for trace in go{111-gc,121-cpu,19-stw}.trace; do
    tracepipe --sink raw:version=1.26 "$DATA/v1/$trace" 2>warning >new.trace || echo $?
    sed 's/^.*: raw:/raw:/' warning
    head -c 13 new.trace && echo
    events <"$DATA/v1/$trace" >old.events
    events --strict <new.trace >new.events
    wc -l <old.events
    diff old.events new.events | grep -c '^[<>]' || true
done
# What it begins with. The clock began in 1970.
tracepipe --sink raw:version=1.26 "$DATA/v1/go111-gc.trace" >new.trace
tracepipe --strict --sink events new.trace >got
sed -n '1,12p' got
tail -n 1 got
# Neither workers nor memory show.
tracepipe -j1 --max-memory 64M --sink raw:version=1.26 "$DATA/v1/go111-gc.trace" | cmp - new.trace
# Text, compression and several sinks make no difference; plain raw is as ever.
tracepipe --sink text "$DATA/v1/go111-gc.trace" | gzip -n >a.txt.gz
tracepipe --sink raw:version=1.26 a.txt.gz | cmp - new.trace
cp "$DATA/v1/go111-gc.trace" a.trace
tracepipe --sink raw:version=1.26 -o new.raw --sink raw -o old.raw --sink events -o all a.trace
cmp new.raw new.trace
cmp old.raw a.trace
