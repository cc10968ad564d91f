# On a terminal texts of a trace cannot move the cursor or turn the direction; elsewhere sinks that
# print them as they are do so there, too.
on=$DATA/../../cli/on-terminal.py
esc=$'\e[2J' c1=$'\xc2\x9b' bidi=$'\xe2\x80\xae'
sed 's/data="main\.main"/data="\\x1b[2J\\u009b\\u202e"/' "$DATA/hand.txt" >evil.txt # as many bytes
tracepipe --sink raw -o evil.trace evil.txt
for sink in events text stats:format=folded stats:format=csv stats:format=json stats:level=summary stats; do
    tracepipe -q --sink "$sink" evil.trace >file 2>/dev/null || true
    PAGER= timeout 60 python3 "$on" 100x24 tracepipe -q --no-progress --sink "$sink" evil.trace >shown || true
    for text in "$esc" "$c1" "$bidi"; do
        printf '%s: %d in the file, %d on the terminal\n' "$sink" "$(grep -acF -- "$text" file)" \
            "$(grep -acF -- "$text" shown)"
    done
done
