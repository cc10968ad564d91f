# Puts events in order and counts them: those of the events sink.
cp "$DATA/go126-many.trace" a.trace
tracepipe --sink null:until=order a.trace | sed -E 's/ +/ /g' >out
cut -d' ' -f1,3 out
tracepipe --sink events a.trace | grep -cE '^M=-?[0-9]+ P='
