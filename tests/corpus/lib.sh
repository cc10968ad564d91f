# Shared by the tests that need the conformance corpus. To be sourced.
#
# The corpus is a folder of real, damaged and hand-written traces with recorded
# answers of Go's own readers. It is no part of this repository:
#   MANIFEST.tsv           file go format bytes sha256 exercises made
#   expected/expected.tsv  file oracle status exit lines events bytes sha256 error
# Bytes and sha256 of an answer are those of everything the reader printed,
# complete (status ok) or up to its error.

export LC_ALL=C TZ=UTC

# corpus_find: sets `corpus`, or ends the test as skipped (77), or as failed if
# the corpus is required.
corpus_find() {
    local root
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    corpus=${TRACEPIPE_CORPUS:-$root/../shared/corpus}
    if [ -r "$corpus/MANIFEST.tsv" ] && [ -r "$corpus/expected/expected.tsv" ]; then
        corpus=$(cd "$corpus" && pwd)
        return
    fi
    echo "no corpus in $corpus (TRACEPIPE_CORPUS names it)"
    if [ "${TRACEPIPE_REQUIRE_CORPUS:-0}" = 1 ]; then
        exit 1
    fi
    exit 77
}

# corpus_some_traces [FOLDER...]: sets `files`, the bundled traces, those of findings, and a fifth of the
# small ones of these folders of the corpus (v2 and v1 if none is given); without the corpus only the
# former, or it ends the test as failed if the corpus is required.
corpus_some_traces() {
    local root corpus
    [ $# -gt 0 ] || set -- v2 v1
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    corpus=$(realpath -m "${TRACEPIPE_CORPUS:-$root/../shared/corpus}")
    files=("$root"/tests/data/traces/*.trace "$root"/tests/findings/data/*.trace.zst)
    if [ -d "$corpus/v2" ]; then
        mapfile -t -O ${#files[@]} files < <(
            find "${@/#/$corpus/}" -type f -size -300k | sort | awk 'NR % 5 == 0')
    elif [ "${TRACEPIPE_REQUIRE_CORPUS:-0}" = 1 ]; then
        echo "no corpus in $corpus"
        exit 1
    fi
}

# corpus_work: sets `work`, a temporary folder that is removed at the end; in
# memory where that is possible, because outputs are synced to disk one by one.
corpus_work() {
    local folder=${TMPDIR:-/tmp}
    if [ -d /dev/shm ] && [ -w /dev/shm ] &&
        [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 1000000 ]; then
        folder=/dev/shm
    fi
    work=$(mktemp -d "$folder/tracepipe-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
}

# evenly MOST: passes so many lines of stdin on, evenly spread; all for 0.
evenly() {
    awk -v most="$1" '
        { line[NR] = $0 }
        END {
            if (most <= 0 || most > NR) most = NR
            for (i = 0; i < most; i++) print line[int((i + 0.5) * NR / most) + 1]
        }'
}

# sample: as many files as TRACEPIPE_SAMPLE says; all if unset.
sample() {
    evenly "${TRACEPIPE_SAMPLE:-0}"
}
