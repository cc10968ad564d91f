# A damaged trace of an older release is copied as it is.
{ printf 'go 1.11 trace\0\0\0' && head -c 5000 /dev/zero; } >old.trace
tracepipe --sink raw old.trace >got || echo $?
cmp got old.trace
