#!/bin/bash
# Output bytes are a function of input bytes and options only: not of the number
# of workers, the engine that reads, the size of reads, of the memory allowed, of
# stdin or of the compression of the input.
#
#   invariance.sh TRACEPIPE SYNTH FOLDER
#
# FOLDER is `bundled` (tests/data/traces and generated traces, some large or
# damaged) or a folder of the conformance corpus. One process per combination
# reads the whole folder with several sinks; outputs and messages must equal
# those of one worker that uses pread.
#
# TRACEPIPE_SETTINGS=N tries N settings of each kind, evenly spread, for builds in which all
# would take too long.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
tracepipe=$(realpath -e "$1") synth=$(realpath -e "$2")

combinations=0 failures=0
complain() {
    failures=$((failures + 1))
    echo "FAIL $1"
}

# synthetic DIR: what the bundled traces are too small and too sound for.
synthetic() {
    mkdir "$1"
    "$synth" --seed 21 --version 22 --generations 3 --threads 9 >"$1/22.trace"
    "$synth" --seed 23 --version 23 --generations 3 --ties 60 --alloc-free 1 >"$1/23.trace"
    "$synth" --seed 25 --version 25 --generations 5 --gen-events 400 >"$1/25.trace"
    "$synth" --seed 26 --version 26 --generations 1 --gen-events 0 --gen-bytes 6000000 \
        --stacks 20 --stack-depth 1 --strings 20 >"$1/large-generation.trace"
    "$synth" --seed 27 --generations 40 --gen-events 3000 --threads 16 >"$1/generations.trace"
    "$synth" --seed 28 --generations 6 --insert-at 70000 --insert-len 5000 >"$1/garbage.trace"
    "$synth" --seed 29 --generations 6 --overwrite-at 60000 --overwrite-len 70000 \
        >"$1/zeroes.trace"
    "$synth" --seed 30 --generations 6 --truncate 100001 >"$1/cut.trace"
    # Many threads whose events alternate, by clocks that differ; and damage in that.
    "$synth" --seed 64 --generations 1 --gen-events 0 --gen-bytes 6000000 --threads 64 \
        --procs 64 --goroutines 300 --skew-ticks 3000 --run-events 2 --ties 30 --stacks 9 \
        --stack-depth 1 --strings 9 >"$1/skewed.trace"
    "$synth" --seed 65 --version 22 --generations 4 --gen-events 20000 --threads 64 --procs 64 \
        --skew-ticks 300 --run-events 1 --stack-depth 2 --overwrite-at 300000 \
        --overwrite-len 500 --truncate 900000 >"$1/skewed-cut.trace"
    { head -c 16 "$1/26.trace" 2>/dev/null || head -c 16 "$1/25.trace"; } >"$1/header.trace"
    head -c 300000 /dev/zero | tr '\0' '\001' >"$1/ones.bin"
    "$tracepipe" --sink text -o "$1/text.txt" "$1/25.trace"
}

# read_all OUT WORD...: one process over a folder, all outputs below OUT.
read_all() {
    local out=$1 rc=0
    shift
    mkdir "$out"
    "$tracepipe" --sink text -o "$out/text" --sink text:header=no -o "$out/wire" \
        --sink footprint -o "$out/footprint" --sink raw -o "$out/raw" \
        --sink zstd -o "$out/zstd" --sink stats:level=counts,format=json -o "$out/stats.json" \
        --sink stats:level=counts,format=csv -o "$out/stats.csv" \
        --sink list:batches=yes,format=json -o "$out/list.json" --sink spans:longer=10us -o "$out/spans" \
        --sink perfetto -o "$out/pictures" --sink events:task=1,function=.,format=line -o "$out/selected" \
        --sink pprof:kind=sync -o "$out/sync.pb.gz" --sink pprof:kind=running -o "$out/running.pb.gz" \
        --sink pprof:kind=sched,labels=yes -o "$out/labelled.pb.gz" "$@" 2>"$out/messages" </dev/null || rc=$?
    echo $rc >"$out/exit"
    if [ $rc -gt 1 ]; then
        sed 's/^/    /' "$out/messages" | tail -n 5
        complain "exit $rc: $*"
    fi
}

# same OUT WHAT
same() {
    combinations=$((combinations + 1))
    if ! diff -rq "$work/reference" "$1" >"$work/diff"; then
        head -n 5 "$work/diff"
        complain "$2"
    fi
    rm -rf "$1"
}

# subset: the names of 20 files of the input, evenly spread.
subset() {
    find "$input" -type f | sort | TRACEPIPE_SAMPLE=20 sample
}

# under_each COMMAND: calls it with the words of each line of stdin.
under_each() {
    local -a settings words
    local line
    mapfile -t settings < <(evenly "${TRACEPIPE_SETTINGS:-0}")
    for line in "${settings[@]}"; do
        read -ra words <<<"$line"
        "$1" "${words[@]}"
    done
}

# product "WORD..."...: lines with one word of each list, the last list fastest.
product() {
    local word rest
    local -a words
    read -ra words <<<"$1"
    shift
    for word in "${words[@]}"; do
        if [ $# -gt 0 ]; then
            while read -r rest; do
                echo "$word $rest"
            done < <(product "$@")
        else
            echo "$word"
        fi
    done
}

same_outputs() {
    read_all "$work/out" "$@" -r "$input"
    same "$work/out" "$*"
}

# by_settings: workers, engines and sizes of reads.
by_settings() {
    read_all "$work/reference" -j1 --io pread -r "$input"
    # A reference without content would agree with anything.
    [ -s "$work/reference/stats.json" ] || complain 'no reference'
    under_each same_outputs < <(product '-j1 -j2 -j3 -j8' "$engines" \
        '--chunk-size=4K --chunk-size=4M')
    rm -rf "$work/reference"
}

# order_all OUT WORD...: a digest of the events of a folder, which are many bytes,
# and what null:until=order counts: events, rules, and a sum over all there is in events.
order_all() {
    local out=$1 rc=0
    shift
    mkdir "$out"
    "$tracepipe" --sink events "$@" 2>"$out/messages" </dev/null | cksum >"$out/events" || rc=$?
    "$tracepipe" -q --sink null:until=order,rules=yes,sum=yes "$@" >"$work/table" \
        --sink stats:level=full,format=state -o "$out/full.state" </dev/null || [ $? = $rc ] ||
        complain "null:until=order: other exit than $rc: $*"
    count_of "$work/table" >"$out/count"
    echo $rc >"$out/exit"
    if [ $rc -gt 1 ]; then
        sed 's/^/    /' "$out/messages" | tail -n 5
        complain "exit $rc: $*"
    fi
}

# count_of TABLE: the events in it, and how often rules applied to them.
count_of() {
    awk '$1 == "order" { print $3 } /^sum|^[A-Z_]+ / { print }' "$1"
}

# by_blocks: beside events, statistics are made block by block, else of many blocks at a time.
by_blocks() {
    local jobs
    for jobs in 1 8; do
        "$tracepipe" -q --sink events -j$jobs -r "$input" --sink stats:level=full,format=state \
            -o "$work/full.state" -f >/dev/null </dev/null || [ $? = 1 ] || complain "-j$jobs: exit"
        combinations=$((combinations + 1))
        cmp "$work/full.state" "$work/reference/full.state" || complain "stats of blocks, -j$jobs"
    done
}

# by_order: ordered events under every setting, with so little memory that
# generations wait in temporary files (those that cannot be read again, or shall not), and
# decoded before they are ordered or not.
by_order() {
    order_all "$work/reference" -j1 --io pread --max-memory 4G -r "$input"
    [ "$(head -n 1 "$work/reference/count")" -gt 1000 ] || complain 'no reference'
    by_blocks
    under_each same_events < <(
        product '-j1 -j8' '--max-memory=24M --max-memory=100M --max-memory=1G' "$engines"
        product -j8 '--runs=lazy --runs=decoded' '--max-memory=100M --max-memory=1G'
        product '-j1 -j8' '--reread=always --reread=never' '--max-memory=24M --max-memory=1G'
        product -j8 '--reread=always --reread=never' --runs=decoded --max-memory=100M
        product -j2 --reread=always --io=pread
    )
    # Generations before their turn, also where speculations count as wrong.
    under_each same_sum < <(
        product 'refute=0 refute=1 refute=3' '-j1 -j2 -j8' --speculate=always
        product refute=0 '-j1 -j2 -j8' --speculate=never
        product refute=0 -j8 --speculate=always --max-memory=24M '--reread=always --reread=never'
    )
    rm -rf "$work/reference"
}

same_events() {
    order_all "$work/out" "$@" -r "$input"
    same "$work/out" "events with $*"
}

# same_sum refute=N WORD...: what null counts of ordered events is the same.
same_sum() {
    local refute=${1#refute=}
    shift
    TRACEPIPE_TEST_REFUTE=$refute "$tracepipe" -q --sink null:until=order,rules=yes,sum=yes "$@" -r "$input" \
        >"$work/table" 2>/dev/null </dev/null || true
    combinations=$((combinations + 1))
    count_of "$work/table" | cmp -s - "$work/reference/count" || complain "other counts: refute=$refute $*"
}

# packed SUFFIX COMMAND...: copies of the subset, each through a compressor.
packed() {
    local suffix=$1 name n=0
    shift
    mkdir -p "few.$suffix"
    while read -r name; do
        "$@" <"$name" >"few.$suffix/$n-${name##*/}.$suffix"
        n=$((n + 1))
    done <"$work/subset"
}

# by_packing: compressed copies give the outputs of the plain ones. Statistics and labels
# name the file and its stored size, so they are compared without these.
by_packing() {
    local suffix file
    subset >"$work/subset"
    packed plain cat
    packed gz gzip -nc
    packed zst zstd -qc
    mkdir few
    for file in few.plain/*; do mv "$file" "few/$(basename "$file" .plain)"; done
    rmdir few.plain
    read_all "$work/reference" -j1 --io pread -r few
    rm "$work/reference"/{stats.json,list.json,labelled.pb.gz}
    sed -i '/stored_bytes/d' "$work/reference/stats.csv"
    mv few few.plain
    for suffix in gz zst; do
        mv "few.$suffix" few
        read_all "$work/out" -r few
        rm "$work/out"/{stats.json,list.json,labelled.pb.gz}
        sed -i "/stored_bytes/d; s/\.$suffix\b//g" "$work/out/messages" "$work/out/stats.csv"
        same "$work/out" "copies as .$suffix"
        mv few "few.$suffix"
    done

    # Standard input: a file that can seek, and a pipe that cannot.
    for file in few.plain/*; do
        one "$file" <"$file"
        one "$file" < <(cat "$file")
    done
    rm -rf "$work/reference" few.*
}

# one FILE: reads stdin, compares with what the reference says about FILE.
one() {
    local name rc=0 pair kind
    name=$(basename "$1")
    mkdir "$work/out"
    "$tracepipe" --sink text -o "$work/out/text" --sink footprint -o "$work/out/footprint" \
        --sink raw -o "$work/out/raw" --sink zstd -o "$work/out/zstd" - 2>/dev/null || rc=$?
    [ $rc -le 1 ] || complain "exit $rc: $name on stdin"
    combinations=$((combinations + 1))
    for pair in text:txt footprint:footprint raw:raw zstd:zst; do
        kind=${pair%:*}
        # Both or none: what is no trace has no text.
        if [ -e "$work/out/$kind" ] || [ -e "$work/reference/$kind/$name.${pair#*:}" ]; then
            cmp -s "$work/out/$kind" "$work/reference/$kind/$name.${pair#*:}" ||
                complain "$kind of $name on stdin"
        fi
    done
    rm -rf "$work/out"
}

folder=$3
[ "$folder" = bundled ] || corpus_find
corpus_work
cd "$work"
mkdir input
# Copies with relative names: messages name the files as they were given.
if [ "$folder" = bundled ]; then
    cp -r "$here/../data/traces" input/traces
    # Compressed twins would have the outputs of the plain files.
    for twin in input/traces/*.gz input/traces/*.zst; do
        [ ! -e "${twin%.*}" ] || rm -f "$twin"
    done
    synthetic "$work/input/synth"
else
    cp -r "$corpus/$folder" input/
fi
chmod -R u+w input
input=input

engines=--io=pread
if "$tracepipe" --io uring --sink null:until=read input -r >/dev/null 2>"$work/why" ||
    [ $? = 1 ]; then
    engines+=' --io=uring'
else
    sed '1s/^/without io_uring: /' "$work/why"
fi

by_settings
by_order
by_packing
echo "$combinations comparisons, $failures failures"
[ $failures = 0 ]
