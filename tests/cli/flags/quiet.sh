# -q shows errors only, and changes no result.
head -c 5000 "$DATA/go126-user.trace" >cut.trace
tracepipe -q --sink text -o cut.txt cut.trace || echo $?
tracepipe -q missing.trace
