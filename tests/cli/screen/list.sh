# On a screen the tables of list have the columns for which there is room; otherwise all.
cp "$DATA/go126-user.trace" a.trace
cp "$DATA/v1/go111-gc.trace" b.trace
for columns in 60 80 100 120 160 240; do
    tracepipe --tz UTC --screen ${columns}x24 -l a.trace b.trace
done
tracepipe --tz UTC --screen 80x24 -l -v a.trace 2>/dev/null
tracepipe --screen 80x24 --sink list:format=json a.trace | cmp - <(tracepipe --sink list:format=json a.trace)
tracepipe -l a.trace b.trace | cmp - <(tracepipe --screen 1000x24 -l a.trace b.trace)
