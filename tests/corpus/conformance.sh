#!/bin/bash
# Compares the program with Go's own readers on every file of the corpus.
#
#   conformance.sh TRACEPIPE FAMILY      FAMILY is a top folder of the corpus
#
# For traces of Go 1.22 and later and for the text form, with --strict: text,
# footprint, events, the counts of stats and its summary equal the recorded answers
# in bytes and in zero or non-zero exit, and where events end with an error, its first
# line stands in ours; the text form encodes to the recorded bytes and comes back
# unchanged. For older traces that Go still reads, with --strict: events and summary equal
# those of its conversion, its two random orders taken as ascending. For all before Go 1.22,
# with --strict: events with model=v1 equal those of the parser of that time, its random order
# taken as ascending, and where it refuses the order or the consistency of a trace, its words
# stand in ours. Traces that come with what a reader shall say about them (*.test) are
# held against that. For every file, whatever it is: raw and zstd restore it bit
# by bit.
#
# Outputs go to stdout, one process each: bytes written before an error count.
# TRACEPIPE_SAMPLE=N looks at N files of the corpus, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

checks=0 failures=0 file=''

# complain WHAT: books a failure of the current file.
complain() {
    failures=$((failures + 1))
    printf 'FAIL %s: %s\n' "$file" "$1"
    sed -n '1s/^/     says: /p' "$work/err"
}

# produce OUT WORD...: runs the program; its exit status is in `rc`.
produce() {
    local out=$1
    shift
    rc=0
    "$tracepipe" "$@" >"$out" 2>"$work/err" </dev/null || rc=$?
    # Never 2 or 3, and no signal or sanitizer either.
    [ $rc -le 1 ] || complain "exit $rc: $*"
}

# same OUT STATUS BYTES SHA256 WHAT: an answer, given in `rc` and the file OUT.
same() {
    local bytes sum want=0
    checks=$((checks + 1))
    [ "$2" = ok ] || want=1
    [ $rc = $want ] || complain "$5: exit $rc where the reference says $2"
    bytes=$(stat -c %s "$1")
    if [ "$bytes" != "$3" ]; then
        complain "$5: $bytes bytes instead of $3"
        return
    fi
    sum=$(sha256sum <"$1")
    [ "${sum%% *}" = "$4" ] || complain "$5: other bytes"
}

# restored OUT FILE WHAT
restored() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || complain "$3: not the bytes of the file"
}

# check_copies INPUT: raw and zstd of something that is not text.
check_copies() {
    produce "$work/raw" --sink raw "$1"
    restored "$work/raw" "$1" raw
    produce "$work/zst" --sink zstd "$1"
    zstd -qt "$work/zst" 2>"$work/err" || complain 'zstd: zstd -t refuses it'
    zstd -qdc "$work/zst" >"$work/raw" 2>"$work/err" || true
    restored "$work/raw" "$1" zstd
}

# check_compressed INPUT COMMAND: the bytes that COMMAND -dc gives; where it fails,
# so do we, with some of them.
check_compressed() {
    local bytes
    checks=$((checks + 1))
    produce "$work/raw" --sink raw "$1"
    if "$2" -qdc <"$1" >"$work/plain" 2>"$work/err"; then
        cmp -s "$work/raw" "$work/plain" || complain "raw: not what $2 gives"
    else
        [ $rc = 1 ] || complain "raw: exit $rc where $2 fails"
        bytes=$(stat -c %s "$work/raw")
        cmp -s -n "$bytes" "$work/raw" "$work/plain" || complain "raw: not what $2 begins with"
    fi
}

# check_counts INPUT BYTES SHA256: events by type as "name count bytes" lines.
check_counts() {
    produce "$work/csv" --strict --sink stats:level=counts,format=csv "$1"
    counts_of_csv <"$work/csv" | sort >"$work/tsv"
    rc=0
    same "$work/tsv" ok "$2" "$3" counts
}

# counts_of_csv: type, count and bytes of the total (the rows without a file
# name), tab-separated.
counts_of_csv() {
    awk -F, -v OFS='\t' '
        $1 != "" { next }
        $2 == "event_count" { count[$3] = $4 }
        $2 == "event_bytes" { bytes[$3] = $4 }
        END { for (type in count) print type, count[type], bytes[type] }'
}

# says TEXT: our message has the reference's, blanks aside. What it says of files
# that are no traces we say in other words, and it panics where we do not.
says() {
    local text
    case $1 in
    'bad file format: '* | 'failed to read trace: EOF' | 'unknown or unsupported trace version '* | \
        'panic: '*) return ;;
    esac
    # A message shows a tab as \\x09.
    text=$(sed 's/\\x09/ /g' "$work/err" | tr -s ' \n' ' ')
    checks=$((checks + 1))
    [[ $text == *"$1"* ]] || complain "$2: no word of: $1"
}

# check_events INPUT ANSWER ERROR WHAT
check_events() {
    produce "$work/out" --strict --sink events "$1"
    same "$work/out" $2 "$4"
    case $2 in
    error*) says "$3" "$4" ;;
    esac
}

# What the reference says of a file that it does not read at all; we say nothing.
NO_EVENTS='{"trace":{"complete":false,"events":0,"firstTime":0,"goroutines":0,"lastTime":0,'
NO_EVENTS+='"syncs":0,"tasks":0}}'

# check_summary INPUT ANSWER EVENTS-ANSWER WHAT: not where Go's Summarizer panics, nor
# where its printer of events does, whose word ends our events, too.
check_summary() {
    case "$2 $3" in
    *panic* | -*) return ;;
    esac
    produce "$work/out" --strict --sink stats:level=summary,format=go-summary "$1"
    if [ $rc = 1 ] && [ ! -s "$work/out" ]; then
        echo "$NO_EVENTS" >"$work/out"
    fi
    same "$work/out" $2 "$4"
}

# check_verdict TEST INPUT: the trace of a test and what its author wants of it.
check_verdict() {
    local verdict want=0
    verdict=$(sed -n '/^-- expect --$/,/^-- trace --$/p' "$1" | sed -n 2p)
    [ "$verdict" = SUCCESS ] || want=1
    checks=$((checks + 1))
    produce "$work/out" --strict --sink events "$2"
    [ $rc = $want ] || complain "events: exit $rc where the test wants $verdict"
    if [ $want = 1 ]; then
        verdict=${verdict#FAILURE \"} verdict=${verdict%\"}
        verdict=${verdict#.\*} verdict=${verdict%.\*}
        says "$verdict" events
    fi
}

# check_v2 INPUT
check_v2() {
    local input=$1
    produce "$work/out" --strict --sink text "$input"
    same "$work/out" $raw_decode 'text'
    case $reencode in
    ok*)
        produce "$work/raw" --sink raw "$work/out"
        rc=0 # the scan may find damage in what the raw writer takes
        same "$work/raw" $reencode 'raw of text'
        ;;
    esac
    produce "$work/out" --strict --sink text:header=no "$input"
    same "$work/out" $wire 'text:header=no'
    produce "$work/out" --strict --sink footprint "$input"
    same "$work/out" $footprint 'footprint'
    check_events "$input" "$parsed" "$parsed_error" events
    check_summary "$input" "$summary" "$parsed" summary
    case $footprint_tsv in
    ok*) check_counts "$input" ${footprint_tsv#ok } ;;
    esac
}

# check_legacy_events INPUT: the events of the parser of that time. Of traces that it cannot even
# decode it has other words, and an error of ours holds no more of its words.
check_legacy_events() {
    local say=${v1events_error:0:200}
    [ "$v1events" != - ] || return 0
    produce "$work/out" --strict --sink events:model=v1 "$1"
    same "$work/out" $v1events 'events:model=v1'
    case $say in
    *'(offset '* | *' of region '* | *task\ id* | 'no consistent'* | 'time stamps'* | 'stray '* | \
        'no EvFrequency'* | 'trace is empty') says "$say" 'events:model=v1' ;;
    esac
}

# check_v1 INPUT: of what Go reads no more, or nobody asked it, there is no answer.
check_v1() {
    [ "$convert" != - ] || return 0
    case $convert_error in
    'unknown or unsupported trace version '*) return ;;
    esac
    produce "$work/out" --strict --sink events "$1"
    same "$work/out" $convert 'events'
    case "$convert $convert_summary" in
    *panic*) ;;
    ok*)
        produce "$work/out" --strict --sink stats:level=summary,format=go-summary "$1"
        same "$work/out" $convert_summary 'summary'
        ;;
    esac
}

# has_empty_data TEXT: the raw writer gives no data line to a string of no bytes,
# and the text reader wants one: such text does not survive.
has_empty_data() {
    awk '
        want && !/^\tdata=/ { found = 1 }
        { want = /^(String|ExperimentalBatch) / }
        END { exit !(found || want) }' "$1"
}

# check_text INPUT
check_text() {
    local input=$1 status bytes sum
    read -r status bytes sum <<<"$raw_encode"
    produce "$work/raw" --strict --sink raw "$input"
    if [ "$status" = error ]; then
        checks=$((checks + 1))
        [ $rc = 1 ] || complain "raw: exit $rc for text that the reference refuses"
        # Bytes of no known form are copied. What was encoded before the error
        # is at least the header, never more than the reference wrote.
        if ! cmp -s "$work/raw" "$input"; then
            same "$work/raw" error "$bytes" "$sum" 'raw of refused text'
        fi
        return
    fi
    rc=0 # the scan may find damage in what the raw writer takes
    same "$work/raw" ok "$bytes" "$sum" 'raw of text'
    produce "$work/out" --strict --sink text:header=no "$input"
    same "$work/out" $encoded_wire 'text of text'
    check_events "$work/raw" "$encoded_parsed" "$encoded_parsed_error" 'events of text, encoded'
    check_events "$input" "$encoded_parsed" "$encoded_parsed_error" 'events of text'
    check_summary "$input" "$encoded_summary" "$encoded_parsed" 'summary of text'

    # The binary form to text and back, twice: identity.
    checks=$((checks + 1))
    produce "$work/text" --strict --sink text "$work/raw"
    if ! has_empty_data "$work/text"; then
        produce "$work/again" --strict --sink raw "$work/text"
        cmp -s "$work/raw" "$work/again" || complain 'text to binary to text to binary differs'
        produce "$work/out" --strict --sink text "$work/again"
        cmp -s "$work/text" "$work/out" || complain 'text to binary to text differs'
    fi
    produce "$work/zst" --strict --sink zstd "$input"
    zstd -qdc "$work/zst" 2>"$work/err" | cmp -s - "$work/raw" || complain 'zstd of text differs from raw'
}

# check_line: all that is to be checked about one file of the work list.
check_line() {
    local format raw_decode wire footprint footprint_tsv reencode raw_encode encoded_wire
    local parsed parsed_error encoded_parsed encoded_parsed_error summary encoded_summary
    local convert convert_error convert_summary v1events v1events_error
    IFS=$'\t' read -r file format raw_decode wire footprint footprint_tsv reencode \
        raw_encode encoded_wire parsed parsed_error encoded_parsed encoded_parsed_error \
        summary encoded_summary convert convert_error convert_summary \
        v1events v1events_error <<<"$1"
    local input=$corpus/$file
    # The manifest tells the reference's view; here compressed bytes stand for
    # what they hold, and a fuzzer may have written any version.
    case $(head -c 13 "$input" | od -An -c -w13 | tr -d ' ') in
    '037213'*) format=gzip ;;
    '(265/375'*) format=zstd ;;
    go1.[5-9]trace* | go1.1[0-9]trace* | go1.2[01]trace*) format=v1 ;;
    esac
    case $format in
    gzip | zstd) check_compressed "$input" $format ;;
    v2)
        check_copies "$input"
        check_v2 "$input"
        ;;
    v1)
        check_copies "$input"
        check_v1 "$input"
        check_legacy_events "$input"
        ;;
    text)
        case $file in
        *.test)
            sed '1,/^-- trace --$/d' "$input" >"$work/part.txt"
            check_text "$work/part.txt"
            check_verdict "$input" "$work/part.txt"
            check_copies "$input"
            ;;
        *) check_text "$input" ;;
        esac
        ;;
    *) check_copies "$input" ;;
    esac
}

if [ "$1" = --lines ]; then
    # A share of the work list, started by xargs below.
    corpus=$2 tracepipe=$3 totals=$4
    shift 4
    work=$(mktemp -d "$totals/XXXXXX")
    : >"$work/err"
    for line; do
        check_line "$line"
    done
    echo "$# $checks $failures" >"$work/total"
    rm -f "$work/raw" "$work/out" "$work/zst"
    exit 0
fi

tracepipe=$(realpath -e "$1") family=$2
corpus_find
corpus_work

# One line per file: file, format, then "status bytes sha256" of each oracle.
awk -F'\t' -v OFS='\t' '
    function of(oracle) {
        return ($1, oracle) in answer ? answer[$1, oracle] : "-"
    }
    function why(oracle) {
        return error[$1, oracle] != "" ? error[$1, oracle] : "-"
    }
    FNR == 1 { next }
    FILENAME == ARGV[1] { answer[$1, $2] = $3 " " $7 " " $8; error[$1, $2] = $9; next }
    {
        print $1, $3, of("raw-decode"), of("wire"), of("footprint"), of("footprint-tsv"),
            of("reencode"), of("raw-encode"), of("encoded-wire"), of("parsed"), why("parsed"),
            of("encoded-parsed"), why("encoded-parsed"), of("summary"), of("encoded-summary"),
            of("convert"), why("convert"), of("convert-summary"), of("v1events"), why("v1events")
    }' "$corpus/expected/expected.tsv" "$corpus/MANIFEST.tsv" |
    sample | awk -F'\t' -v family="$family/" 'index($1, family) == 1' >"$work/list"
if [ ! -s "$work/list" ]; then
    echo "no file of $family in the sample"
    exit $((${TRACEPIPE_SAMPLE:-0} > 0 ? 77 : 1))
fi

mkdir "$work/totals"
xargs -d '\n' -P "$(nproc)" -n 10 "$0" --lines "$corpus" "$tracepipe" "$work/totals" \
    <"$work/list" >"$work/report"
cat "$work/report"
cat "$work"/totals/*/total | awk -v listed="$(wc -l <"$work/list")" '
    { files += $1; checks += $2; failures += $3 }
    END {
        print files " files, " checks " checks, " failures " failures"
        exit !(files == listed && checks >= files && failures == 0)
    }'
