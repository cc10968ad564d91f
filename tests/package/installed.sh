#!/bin/bash
# The Debian packages in a folder, on a system where nothing else of this project is: installed, used
# as their manuals say, removed without a trace. Changes the system: for roots that are thrown away
# (tools/fresh-root --in FOLDER tests/package/installed.sh). Needs root.
#
#   installed.sh FOLDER
set -euo pipefail
packages=$(realpath "$1") source=$(cd "$(dirname "$0")/../.." && pwd)
traces=$source/tests/data/traces
export DEBIAN_FRONTEND=noninteractive

fail() {
    echo "installed: $1"
    exit 1
}
step() {
    printf '\n== installed: %s\n' "$*"
}
apt() {
    apt-get -q -y --no-install-recommends "$@" >/tmp/apt.log || { cat /tmp/apt.log; exit 1; }
}

step 'the program alone'
apt install man-db
# Documentation is left out of roots of containers.
rm -f /etc/dpkg/dpkg.cfg.d/docker
apt install "$packages"/tracepipe_*.deb
tracepipe --version
(cd "$traces" && tracepipe --color never *.trace) >/tmp/report
sed -n 1,12p /tmp/report
for page in '1 tracepipe' '7 tracepipe-sinks' '7 tracepipe-stats' '7 tracepipe-older' '7 tracepipe-tutorial'; do
    # shellcheck disable=SC2086
    MANWIDTH=80 man --warnings $page >/tmp/page 2>/tmp/warnings || fail "man $page"
    [ ! -s /tmp/warnings ] || { cat /tmp/warnings; fail "man $page warns"; }
    [ "$(wc -l </tmp/page)" -ge 50 ] || fail "man $page is too short"
    echo "man $page: $(wc -l </tmp/page) lines"
done
for file in bash-completion/completions/tracepipe zsh/vendor-completions/_tracepipe \
    fish/vendor_completions.d/tracepipe.fish tracepipe/stats.full.schema.json \
    doc/tracepipe/{README.md,changelog.gz,copyright}; do
    [ -s /usr/share/$file ] || fail "no $file"
done

# examples PAGE: the commands of a manual page after "$ ", each with the lines that continue it.
examples() {
    zcat "/usr/share/man/man${1##*.}/$1.gz" | sed 's/^\.Dl //' | awk '
        /^\$ / { if (command) print command; command = substr($0, 3); next }
        command && /^ / { command = command "\n" $0; next }
        command { print command; command = "" }
        END { if (command) print command }' | sed 's/\\e/\\/g'
}

# play PAGE: runs its examples in a folder that has the files which they name. Go's own viewer and
# the server of a Go program are others' programs: the one gets a file, the other sends one.
play() {
    local dir folder count=0
    dir=$(mktemp -d)
    cd "$dir"
    cp "$traces"/go126-{gens,held-lock,user}.trace .
    cp go126-gens.trace run.trace
    cp "$traces/go126-many.trace" a.trace
    cp go126-gens.trace wed.trace
    cp "$traces/go126-gens.trace.zst" run.trace.zst
    cp "$traces/v1/go111-gc.trace" go1.14.trace
    # One above a megabyte: a frame that zstd skips follows it.
    { cat run.trace.zst && printf '\x50\x2a\x4d\x18\0\0\x20\0' && head -c 2M /dev/zero; } >large.trace
    tracepipe --sink stats:format=state -o tue.tpstats go126-held-lock.trace
    for folder in monday tuesday traces; do
        mkdir $folder
        cp "$traces"/go12[56]-*.trace $folder
    done
    examples "$1" >examples.sh
    printf '%s\n' 'set -euo pipefail' 'go() { [ -s "${@: -1}" ]; }' 'curl() { cat run.trace; }' |
        cat - examples.sh >all.sh
    bash -x all.sh >out 2>log || { cat log; fail "an example of $1 failed"; }
    count=$(grep -c tracepipe examples.sh)
    [ "$count" -ge 2 ] || fail "$1: too few examples"
    echo "$1: $count examples"
    cd /
    rm -r "$dir"
}

step 'examples of the manual'
play tracepipe.1
play tracepipe-sinks.7
play tracepipe-stats.7

step 'library and development'
apt install "$packages"/libtracepipe*.deb
apt install gcc libc6-dev pkg-config cmake make
man 3 tracepipe >/tmp/page
grep -q tp_reader_open /tmp/page || fail 'man 3 tracepipe'
cd /tmp
outside=$source/tests/package/outside
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Werror "$outside/outside.c" -o shared $(pkg-config --cflags --libs tracepipe)
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Werror "$outside/outside.c" -o archive \
    $(pkg-config --static --cflags --libs tracepipe | sed 's/-ltracepipe/-l:libtracepipe.a/')
cmake -S "$outside" -B build >/dev/null
cmake --build build >/dev/null
for program in shared archive build/outside build/outside-static; do
    ./$program "$traces/go126-gens.trace" stats || fail "$program"
    rm stats
done
ldd shared build/outside | grep -c libtracepipe.so.0.1
! ldd archive build/outside-static | grep libtracepipe || fail 'a static program loads the library'
for example in /usr/share/doc/libtracepipe-dev/examples/*.c; do
    # shellcheck disable=SC2046
    gcc -std=c11 "$example" -o example $(pkg-config --cflags --libs tracepipe)
done

step 'removed'
names=$(dpkg-query -W -f '${Package}\n' '*tracepipe*')
# shellcheck disable=SC2086
dpkg -L $names | sort -u | while read -r file; do [ -d "$file" ] || echo "$file"; done >files
[ "$(wc -l <files)" -ge 40 ] || fail 'too few files'
# shellcheck disable=SC2086
apt purge $names
while read -r file; do
    [ ! -e "$file" ] || fail "$file is left"
done <files
[ ! -e /usr/share/tracepipe ] || fail '/usr/share/tracepipe is left'
ldconfig -p | grep tracepipe && fail 'the library is still known'
echo "$(wc -l <files) files of" $names "came and went"
