#!/bin/bash
# The static program does its work in a root that holds nothing but itself and traces, and opens there
# nothing that a dynamic program would: no library, no module of glibc, no client of debug servers.
# Needs root and strace.
#
#   static.sh PROGRAM SOURCE_ROOT
set -euo pipefail
program=$1 traces=$2/tests/data/traces
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/root

fail() {
    echo "$1"
    exit 1
}

! grep -q INTERP <<<"$(readelf -lW "$program")" || fail "$program asks for a dynamic linker"
mkdir "$root"
cp "$program" "$root/tracepipe"
cp "$traces"/*.trace "$traces"/*.gz "$traces"/*.zst "$traces"/v1/*.trace "$root"

# in_root WORD...: runs the program there, on record; its locale and servers are those of a rich system.
in_root() {
    LC_ALL=de_DE.UTF-8 TZ=Europe/Berlin DEBUGINFOD_URLS=http://localhost:1 \
        strace -f -qq -e trace=file -o "$dir/calls" -a 1 chroot "$root" /tracepipe "$@"
    # Only what it did itself, after chroot had started it.
    sed '1,/execve("\/tracepipe"/d' "$dir/calls" >>"$dir/all"
}
here() {
    (cd "$root" && TZ=UTC0 "$program" "$@")
}

cd "$root"
names=(*.trace *.gz *.zst)
cd /
in_root -q --tz UTC --color never -j 4 "${names[@]}" >"$dir/stats" || [ $? = 1 ]
here -q --tz UTC --color never -j 1 "${names[@]}" >"$dir/wanted" || [ $? = 1 ]
cmp "$dir/stats" "$dir/wanted"
[ "$(wc -l <"$dir/stats")" -ge 20 ] || fail 'too short a report'
in_root --sink report -o night.html --sink zstd -o packed go126-gens.trace go121-cpu.trace
[ -s "$root/night.html" ] && [ -s "$root/packed/go126-gens.trace.zst" ] || fail 'no outputs'
# libdw reads the program's own symbols.
in_root --binary /tracepipe --sink events go19-stw.trace >"$dir/events"
[ -s "$dir/events" ] || fail 'no events'
in_root --version >"$dir/version"

[ "$(grep -c 'openat(' "$dir/all")" -ge 20 ] || fail 'too few calls were seen'
# Zones are data: the program reads those that the system has, and names their places to its sandbox.
! grep -vE 'Europe/Berlin|zoneinfo|/locale/TZ' "$dir/all" | grep -E '\.so|gconv|nss|/lib/|debuginfod' ||
    fail 'it looked for libraries'
echo "$(grep -c . "$dir/all") calls that name files, none of them a library"
