# An event that is none inside, though its length fits, and one that cannot be passed over.
{ cat "$DATA/v1/go121-cpu.trace" && printf '\101\0\5\306\2\1\1'; } >inside.trace
tracepipe --sink footprint inside.trace >table || echo $?
grep Batch table
{ cat "$DATA/v1/go121-cpu.trace" && printf '\101\0\5\77\77'; } >none.trace
tracepipe --sink footprint none.trace >table || echo $?
grep Batch table
