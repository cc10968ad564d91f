# A wrong byte in the middle of the compressed bytes.
# Plain literals: where they are compressed, it depends on the machine how far zstd decodes.
zstd -qc --no-compress-literals "$DATA/go126-user.trace" >a.zst
printf '\xff\xff\xff\xff' | dd of=a.zst bs=1 seek=1500 conv=notrunc status=none
tracepipe --sink null:until=decode a.zst >/dev/null
