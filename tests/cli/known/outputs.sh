# Other outputs are as without the option; the file may lie among the traces; states and runs that go on after a
# kill make the same news.
from=$DATA/../../findings/data
mkdir in
zstd -dqc "$from"/006-lock.* >in/lock.trace
zstd -dqc "$from"/009-leak.* >in/leak.trace
tracepipe --sink stats:format=json -o alone.json -r in
tracepipe --known in/known --sink stats:format=json -o with.json --manifest manifest -r in | tee news
cmp alone.json with.json
grep -o '"sink": "known".*' manifest
tracepipe --known in/known -r in
tracepipe --known in/known -o report -r in
head -c 4 report | wc -c
tracepipe --sink stats:format=state -o state in/*.trace
tracepipe --known by-state state | cmp - news
cmp by-state in/known
rm in/known
tracepipe --resume record --known resumed -r in | cmp - news
rm resumed
tracepipe --resume record --known resumed -r in | cmp - news
cmp by-state resumed
tracepipe --color always --known coloured -r in | cmp - news
