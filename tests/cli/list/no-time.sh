# A clock that does not run forward: what is known is listed.
printf 'Trace Go1.11\nBatch p=0 ticks=1000\nGoCreate dt=2 g=1 new_stack=2 stack=1\nFrequency freq=18446744073709551615\n' >backward.txt
tracepipe --sink list:batches=yes backward.txt
