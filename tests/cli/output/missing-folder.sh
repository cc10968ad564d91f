# One output makes no folder; several make the one of -o and those below it, and none above.
cp "$DATA/go126-user.trace" a.trace
mkdir in
cp a.trace in/b.trace
tracepipe --sink text -o no/text a.trace || echo $?
tracepipe --sink stats -o no/such/report a.trace || echo $?
tracepipe --manifest no/manifest.json a.trace >/dev/null || echo $?
tracepipe -j1 --sink text -o no/folder a.trace in/b.trace || echo $?
tracepipe -r --sink text -o out . || echo $?
# The manifest, and an output of all inputs, may be in the folder of another sink.
tracepipe --sink stats:level=counts -o all/counts --sink text -o all --manifest all/run.json a.trace in/b.trace
# ".." leads out of it. Folders of two sinks may be one below the other, whichever is named first.
tracepipe --sink text -o up --manifest up/../x/y/run.json a.trace in/b.trace || echo $?
mkdir deep
tracepipe --sink text -o deep --sink raw -o deep/raw a.trace in/b.trace
tracepipe -f --sink raw -o deep/raw --sink text -o deep a.trace in/b.trace
ln -s deep soft
tracepipe -f --sink raw -o soft/raw --sink text -o soft a.trace in/b.trace
rm soft
find . | sort
