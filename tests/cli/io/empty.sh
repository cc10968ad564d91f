# An empty file is not a trace.
: >empty.trace
tracepipe empty.trace
