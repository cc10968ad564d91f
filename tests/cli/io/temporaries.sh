# Temporary files of runs of this program are no inputs below folders, but one that is named as
# an input is read, and no run removes it.
mkdir tree
cp "$DATA/go122-chan.trace" tree/a.trace
cp "$DATA/go122-chan.trace" tree/.b.txt.tracepipe-0abc9z.tmp
cp "$DATA/go122-chan.trace" tree/.c.txt.tracepipe-0ABC9z.tmp
tracepipe -r --sink stats:level=counts,format=csv tree | cut -d, -f1 | uniq
tracepipe --sink text -o tree/out.txt tree/.b.txt.tracepipe-0abc9z.tmp
ln -s .b.txt.tracepipe-0abc9z.tmp tree/link
tracepipe --sink text -o tree/linked.txt tree/link
ls -A tree
tracepipe --sink text -o tree/more.txt tree/a.trace
ls -A tree
