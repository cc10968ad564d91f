# Colours are for terminals, or where they are asked for.
cd "$DATA"
tracepipe --sink stats:level=full,top=1 --color always go126-held-lock.trace >"$OLDPWD/colours"
head -n 12 "$OLDPWD/colours"
tracepipe --sink stats:level=full,top=1 go126-held-lock.trace >"$OLDPWD/plain"
tracepipe --sink stats:level=full,top=1 --color never go126-held-lock.trace | cmp - "$OLDPWD/plain"
sed 's/\x1b\[[0-9;]*m//g' "$OLDPWD/colours" | cmp - "$OLDPWD/plain"
# On a terminal (script makes one) they come by themselves, unless they are not wanted.
command="$TRACEPIPE --no-progress --sink stats:level=full,top=1 go126-held-lock.trace"
has_colours() { tr -d '\r' | grep -c $'\x1b\[1m'; }
TERM=xterm script -qec "$command" /dev/null </dev/null | has_colours
TERM=dumb script -qec "$command" /dev/null </dev/null | has_colours || echo none
NO_COLOR=1 TERM=xterm script -qec "$command" /dev/null </dev/null | has_colours || echo none
TERM=xterm script -qec "$command --color never" /dev/null </dev/null | has_colours || echo none
tracepipe --color sometimes hand.trace || echo $?
