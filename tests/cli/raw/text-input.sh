# The text form is encoded as Go's raw writer does it.
cat >a.txt <<'TEXT'
Trace Go1.26
EventBatch gen=1 m=300 time=7 size=5
ProcStop dt=5
ProcStop dt=128
EndOfGeneration
TEXT
tracepipe --sink raw a.txt | od -An -tx1 -c
