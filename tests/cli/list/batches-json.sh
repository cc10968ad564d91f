cp "$DATA/hand.trace" new.trace
cp "$DATA/v1/go19-stw.trace" old.trace
tracepipe --sink list:batches=yes,format=json new.trace old.trace
tracepipe --sink list:format=json new.trace
