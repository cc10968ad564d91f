#!/bin/bash
# No source file is longer than 600 lines: a longer one has a second reason to
# exist.
#
#   length.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
most=600
# Top-level folders by name: build folders and the like are not ours to judge.
find src include examples tests tools bench cmake .ci CMakeLists.txt CMakePresets.json \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.go' -o -name '*.sh' \
    -o -name 'CMakeLists.txt' -o -name '*.cmake' -o -name '*.json' \
    -o -path 'tools/*' -type f ! -name '*.*' -o -path '.ci/*' -type f \) \
    -type f -print0 |
    xargs -0 awk -v most=$most '
        FNR == 1 { files++ }
        FNR == most + 1 { print FILENAME " has more than " most " lines"; bad = 1 }
        END {
            if (files < 20) { print "only " files " files found"; bad = 1 }
            if (!bad) print files " files, none above " most " lines"
            exit bad
        }'
