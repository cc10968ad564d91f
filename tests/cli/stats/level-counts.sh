# What can be told without putting events in order. The bundled trace is looked at whole.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink stats:level=counts a.trace
