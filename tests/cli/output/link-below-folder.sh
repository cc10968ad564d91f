# No output passes a symbolic link below the folder of -o: only that input fails.
mkdir -p in/sub in/deep elsewhere real
cp "$DATA/go126-user.trace" in/a.trace
cp "$DATA/go126-user.trace" in/sub/b.trace
cp "$DATA/go126-user.trace" in/z.trace
ln -s real out
ln -s ../elsewhere real/sub
status=0
tracepipe -r --sink text -o out in || status=$?
echo status $status
status=0
tracepipe -f -r --sink text -o out --manifest run.json in || status=$?
echo status $status
grep -o '"status": "[a-z]*"' run.json
ls -A out elsewhere
tracepipe --sink text in/a.trace | cmp - real/a.trace.txt
tracepipe --sink text in/a.trace | cmp - real/z.trace.txt
# The last name is replaced itself.
ln -sf ../elsewhere/x real/a.trace.txt
tracepipe --sink text -o out in/a.trace in/z.trace || echo $?
rm real/z.trace.txt
tracepipe --sink text -o out in/a.trace in/z.trace || echo $?
tracepipe -f --sink text -o out in/a.trace in/z.trace
[ ! -L real/a.trace.txt ]
ls -A elsewhere
