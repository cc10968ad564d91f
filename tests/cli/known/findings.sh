# Findings without --group: new, known in silence, worse, known below what was reported, gone, and silence between
# the threshold and the gap below it.
from=$DATA/../../findings/data
for kind in 006-lock 016-healthy-idle 009-leak; do
    zstd -dqc "$from/$kind".* >${kind#*-}.trace
done
value() { # VALUE: of the lock in FILE
    sed -i "/\"lock\"/s/\"value\":[0-9]*/\"value\":$1/" known
}
tracepipe --known known healthy-idle.trace
cat known
tracepipe --known known lock.trace leak.trace
cat known
cp known first
tracepipe --known known lock.trace leak.trace
cmp known first
echo 'worse, from 20,000 and 42,000 millionths; not by less than the threshold, nor by less than half'
for old in 20000 28162 28163 42000 99000; do
    value $old
    tracepipe --known known lock.trace leak.trace
    grep -o '"lock".*' known
done
echo gone
tracepipe --known known healthy-idle.trace leak.trace
tracepipe --known known healthy-idle.trace leak.trace
cat known
tracepipe --known known leak.trace lock.trace
