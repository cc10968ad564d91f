# A trace without generations begins with the Sync that ends it; a frame without names is its PC.
head -c 16 "$DATA/go126-user.trace" >header
tracepipe --sink events:format=jsonl,time=relative header
tracepipe --sink events:format=line,time=relative header
for trace in "$DATA"/v1/*.trace; do
    tracepipe -q --sink events:format=line "$trace"
done | grep -oE '(Stack|Place)=(0x[0-9a-f]*| :).*' | sort | uniq -c
