#!/bin/bash
# The manifest: it fits docs/format/manifest.schema.json, and has all that messages say of inputs;
# of sound, damaged, killed, refused and contradicting ones.
#
#   manifest.sh TRACEPIPE SYNTH
set -euo pipefail
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/../.." && pwd)
tracepipe=$(realpath -e "$1") synth=$(realpath -e "$2")
# That of the system: another one in front of it may lack the package.
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || {
    echo 'python3-jsonschema is missing: tools/install-deps' >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in"
cd "$work/in"
cp "$root"/tests/data/traces/*.trace "$root"/tests/data/traces/v1/*.trace .
for version in 22 23 25 26; do
    "$synth" --seed $version --version $version --generations 3 >whole
    size=$(stat -c %s whole)
    # As killed programs leave them: inside a batch, and between two.
    head -c $((size / 2)) whole >killed$version.trace
    for batch in 2 5 9; do
        "$synth" --seed $version --version $version --generations 3 --batch-bytes 900 \
            --drop-batch $batch >hole$version-$batch.trace
    done
done
rm whole
for release in go1.5 go1.11 go1.21; do
    for old in "$root"/tests/data/traces/v1/*"${release/go/go}"*.trace; do
        [ ! -e "$old" ] || head -c $(($(stat -c %s "$old") * 3 / 5)) "$old" >"cut-${old##*/}"
    done
done
# More than a list has room for.
"$synth" --seed 8 --generations 40 --gen-events 200 --batch-bytes 600 >many
"$tracepipe" --sink list:format=json,batches=yes many >batches
"$python" - many batches many-places.trace <<'PYTHON'
import json
import sys
with open(sys.argv[1], "rb") as f:
    data = bytearray(f.read())
with open(sys.argv[2]) as f:
    batches = json.load(f)["traces"][0]["batches"]
# A header that is none, and events that are none in a batch that is sound on the outside.
for batch in batches[3::9]:
    data[batch["offset"]] = 0
for batch in batches[5::9]:
    middle = batch["offset"] + batch["bytes"] // 2
    data[middle:middle + 20] = bytes(20)
with open(sys.argv[3], "wb") as f:
    f.write(data)
PYTHON
rm many batches
{
    echo 'Trace Go1.26'
    for generation in 1 2; do
        echo "EventBatch gen=$generation m=18446744073709551615 time=100 size=17"
        printf 'Sync\nFrequency freq=1000000000\n'
        echo 'ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0'
        # An event takes 4 bytes, with its start and its stop behind it 10.
        echo "EventBatch gen=$generation m=7 time=${generation}10 size=$((20 * (generation == 1 ? 4 : 10)))"
        for ((p = 0; p < 20; p++)); do
            echo "ProcStatus dt=1 p=$p pstatus=$((generation == 1 ? 2 : 1))"
            [ $generation = 1 ] || printf 'ProcStart dt=1 p=%d p_seq=1\nProcStop dt=1\n' $p
        done
        echo EndOfGeneration
    done
} >doubts.trace
: >empty.trace
echo 'no trace' >text.trace
head -c 1000 "$root"/tests/data/traces/go126-gens.trace.zst >cut.zst
printf 'Trace Go1.26\nEventBatch gen=1\n' >wrong-text.trace

failed=0
kinds=''
# run NAME OPTION...: a run over all inputs, with the messages about each, but without other details.
run() {
    local name=$1
    shift
    "$tracepipe" -v --manifest "$work/$name.json" "$@" ./* 2>"$work/details" || true
    grep -E '^tracepipe: (warning: )?\./' "$work/details" |
        grep -vE ' bytes in [0-9]+ reads?$|: generations ordered speculatively: ' >"$work/$name.err"
    "$python" "$root/tests/cli/validate.py" "$root/docs/format/manifest.schema.json" \
        "$work/$name.json" || { echo "$name: not as the schema wants it"; failed=1; }
    local strict=''
    [[ " $* " != *' --strict '* ]] || strict=strict
    local found
    found=$("$python" "$root/tests/cli/manifest.py" "$work/$name.json" "$work/$name.err" $strict) ||
        { echo "$name: manifest and messages differ"; echo "$found" | head -n 20; failed=1; }
    kinds+=" $(tail -n 1 <<<"$found")"
}
for out in events text strict generation upgraded both; do
    mkdir "$work/$out"
done
run events --sink events -o "$work/events"
run strict --strict --sink events -o "$work/strict"
run text --sink text -o "$work/text"
run generation --salvage generation --sink events -o "$work/generation"
run upgraded --sink raw:version=1.26 -o "$work/upgraded"
run both --sink text -o "$work/both" --sink events -o "$work/both"
run counts --sink stats:level=counts -o "$work/counts.txt"
run full --sink stats:level=full -o "$work/full.txt" --sink list -o "$work/list.txt"
# A report of all inputs is no input's: its size is told once, with what they have together.
for name in counts full; do
    grep -q "\"path\": \"$work/$name.txt\", \"bytes\": [1-9]" "$work/$name.json" ||
        { echo "$name: no size of the report"; failed=1; }
done

# What inputs like these say, so that the comparison is one of something.
for kind in batch_cut not_a_batch order gap missing_ids proc_status refused undecoded clock \
    omitted_events more_damage more_losses more_doubts; do
    [[ " $kinds " == *" $kind "* ]] || { echo "no input says: $kind"; failed=1; }
done
sed 's/"schema":/"surplus":1,&/' "$work/events.json" >"$work/wrong.json"
! "$python" "$root/tests/cli/validate.py" "$root/docs/format/manifest.schema.json" \
    "$work/wrong.json" >/dev/null || { echo 'the schema takes anything'; failed=1; }
exit $failed
