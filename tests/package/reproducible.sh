#!/bin/bash
# Two builds of HEAD, in two folders, zones and locales, give the same bytes: program, libraries,
# packages.
#
#   reproducible.sh SOURCE_ROOT
set -euo pipefail
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# build FOLDER ZONE LOCALE: packages to FOLDER/packages.
build() {
    git clone -q "$source" "$1"
    TZ=$2 LC_ALL=$3 "$1/tools/packages" "$1/packages" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}
build "$dir/one" UTC C
build "$dir/another/folder with a longer name" Asia/Tokyo C.UTF-8

count=0
for file in "$dir/one/packages"/*.deb "$dir/one/build/package"/{src/cli/tracepipe,libtracepipe.so,libtracepipe.a}; do
    name=${file#"$dir/one/"}
    cmp "$file" "$dir/another/folder with a longer name/$name"
    sha256sum "$file" | sed "s| .*/| |"
    count=$((count + 1))
done
[ $count = 6 ] || { echo "$count files, not 6"; exit 1; }
! grep -rlF "$dir" "$dir/one/build/package"/{src/cli/tracepipe,libtracepipe.*} || { echo 'paths of the build'; exit 1; }
echo "$count files, the same bytes"
