# Several members follow each other in one file, as `cat a.gz b.gz` makes it.
cp "$DATA/go126-user.trace" a.trace
head -c 1000 a.trace | gzip -n >a.gz
tail -c +1001 a.trace | gzip -n >>a.gz
tracepipe --sink text a.gz >got
tracepipe --sink text a.trace | cmp - got
