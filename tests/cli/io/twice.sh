# A file that is named twice, by whatever names, counts twice, which is said; a pipe is no file.
cp "$DATA/hand.trace" a.trace
ln a.trace hard.trace
ln -s a.trace soft.trace
cp a.trace other.trace
tracepipe --sink stats:level=counts,format=csv a.trace other.trace | sed -n 2p
tracepipe --sink stats:level=counts,format=csv other.trace a.trace ./a.trace | sed -n 2p
tracepipe --sink stats:level=counts,format=csv soft.trace other.trace hard.trace a.trace other.trace | sed -n 2p
tracepipe --sink stats:level=counts,format=csv - a.trace <a.trace | sed -n 2p
cat a.trace | tracepipe --sink stats:level=counts,format=csv - a.trace | sed -n 2p
tracepipe -r --sink stats:level=counts,format=csv . other.trace | sed -n 2p
