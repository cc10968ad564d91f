# Where batches lie and when they begin: by M and generation since Go 1.22, by P before.
cp "$DATA/go126-few-ps.trace" new.trace
cp "$DATA/v1/go111-gc.trace" old.trace
tracepipe --sink list:batches=yes new.trace old.trace
