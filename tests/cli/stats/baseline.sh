# Two fleets compared: a lock is contended on all hosts of the new one. On the screen, as Markdown, JSON and CSV.
# A list after '@', several baselines, a state and other sinks; what is no comparison is a usage error. Few traces, and
# a baseline of one trace beside several, get a note.
from=$DATA/../../findings/data
for n in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
    mkdir -p before/host-$n after/host-$n
    zstd -dqc "$from"/016-healthy-idle.* >before/host-$n/trace.out
    zstd -dqc "$from"/006-lock.* >after/host-$n/trace.out
done
tracepipe -q --screen 100x30 --baseline before -r after | sed "/^start functions/,\$d"
tracepipe -q --screen 80x24 --baseline after -r before | sed -n '/against/,/^$/p'
tracepipe -q --sink stats:format=markdown --baseline before -r after
tracepipe -q --json --baseline before -r after | grep -A4 '"comparison"'
tracepipe -q --sink stats:format=csv --baseline before -r after | grep '^change.*before,'
tracepipe -q --all --screen 100x30 --baseline before -r before | grep -A1 against

tracepipe -q --sink stats:format=state -o before.state -r before
find after -type f >list
tracepipe -q --sink stats:format=markdown --baseline @list before.state -o same.md
tracepipe -q --sink stats:format=markdown --baseline after -r before | cmp - same.md
tracepipe -q --sink stats:format=markdown --baseline after/host-01 --baseline after/host-02 -r before |
    sed -n '1,3p'
tracepipe -q --screen 80x24 --baseline after/host-01 before/host-01/trace.out | sed -n '/against/,/^$/p'
tracepipe -q --screen 80x24 --baseline after/host-01 -r before | sed -n '/against/,/^$/p'
tracepipe -q --sink stats:format=markdown --baseline before/host-01 -r after/host-01 --sink list -o list.txt | head -3
tracepipe -q --sink stats:format=markdown -o one.md --sink raw -o one.raw --manifest m.json \
    --baseline before/host-01 after/host-01/trace.out
ls one.raw
grep -o '"path": "[^"]*"\|"baseline": true' m.json

# Checks of changes, alone and beside other sinks.
tracepipe -q --check 'findings.lock <= +10%' --check 'blocked.share < +50%' --sink list -o checked --baseline before -r after ||
    echo status $?
tracepipe -q --check 'running.p50 > -40%' --sink stats:by=task,format=csv --baseline before -r after | wc -l || echo status $?
tracepipe --check 'running.p50 > -90%' --sink list -r after || echo status $?

mkdir none
for bad in '--baseline none' '--baseline @missing' '--baseline before --sink list' \
    '--baseline before --sink stats:by=task' '--baseline before --sink stats:format=state' \
    '--sink stats:format=markdown' '--baseline before --resume r.jsonl'; do
    # shellcheck disable=SC2086
    tracepipe $bad -r after || echo status $?
done
tracepipe --baseline missing after/host-01/trace.out | grep against
wc -l <list.txt
