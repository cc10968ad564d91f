# Byte for byte, also through compression.
cp "$DATA/go122-chan.trace" a.trace
tracepipe --sink raw a.trace | cmp - a.trace
gzip -nc a.trace | tracepipe --sink raw - | cmp - a.trace
zstd -qc a.trace | tracepipe --sink raw - | cmp - a.trace
