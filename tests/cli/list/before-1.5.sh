# Before Go 1.5: a Batch at 5, events 1 and 2 later, a Batch at 90 and one event 4 later; 100
# ticks per second. Then Go 1.5, with its sequence numbers.
printf 'gotrace\0\101\0\5\5\1\6\2\101\3\132\5\4\2\144' >before.trace
printf 'Trace Go1.5\nBatch p=0 seq=1 ticks=1000\nGoCreate dseq=1 dt=2 g=1 pc=4096 stack=1\nFrequency freq=1000000000 unused=0\n' >v5.txt
tracepipe --list before.trace v5.txt
tracepipe --sink list:batches=yes before.trace
