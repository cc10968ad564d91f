: >empty
for flags in -q --strict; do
    tracepipe $flags --sink events empty || echo "$flags: $?"
done
