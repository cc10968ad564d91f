# All regular files below a folder, in byte order of their paths; symbolic
# links inside are not followed.
mkdir -p tree/b/c tree/B
cp "$DATA/go122-chan.trace" tree/b/c/z.trace
cp "$DATA/go126-user.trace" tree/B/y.trace
cp "$DATA/go126-user.trace" tree/b.trace
ln -s b.trace tree/link.trace
ln -s b tree/loop
tracepipe -r --sink text -o out tree
find out | sort
tracepipe -r --sink stats:level=counts,format=csv tree | cut -d, -f1 | uniq
