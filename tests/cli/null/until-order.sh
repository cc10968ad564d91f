# Puts events in order and counts them.
cp "$DATA/go126-many.trace" a.trace
tracepipe --sink null:until=order a.trace | sed -E 's/ +/ /g' >out
cut -d' ' -f1,3 out
