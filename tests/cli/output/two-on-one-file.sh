cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o out --sink footprint -o out a.trace || echo $?
ls -A
# The same file under another name.
tracepipe --sink text -o x --sink raw -o ./x "$DATA/go126-user.trace" || echo $?
tracepipe --sink text -o x --manifest .//x "$DATA/go126-user.trace" || echo $?
ls
