# The reference reader refuses them before 1.26, and so does that of text.
for version in 23 26; do
    "$SYNTH" --seed 9 --version $version --alloc-free 1 --generations 1 --gen-events 300 >a.trace
    tracepipe --strict --sink text a.trace >a.txt || echo "$version: $?"
    tracepipe --sink text -f -o a.txt a.trace
    tracepipe --strict --sink raw a.txt >b.trace || echo "$version, from text: $?"
done
