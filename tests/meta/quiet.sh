#!/bin/bash
# Below src/cli nothing ends the process and nothing prints: a worker that calls
# exit() loses the results of all others, and stdout belongs to the outputs.
# Heap comes from base/alloc only, which counts it.
#
#   quiet.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
bad=0

# ban WHY REGEX FILE...: `REGEX(` outside comments and strings.
ban() {
    local why=$1 regex=$2
    shift 2
    # Strings first, so that "//" inside one does not look like a comment.
    awk -v why="$why" -v regex="(^|[^A-Za-z0-9_>.])($regex)[ ]*\\\\(" '
        {
            line = $0
            gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
            sub(/\/\/.*/, "", line)
            if (line ~ regex) {
                print FILENAME ":" FNR ": " why ": " $0
                bad = 1
            }
        }
        END { exit bad }' "$@" || bad=1
}

mapfile -t files < <(find src -name '*.[ch]' ! -path 'src/cli/*' | sort)
[ ${#files[@]} -ge 20 ] || {
    echo "only ${#files[@]} files found"
    exit 1
}
ban 'ends the process' 'exit|_exit|_Exit|quick_exit' "${files[@]}"
ban 'prints' 'printf|vprintf|fprintf|vfprintf|dprintf|puts|fputs|putchar|fputc|perror|warnx?|errx?' \
    "${files[@]}"
ban 'unbounded string function' 'strcpy|strcat|sprintf|vsprintf|gets|strtok' "${files[@]}"

mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -v '^src/base/alloc\.c$')
ban 'heap not from base/alloc' \
    'malloc|calloc|realloc|free|strdup|strndup|aligned_alloc|posix_memalign|asprintf|reallocarray' \
    "${files[@]}"
[ $bad = 0 ] && echo "${#files[@]} files are quiet"
exit $bad
