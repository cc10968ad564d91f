#!/bin/bash
# Every expectation file of the golden cases belongs to a case, so that nothing is silently
# never compared.
#
#   cases.sh SOURCE_ROOT
set -euo pipefail
cd "$1/tests/cli"
bad=0
complain() {
    echo "$1"
    bad=1
}
for file in */*; do
    case $file in
    *.sh) ;;
    *.stdout | *.stderr | *.exit)
        [ -e "${file%.*}.sh" ] || complain "tests/cli/$file belongs to no case"
        ;;
    *) complain "tests/cli/$file: what is this?" ;;
    esac
done
[ $bad = 0 ] && echo "all expectations belong to cases"
exit $bad
