# Nothing, and traces of nothing.
: >empty
head -c 16 "$DATA/go126-gens.trace" >new.trace
head -c 16 "$DATA/v1/go111-gc.trace" >old.trace
tracepipe --list empty || echo $?
tracepipe --list old.trace
tracepipe --list -v old.trace 2>/dev/null
tracepipe --list new.trace
