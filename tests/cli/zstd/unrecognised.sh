head -c 100000 /dev/zero | tr '\0' '\1' >ones
tracepipe --sink zstd ones >ones.zst || echo $?
zstd -qdc ones.zst | cmp - ones
