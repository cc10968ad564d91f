# The manifest and a sink cannot both have standard output, under whatever name.
status=0
tracepipe --manifest - "$DATA/go122-chan.trace" || status=$?
echo $status
tracepipe --sink text -o x --sink list --manifest - "$DATA/go122-chan.trace" || echo $?
tracepipe --sink text --manifest /dev/stdout "$DATA/go122-chan.trace" | cat || echo $?
tracepipe --manifest /dev/stdout "$DATA/go122-chan.trace" >both || echo $?
[ ! -s both ]
# Beside sinks that write to files it can.
tracepipe --sink text -o x --manifest - "$DATA/go122-chan.trace" | grep -c tracepipe.manifest
