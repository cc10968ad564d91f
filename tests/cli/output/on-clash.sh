# Inputs of one name from several folders: the run is refused, or the later ones are left out or renamed.
mkdir a b c
cp "$DATA"/go126-user.trace a/x.trace
cp "$DATA"/go125-http.trace b/x.trace
cp "$DATA"/go126-iter.trace c/x.trace
cp "$DATA"/go126-held-lock.trace b/x.trace-2
sinks='--sink zstd -o out --sink text -o text'
tracepipe $sinks a/* b/* c/* || echo $?
tracepipe --on-clash skip $sinks a/* b/* c/*
ls out text
zstd -dqc out/x.trace.zst | cmp - a/x.trace
rm -r out text
tracepipe --on-clash rename --manifest manifest $sinks a/* b/* c/*
ls out text
zstd -dqc out/x.trace.zst | cmp - a/x.trace
zstd -dqc out/x.trace-2.zst | cmp - b/x.trace
python3 - <<'PY'
import json
for entry in json.load(open("manifest"))["inputs"]:
    print(entry["path"], [output["path"] for output in entry["outputs"]])
PY
# Two sinks that write the same names are no clash of inputs.
tracepipe --on-clash rename --sink zstd -o out --sink zstd:level=1 -o out a/* b/* c/* || echo $?
