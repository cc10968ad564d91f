#!/bin/bash
# Nothing in the tree names a folder of the machine it was made on, binary
# traces included (they hold the paths of the sources of the traced program).
#
#   paths.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
# Bracketed, so that this file does not find itself.
regex='(^|[^A-Za-z0-9_.$}/-])/(hom[e]|roo[t]|wor[k]|User[s])/[A-Za-z0-9_.]'
if find . -path ./.git -prune -o -path ./build -prune -o -type f -print0 |
    xargs -0 grep -anE -o ".{0,40}$regex.{0,40}"; then
    echo "paths of one machine"
    exit 1
fi
echo "no paths of a machine"
