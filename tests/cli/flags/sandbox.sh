# The words of --sandbox, and what a run opens after it has given up its rights: inputs, outputs and
# temporary files by every kind of name.
tracepipe --sandbox=maybe "$DATA/go126-user.trace" || echo $?
tracepipe --sandbox= "$DATA/go126-user.trace" || echo $?
mkdir in elsewhere out tmp
cp "$DATA/go126-user.trace" in/a
cp in/a elsewhere/b
ln -s ../elsewhere/b in/link
mkfifo pipe
printf 'in/link\n' >elsewhere/names
cp /usr/share/zoneinfo/Asia/Tokyo elsewhere/zone
export TMPDIR=tmp TZ=:$PWD/elsewhere/zone
want=$(tracepipe --sink text in/a | md5sum)
same() { [ "$(md5sum)" = "$want" ] || echo "$1 differs"; }
tracepipe --sink text in/link | same link
tracepipe --sink text --files-from elsewhere/names | same list
cat in/a >pipe &
tracepipe --sink text pipe | same pipe
tracepipe --sink text /dev/stdin <in/a | same stdin
tracepipe --sink text /dev/fd/7 7<in/a | same descriptor
tracepipe --sink text <(cat in/a) | same 'pipe of the shell'
tracepipe --sink text -o /dev/stdout in/a | same /dev/stdout
tracepipe --sink text -o /dev/fd/8 8>out/8 in/a
same /dev/fd/8 <out/8
tracepipe -r --sink text -o new/ --sink raw -o out/raw --manifest out/run.json in elsewhere/b
same 'new folder' <new/a.txt
tracepipe -f --sink text -o out/8 in/a
same replaced <out/8
tracepipe --reread never --max-memory 16M --sink events:tz=local -o out/events in/a
grep -om1 'Wall=.*+09:00' out/events | wc -l
ls new out tmp
