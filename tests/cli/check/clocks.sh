# Traces whose clock is in doubt count where the report counts them: alone, or if the options say so.
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o late.trace late.txt
user=$DATA/go126-user.trace
tell() {
    tracepipe --check 'task(request).count == 1' --check 'running.total == 286719ns' "$@" 2>&1 >/dev/null |
        grep -v warning || true
}
tell "$user"
tell late.trace
tell late.trace "$user"
tell --sink stats:clocks=all,keep=5 -o /dev/null late.trace "$user"
# The options of the first sink that gathers statistics, whatever it makes of them.
tell --sink list --sink report:clocks=all -o page --sink stats -o text late.trace "$user"
tracepipe -q --sink report:clocks=all -o page.alone late.trace "$user"
tracepipe -q --sink stats -o text.alone late.trace "$user" || true
cmp page page.alone
cmp text text.alone
# A report and statistics share what they gather, in either order.
tracepipe -q -f --sink stats -o text --sink report -o page --sink stats:format=state -o state late.trace
tracepipe -q --sink report -o page.again --sink stats -o text.again --sink stats:format=state -o state.again late.trace
tracepipe -q --sink stats:format=state -o state.alone late.trace
tracepipe -q -f --sink report -o page.alone late.trace
cmp text text.again
cmp page page.alone
cmp page page.again
cmp state state.again
cmp state state.alone
