# With several inputs -o is a folder: the path below the -r root or the last
# part of the name, without .gz and .zst, plus the suffix of the sink.
mkdir -p tree/sub
cp "$DATA/go126-user.trace" tree/a.trace
gzip -nc "$DATA/go126-user.trace" >tree/sub/b.trace.gz
zstd -qc "$DATA/go126-user.trace" >tree/sub/c.trace.zst
cp "$DATA/go126-user.trace" alone.trace
tracepipe -r --sink text -o t --sink footprint -o f --sink raw -o r --sink zstd -o z \
    --sink stats -o s.txt tree alone.trace
find t f r z s.txt | sort
cmp t/a.trace.txt t/sub/b.trace.txt
cmp r/sub/b.trace.raw r/sub/c.trace.raw
