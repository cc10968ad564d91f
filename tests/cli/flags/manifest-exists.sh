# The manifest is an output like others.
cp "$DATA/go122-chan.trace" a.trace
echo precious >run.json
tracepipe --manifest run.json --sink text a.trace || echo $?
cat run.json
tracepipe -f --manifest run.json --sink text -o a.txt a.trace || echo $?
