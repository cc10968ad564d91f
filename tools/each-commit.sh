#!/bin/bash
# Builds and tests every commit of a range, oldest first, and stops at the first
# that fails: each commit has to stand alone. Before that it looks at all subjects:
# "area: imperative", at most 60 characters.
#
#   each-commit.sh RANGE [CTEST-WORD...]     each-commit.sh origin/main.. -L unit
#
# Works in a worktree of its own; the checkout is left alone. One build folder
# serves all commits, so that only what a commit changes is compiled.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
range=$1
shift
repo=$(git -C "$(dirname "$0")/.." rev-parse --show-toplevel)
# Relative to the checkout, as everywhere; the worktree lies elsewhere.
corpus=${TRACEPIPE_CORPUS:-$repo/../shared/corpus}
TRACEPIPE_CORPUS=$(realpath -m "$corpus")
export TRACEPIPE_CORPUS

mapfile -t commits < <(git -C "$repo" rev-list --reverse "$range")
if [ ${#commits[@]} = 0 ]; then
    echo "each-commit: no commits in $range" >&2
    exit 2
fi

# Words of a subject that say how things are or were instead of what was done.
not_imperative='^[^:]*: (a|an|the|it|no|not|what|who|this|that|[a-z]+ed|[a-z]+ing) '
bad=0
while IFS= read -r subject; do
    why=''
    [ ${#subject} -le 60 ] || why='over 60 characters'
    [[ $subject =~ ^[a-zA-Z0-9_./,\ -]+:\ [a-z] ]] || why='not "area: what was done"'
    if [[ ! $subject =~ ^[^:]*:\ (need|feed|embed|bring|seed|shed|speed|string)\  ]] &&
        [[ $subject =~ $not_imperative ]]; then
        why='not imperative'
    fi
    [ -z "$why" ] && continue
    echo "each-commit: $why: $subject" >&2
    bad=1
done < <(git -C "$repo" log --no-merges --reverse --format=%s "$range")
[ $bad = 0 ] || exit 1

work=$(mktemp -d)
cleanup() {
    git -C "$repo" worktree remove --force "$work/tree" 2>/dev/null || true
    rm -rf "$work"
    git -C "$repo" worktree prune
}
trap cleanup EXIT
trap 'exit 130' INT TERM
git -C "$repo" worktree add -q --detach "$work/tree" "${commits[0]}"
cd "$work/tree"

# one LOG STEP COMMAND...: quiet unless it fails.
one() {
    local log=$1 step=$2
    shift 2
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "each-commit: $step fails" >&2
        return 1
    fi
}

count=0
for commit in "${commits[@]}"; do
    count=$((count + 1))
    echo "[$count/${#commits[@]}] $(git -C "$repo" log -1 --format='%h %s' "$commit")"
    git checkout -q --detach "$commit"
    one "$work/log" configure cmake --preset dev -B "$work/build"
    one "$work/log" build cmake --build "$work/build"
    one "$work/log" test ctest --test-dir "$work/build" --output-on-failure -j "$(nproc)" "$@"
done
echo "each-commit: $count commits build and pass"
