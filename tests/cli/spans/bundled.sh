# Digests of the spans of every bundled trace; tests/corpus/spans.sh compares their sums with statistics.
cp "$DATA"/*.trace "$DATA"/v1/*.trace .
for name in *.trace; do
    for format in csv jsonl; do
        tracepipe -q --sink spans:format=$format "$name" | sha256sum | sed "s/-$/$name $format/"
    done
done
