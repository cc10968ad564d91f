#!/bin/bash
# Every header compiles alone, whoever includes it first: private ones as GNU
# C17, public ones as plain C11 and, with `cxx`, as C++11.
#
#   headers.sh SOURCE_ROOT c COMPILER
#   headers.sh SOURCE_ROOT cxx [COMPILER]     exit 77: no C++ compiler here
set -euo pipefail
cd "$1"
mode=$2
compiler=${3:-}
warnings=(-Wall -Wextra -Werror)
bad=0 count=0

# compile LANGUAGE STANDARD HEADER FLAG...
compile() {
    local language=$1 standard=$2 header=$3
    shift 3
    # Twice: the include guard is part of what is promised.
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        "$compiler" -x "$language" -std="$standard" -fsyntax-only "${warnings[@]}" "$@" - || {
        echo "$header does not compile alone ($standard)"
        bad=1
    }
    count=$((count + 1))
}

case $mode in
c)
    for header in $(cd src && find . -name '*.h' -printf '%P\n' | sort); do
        compile c gnu17 "$header" -Wconversion -Wshadow -Wstrict-prototypes -Isrc -Iinclude -D_GNU_SOURCE
    done
    for header in $(cd include && find . -name '*.h' -printf '%P\n' | sort); do
        compile c c11 "$header" -Wconversion -Wshadow -Wstrict-prototypes -pedantic -Iinclude
    done
    ;;
cxx)
    for name in $compiler c++ g++ clang++; do
        # The driver alone does not prove that the compiler proper is there.
        if echo 'int x;' | "$name" -x c++ -fsyntax-only - 2>/dev/null; then
            compiler=$name
            break
        fi
        compiler=
    done
    if [ -z "$compiler" ]; then
        echo "no C++ compiler"
        exit 77
    fi
    for header in $(cd include && find . -name '*.h' -printf '%P\n' | sort); do
        compile c++ c++11 "$header" -pedantic -Iinclude
    done
    ;;
*)
    exit 2
    ;;
esac
[ $count -gt 0 ] || exit 1
[ $bad = 0 ] && echo "$count headers compile alone"
exit $bad
