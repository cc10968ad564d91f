# -o before any sink belongs to the default sink.
cp "$DATA/go126-user.trace" a.trace
tracepipe -o report a.trace
tracepipe a.trace | cmp - report
