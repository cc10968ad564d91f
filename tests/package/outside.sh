#!/bin/bash
# Installs into a folder that is thrown away and builds and runs outside/ against it,
# by pkg-config and by find_package. Then what else an installation promises.
#
#   outside.sh SOURCE_ROOT BUILD CMAKE COMPILER SANITIZE-FLAG
set -euo pipefail
source=$1 build=$2 cmake=$3 compiler=$4 sanitize=$5
here=$source/tests/package
trace=$source/tests/data/traces/go126-gens.trace
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "$1"
    exit 1
}

"$cmake" --install "$build" --prefix "$dir/built-for" >"$dir/log" || {
    cat "$dir/log"
    exit 1
}
# An installation can be moved.
prefix=$dir/prefix
mv "$dir/built-for" "$prefix"

pc=$(dirname "$(find "$prefix" -name tracepipe.pc)")
config=$(dirname "$(find "$prefix" -name TracepipeConfig.cmake)")
library=$(find "$prefix" -name libtracepipe.so)
export LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# runs PROGRAM: it does what it should.
runs() {
    rm -f "$dir/stats"
    [ "$("$1" "$trace" "$dir/stats")" = "$("$build/examples/my_sink" "$trace" |
        awk '{ n += $1 } END { print n " events" }')" ] || fail "$1: wrong count"
    grep -q "^goroutine time by state" "$dir/stats" || fail "$1: no statistics"
}

# needs PROGRAM LIBRARY: whether the program loads the library.
needs() {
    grep -q "NEEDED.*\[$2\." <<<"$(readelf -d "$1")"
}

# by_pkg_config PROGRAM OPTION...: builds it. Plain words name no library of others.
by_pkg_config() {
    local words
    words=$(PKG_CONFIG_PATH=$pc pkg-config "${@:2}" --cflags --libs tracepipe)
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -Wall -Wextra -pedantic -Werror $sanitize "$here/outside/outside.c" \
        -o "$1" $words
}
by_pkg_config "$dir/by-pkg-config"
runs "$dir/by-pkg-config"
needs "$dir/by-pkg-config" libtracepipe || fail 'by-pkg-config: does not load the library'
! needs "$dir/by-pkg-config" libzstd || fail "by-pkg-config: Requires.private are not private"

# The version of the header, in numbers and as text, of the library, and of CMake's project.
version=$(PKG_CONFIG_PATH=$pc pkg-config --modversion tracepipe)
[ "$("$dir/by-pkg-config")" = "$version $version $version" ] || fail "not all versions are $version"
[[ $("$prefix/bin/tracepipe" --version) == "tracepipe $version"* ]] || fail "--version: not $version"

"$cmake" -G Ninja -S "$here/outside" -B "$dir/b" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_C_FLAGS="$sanitize" -DTracepipe_DIR="$config" >"$dir/log" &&
    "$cmake" --build "$dir/b" >>"$dir/log" || {
    cat "$dir/log"
    exit 1
}
runs "$dir/b/outside"

# The static library: where the shared one is not, and as a component of the package.
runs "$dir/b/outside-static"
mkdir "$dir/aside"
mv "${library%/*}"/libtracepipe.so* "$dir/aside"
by_pkg_config "$dir/static" --static
mv "$dir/aside"/* "${library%/*}"
for program in "$dir/static" "$dir/b/outside-static"; do
    runs "$program"
    ! needs "$program" libtracepipe || fail "$program: loads the library"
done

# The program beside it, and its manual.
for page in man1/tracepipe.1 man3/tracepipe.3 man7/tracepipe-older.7 man7/tracepipe-sinks.7 man7/tracepipe-stats.7 \
    man7/tracepipe-tutorial.7; do
    gzip -t "$prefix/share/man/$page.gz" || fail "no $page"
done

for file in bash-completion/completions/tracepipe zsh/site-functions/_tracepipe \
    fish/vendor_completions.d/tracepipe.fish; do
    [ -s "$prefix/share/$file" ] || fail "no $file"
done
# The schemas of its JSON.
for schema in "$source"/docs/format/*.schema.json; do
    cmp "$schema" "$prefix/share/tracepipe/${schema##*/}" || fail "no ${schema##*/}"
done

# The public headers and the library's symbols tell the same functions.
nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' |
    grep -v '^__\|^_init$\|^_fini$' | sort >"$dir/exported"
cat "$source"/include/tracepipe/*.h | grep -oE '^TP_API .*' |
    grep -oE 'tp_[a-z_0-9]+\(' | tr -d '(' | sort >"$dir/declared"
diff -u "$dir/declared" "$dir/exported" || fail "declared is not what is exported"
[ "$(wc -l <"$dir/declared")" -ge 40 ] || fail "too few functions found"
echo "an outside project builds and runs"
