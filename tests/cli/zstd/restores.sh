# zstd itself accepts the result and gives the bytes back.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink zstd a.trace >a.zst
zstd -qt a.zst
zstd -qdc a.zst | cmp - a.trace
# and so do we
tracepipe --sink raw a.zst | cmp - a.trace
