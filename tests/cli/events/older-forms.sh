# A trace from before Go 1.22 by name, compressed, as text, and from a stream.
for name in go19-stw go111-gc go121-cpu; do
    cp "$DATA/v1/$name.trace" a.trace
    tracepipe --sink events -o want a.trace
    tracepipe --sink text -o a.txt a.trace
    gzip -nkf a.trace
    zstd -qf a.trace
    for form in a.txt a.trace.gz a.trace.zst -; do
        tracepipe --sink events $form <a.trace | cmp - want
    done
    cat a.trace | tracepipe --sink events - | cmp - want
    rm want a.txt
done
