# Several frames and skippable frames between them.
cp "$DATA/go126-user.trace" a.trace
{
    head -c 1000 a.trace | zstd -qc
    printf '\x50\x2a\x4d\x18\x04\x00\x00\x00skip'
    tail -c +1001 a.trace | zstd -qc
} >a.zst
tracepipe --sink text a.zst >got
tracepipe --sink text a.trace | cmp - got
