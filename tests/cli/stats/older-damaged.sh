# What cannot be passed over, and what can but is no event inside: both are damage.
{ cat "$DATA/v1/go19-stw.trace" && printf '\101\0\5\306\2\1\1'; } >inside.trace
{ cat "$DATA/v1/go19-stw.trace" && printf '\101\0\5\77\77'; } >none.trace
tracepipe --sink stats:level=counts inside.trace none.trace || echo $?
