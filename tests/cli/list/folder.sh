# Many files, by folder and by list; what is no trace is refused and counted.
mkdir -p traces/old
cp "$DATA/go122-chan.trace" "$DATA/go126-user.trace" traces
cp "$DATA"/v1/*.trace traces/old
echo letter >traces/letter
tracepipe --list -r traces >by-folder || echo $?
cat by-folder
find traces -type f | sort | tracepipe --list --files-from - 2>/dev/null | cmp - by-folder
