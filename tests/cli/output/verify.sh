# What a record says of outputs is compared with the files, by rclone's signs.
mkdir in
cp -p "$DATA"/go126-user.trace "$DATA"/go125-http.trace "$DATA"/go126-held-lock.trace in
tracepipe --resume out/record --sink zstd -o out -r in || echo "no folder: $?"
tracepipe --resume record --manifest out/manifest --sink zstd -o out -r in
tracepipe --verify record
tracepipe -v --verify record
rm out/go125-http.trace.zst
printf x | dd of=out/go126-user.trace.zst bs=1 seek=100 conv=notrunc status=none
: >"out/not
mine"
touch in/go126-held-lock.trace
rm in/go126-user.trace
tracepipe --verify record || echo $?
rm -r out
tracepipe --verify record || echo $?
tracepipe --verify in/go125-http.trace || echo $?
: >empty
tracepipe --verify empty || echo $?
tracepipe --verify none || echo $?
tracepipe --verify record >/dev/full || echo $?
