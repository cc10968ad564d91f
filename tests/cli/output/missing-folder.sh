# One output makes no folder; several make the one of -o and those below it, and none above.
cp "$DATA/go126-user.trace" a.trace
mkdir in
cp a.trace in/b.trace
tracepipe --sink text -o no/text a.trace || echo $?
tracepipe --sink stats -o no/such/report a.trace || echo $?
tracepipe --json no/manifest.json a.trace >/dev/null || echo $?
tracepipe --sink text -o no/folder a.trace in/b.trace || echo $?
tracepipe -r --sink text -o out . || echo $?
find . | sort
