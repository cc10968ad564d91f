# A folder with one file in it is still a folder.
mkdir tree
cp "$DATA/go126-user.trace" tree/a.trace
tracepipe -r --sink text -o out tree
find out | sort
