# Behind a hole in a trace from before Go 1.22 the next batch begins; what was lost belongs
# to none.
{ head -c 5425 "$DATA/v1/go111-gc.trace" && printf '\377\377\377' && tail -c +5426 "$DATA/v1/go111-gc.trace"; } >old.trace
tracepipe --sink list:batches=yes old.trace
