# Later traces have nothing to be made of them; other releases cannot be written.
cp "$DATA/go126-user.trace" new.trace
tracepipe --sink raw:version=1.26 new.trace >got || echo $?
wc -c <got
for version in 1.27 26 ''; do
    tracepipe --sink "raw:version=$version" new.trace || echo $?
done
