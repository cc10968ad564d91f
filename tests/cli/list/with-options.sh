# -l and --sink list:... are one sink, in whatever order; -v shows batches and no other details.
cp "$DATA/hand.trace" a.trace
tracepipe -l --sink list:format=json a.trace >one
tracepipe --sink list:format=json -l a.trace | cmp - one
tracepipe --sink list:format=json a.trace | cmp - one
tracepipe -l -o two --sink list:format=json -o three a.trace
tracepipe -l -v a.trace >batches
tracepipe -lv a.trace | cmp - batches
tracepipe --sink list:batches=yes a.trace | cmp - batches
# Beside options of its own -v is about messages again.
tracepipe -lv --sink list:format=json a.trace 2>messages | cmp - one
[ -s messages ]
head -c 30 one two three
