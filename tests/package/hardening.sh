#!/bin/bash
# A program as it is shipped has the hardening that distributions expect.
#
#   hardening.sh PROGRAM
set -euo pipefail
program=$1 bad=0

# has WHAT REGEX TEXT: some line of the text matches.
has() {
    grep -qE -- "$2" <<<"$3" || {
        echo "$program: no $1"
        bad=1
    }
}

elf=$(readelf -hldW "$program")
names=$(nm -D "$program" 2>/dev/null; nm "$program" 2>/dev/null || true)
code=$(objdump -d --no-show-raw-insn "$program")
has 'position-independent code' 'Type: +DYN' "$elf"
has 'read-only relocations (RELRO)' '^ +GNU_RELRO ' "$elf"
has 'binding at start (BIND_NOW)' '\(FLAGS_1\).*NOW.*PIE' "$elf"
has 'stack without execution' '^ +GNU_STACK .* RW +0x' "$elf"
has 'stack protector' '__stack_chk_fail' "$names"
has 'checked functions (FORTIFY)' '__(printf|snprintf|vsnprintf|memcpy)_chk' "$names"
case $(uname -m) in
x86_64)
    has 'branch tracking (CET)' 'endbr64' "$code"
    has 'stack clash protection' 'or[bql] +\$0x0,.*\(%rsp' "$code"
    # Each function that a pointer may reach begins with the instruction, so there are hundreds.
    [ "$(grep -c endbr64 <<<"$code")" -ge 300 ] || { echo 'few targets of branches'; bad=1; }
    ;;
aarch64) has 'branch protection' 'paciasp|bti' "$code" ;;
esac
[ $bad = 0 ] && echo "$program is hardened"
exit $bad
