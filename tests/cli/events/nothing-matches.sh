# Options that select nothing of any input say so; the status is that of a search that ends well.
user=$DATA/go126-user.trace gens=$DATA/go126-gens.trace
for sink in events:task=nosuch events:function=nosuch,format=jsonl events:goroutine=999 spans:function=nosuch \
    spans:longer=9h; do
    tracepipe --sink $sink "$user"
done
# One of two inputs has it.
tracepipe --sink events:task=request "$gens" "$user" | wc -l
# Nothing is asked of them, or the window has said so.
tracepipe --sink events:function=,task= "$user" | cmp - <(tracepipe --sink events "$user")
tracepipe --from 900s --sink events:task=nosuch "$user"
