# A run that is interrupted or fails leaves the file of the run before; one whose inputs are damaged, or whose checks
# fail, replaces it. The status is that of a run without the option.
from=$DATA/../../findings/data
zstd -dqc "$from"/006-lock.* >lock.trace
zstd -dqc "$from"/009-leak.* >leak.trace
head -c 20000 lock.trace >cut.trace
tracepipe --known known leak.trace
cp known before
is_kept() {
    cmp known before
    find . -name '.*tmp'
}
echo 'news that cannot be printed'
tracepipe --known known lock.trace >/dev/full || echo "status $?"
is_kept
echo 'the first input fails'
tracepipe --known known --fail-fast missing.trace lock.trace || echo "status $?"
is_kept
echo 'another output fails'
tracepipe --known known --sink text -o /dev/full lock.trace || echo "status $?"
is_kept
echo 'ended by a signal'
for signal in HUP TERM; do
    mkfifo in
    tracepipe -q --known known lock.trace in >news &
    pid=$!
    exec 3>in
    cat lock.trace >&3
    for _ in $(seq 500); do
        [ -n "$(find . -name '.known.*')" ] && break
        sleep 0.01
    done
    kill -$signal $pid
    { wait $pid; } 2>/dev/null || echo "$signal: $?"
    exec 3>&-
    is_kept
    rm in
done
echo 'not this way'
tracepipe -q --known known --check 'findings.lock == 0' lock.trace leak.trace || echo "status $?"
cmp -s known before || echo replaced
cp known before
tracepipe -q --known known cut.trace leak.trace || echo "status $?"
tracepipe -q --known known missing.trace leak.trace || echo "status $?"
cmp -s known before || echo replaced
