# Compressed inputs are known by their first bytes, whatever they are called.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >wanted
gzip -nc a.trace >a.trace.gz
gzip -nc a.trace >misnamed.trace
tracepipe --sink text a.trace.gz | cmp - wanted
tracepipe --sink text misnamed.trace | cmp - wanted
tracepipe --sink text - <a.trace.gz | cmp - wanted
