# What takes more memory than it may have ends as 3 and says which option helps; the other
# inputs are not affected. 3 before 1.
"$SYNTH" --generations 1 --gen-events 40000 --stacks 40000 --stack-depth 60 --functions 20000 >large.trace
head -c 3000 "$DATA/go126-user.trace" >cut.trace
cp "$DATA/go126-user.trace" good.trace
tracepipe --max-memory 24M --manifest run.json --sink stats:level=full -o report good.trace large.trace 2>messages ||
    echo $?
# Some regions are open when their goroutine ends.
sed -E '/no data is lost/d; s/into [0-9]+ KiB/into N KiB/' messages >&2
grep -o '"path": "[a-z]*.trace"\|"status": "[a-z_]*"\|"exit_status": .\|"error": "the tables\| --max-[^"]*"' run.json
tracepipe --max-memory 24M --sink events -o out/ cut.trace large.trace good.trace 2>/dev/null || echo $?
ls out
tracepipe --max-memory 24M --sink list -o list cut.trace large.trace good.trace 2>/dev/null || echo $?
tracepipe -q --max-memory 256M --sink events -o whole large.trace
# Stacks that do not fit are missed by the sink that prints them, and by no other.
tracepipe -q --sink stats:level=full,format=csv -o want large.trace
for jobs in '' -j2; do
    tracepipe $jobs --max-memory 64M --sink events -o lines --sink stats:level=full,format=csv \
        -o got large.trace 2>messages || echo $?
    grep -o 'events: the stacks.* do not fit' messages
    [ "$(grep -vc 'no data is lost' messages)" = 1 ]
    cmp got want
    rm got
    [ ! -e lines ]
done
