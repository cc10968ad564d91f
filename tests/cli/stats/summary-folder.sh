# One output for each input; on standard output one after the other.
cp "$DATA"/go126-user.trace "$DATA"/go126-many.trace "$DATA"/go122-gc.trace .
tracepipe --sink stats:level=summary -o out ./*.trace
ls out
cat out/* >all
tracepipe --sink stats:level=summary ./*.trace | cmp - all
# Beside other sinks of ordered and of other events.
tracepipe --sink stats:level=summary -o again --sink events -o events --sink stats -o counts \
    --sink null:until=order,sum=yes -o null ./*.trace
diff -r out again
# Compressed, and as text.
gzip -k go126-many.trace
tracepipe --sink stats:level=summary go126-many.trace.gz | cmp - out/go126-many.trace.summary
tracepipe --sink text go126-many.trace >many.txt
tracepipe --sink stats:level=summary many.txt | cmp - out/go126-many.trace.summary
