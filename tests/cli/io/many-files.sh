# More files than any engine keeps open at a time, in order.
ulimit -n 64
for n in $(seq -w 300); do cp "$DATA/go126-user.trace" "$n.trace"; done
tracepipe --sink stats:level=counts,format=csv ./*.trace | cut -d, -f1 | uniq | grep -c '\.trace'
