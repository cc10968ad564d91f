# Thirteen hosts, three of which have a fault of their own: on the screen, and as JSON. With --group a host is all
# inputs with its name; a state keeps that, and is not read without it. A bad pattern is a usage error.
from=$DATA/../../findings/data
for n in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
    mkdir -p fleet/host-$n
    case $n in
    11 | 12) zstd -dqc "$from"/006-lock.* >fleet/host-$n/trace.out ;;
    13) zstd -dqc "$from"/009-leak.* >fleet/host-$n/trace.out ;;
    *) zstd -dqc "$from"/016-healthy-idle.* >fleet/host-$n/trace.out ;;
    esac
done
tracepipe -q --screen 100x30 -r fleet | sed -n '/differ/,/^$/p'
tracepipe -q --screen 80x24 --group 'host-[0-9]+' -r fleet | sed -n '/differ/,/^$/p'
tracepipe -q --group 'host-[0-9]+' --sink stats:format=json -r fleet | grep -A3 '"hosts"'
tracepipe -q --group 'host-[0-9]+' --sink stats:format=csv -r fleet | grep '^host,'
tracepipe -q --group 'host-[0-9]+' --sink stats:format=state -o all.state -r fleet
tracepipe -q --group 'host-[0-9]+' --screen 100x30 all.state | grep differ
tracepipe -q --sink stats:by=trace all.state || echo status $?
tracepipe -q --group 'host-([0-9])' all.state || echo status $?
tracepipe -q --group 'host-([0-9])' --screen 100x30 -r fleet | grep -c differ || :
tracepipe -q -o /dev/null --check 'differs < 3' -r fleet || echo status $?
# Traces by one measure.
tracepipe -q --sink stats:by=trace,measure=lock,top=3 -r fleet | tail -n 5
tracepipe -q --sink stats:by=trace,measure=wait:'main.(*warehouseDesk).loadDriver',top=2 -r fleet | tail -n 4
tracepipe --sink stats:by=trace,measure=lok -r fleet || :
tracepipe --sink stats:by=trace,measure=wait -r fleet || :
tracepipe --sink stats:by=trace,measure=lock:x -r fleet || :
tracepipe --sink stats:measure=lock -r fleet || :
tracepipe --group 'host-(' -r fleet
