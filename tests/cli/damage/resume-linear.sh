# 30 MB in which every byte could begin a batch take time linear in the size,
# also where reading has to go on behind something else: done long before the
# limit of a case.
head -c 30000004 /dev/zero | tr '\0' '\1' >ones
{ head -c 16 "$DATA/go126-user.trace" && cat ones; } >batches.trace
{ head -c 16 "$DATA/go126-user.trace" && printf '\377' && cat ones; } >search.trace
for name in batches search; do
    tracepipe --sink footprint $name.trace >table 2>message || echo "$name: $?"
    grep ^EventBatch table
    grep lost message
done
