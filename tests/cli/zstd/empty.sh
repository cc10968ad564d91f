# Nothing becomes a file that zstd accepts.
: >empty
tracepipe --sink zstd empty >empty.zst || echo $?
zstd -qdc empty.zst
