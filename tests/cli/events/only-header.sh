# Go's reader ends a trace of nothing with a Sync, or misses the frequency before it.
for version in 1.22 1.23 1.25 1.26; do
    printf 'go %s trace' $version >a.trace
    truncate -s 16 a.trace
    for flags in -q --strict; do
        tracepipe $flags --sink events a.trace || echo "$version $flags: $?"
    done
done
