# Names are bytes; messages show them in a form that cannot harm a terminal.
cp "$DATA/go126-user.trace" $'odd\e[31m\xff.trace'
tracepipe --sink text $'odd\e[31m\xff.trace' >/dev/null
tracepipe --sink text $'no\e[31m\xff.trace' 2>message || echo $?
tr -d '\n' <message | tr '\0-\37\177-\377' '?' && echo
! grep -q $'\e' message
