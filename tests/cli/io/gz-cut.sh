# What was read before the compressed file ends is kept and the rest reported.
gzip -nc "$DATA/go126-user.trace" | head -c 2000 >a.gz
tracepipe --sink null:until=decode a.gz >/dev/null
