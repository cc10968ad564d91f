# Regions that are not nested, end twice, on another goroutine or never, and tasks that end twice,
# are mistakes of the program: no data is lost by them, and each is told with its name, goroutine
# and place. With --strict they are refused, as by Go.
mistakes=$DATA/../mistakes
for name in go121 go122 go126; do
    echo "$name"
    cp "$mistakes/$name.trace" .
    tracepipe --sink events $name.trace >events
    grep -c '^M=' events
    grep -oE '(RegionBegin|RegionEnd|TaskBegin|TaskEnd) .*' events | sed -E 's/Time=[0-9]+ //'
    for mode in '--salvage generation' '--speculate always' '--speculate never' -j8; do
        tracepipe $mode --sink events $name.trace 2>&1 | cksum
    done | uniq | wc -l
    tracepipe --strict --sink events $name.trace >events || echo "strict: $?"
    grep -c '^M=' events || true
done
# As intervals: those that overlap have their own times, and what ends nothing is none.
tracepipe -q --sink stats:level=full,format=csv go122.trace | grep -E '^(region|task),[a-z]*,,,|^total,,,doubt_count'
# An end without a region is one without a beginning for Go's Summarizer.
for fix in no yes; do
    tracepipe -q --sink stats:level=summary,fix=$fix,format=go-summary go122.trace |
        grep -c '^{"goroutine".*"start":null,"sys' || true
done
# What Go would refuse is left out of what it is to read.
tracepipe -q --sink raw:version=1.26 -o upgraded.trace go121.trace
tracepipe --strict --sink events upgraded.trace | grep -oE 'RegionEnd .*' | sed -E 's/Time=[0-9]+ //'
