# Two inputs that would write the same file: refused before anything is read.
mkdir one two
cp "$DATA/go126-user.trace" one/a.trace
cp "$DATA/go122-chan.trace" two/a.trace
tracepipe --sink text -o out one/a.trace two/a.trace || echo $?
gzip -n two/a.trace
mv two/a.trace.gz one
tracepipe -r --sink text -o out one || echo $?
ls
