# Hosts that differ, by the names of --group: a host with a lock, and one with a leak, in two traces each; one that
# is not seen is said once, and is known when it comes back; one whose fault is over; too few hosts, and hosts of
# different programs.
from=$DATA/../../findings/data
for kind in 006-lock 016-healthy-idle 009-leak; do
    zstd -dqc "$from/$kind".* >${kind#*-}.trace
done
night() { # NUMBER TRACE-OF-11 TRACE-OF-12
    rm -rf night
    for n in 01 02 03 04 05 06 07 08 09 10; do
        mkdir -p night/host-$n
        cp healthy-idle.trace night/host-$n/a.trace
    done
    [ -z "$2" ] || { mkdir -p night/host-11 && cp "$2" night/host-11/a.trace; }
    [ -z "$3" ] || { mkdir -p night/host-12 && cp "$3" night/host-12/a.trace; }
    echo "night $1"
    tracepipe -q --known known --group 'host-[0-9]+' -r night
}
night 1 healthy-idle.trace healthy-idle.trace
night 2 lock.trace healthy-idle.trace
night 3 lock.trace leak.trace
cat known
cp known third
night 4 lock.trace leak.trace
cmp known third
night 5 '' leak.trace
night 6 '' leak.trace
night 7 lock.trace leak.trace
cmp known third
sed -i '/"is_of_host":true/s/"value":6[0-9]*/"value":2000/' known
night 8 lock.trace leak.trace
cmp known third
night 9 healthy-idle.trace leak.trace
night 10 lock.trace healthy-idle.trace
echo 'fewer than ten'
rm -r night/host-0[1-3]
tracepipe --known known --group 'host-[0-9]+' -r night 2>&1 | grep -v overlaps
tracepipe -q --known known --group 'host-[0-9]+' -r night
cut -d, -f1-4 known
echo 'different programs'
mkdir other
for trace in "$from"/*.zst; do
    n=$(basename "$trace" | cut -c 2-3)
    zstd -dqc "$trace" >other/host-$n.trace
done
tracepipe --known other-known --group 'host-[0-9]+' -r other 2>&1 | grep -c 'new  *fleet'
tracepipe --known other-known --group 'host-[0-9]+' -r other
