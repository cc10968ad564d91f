# What cannot fit is said clearly; how much is needed depends on the engine.
cp "$DATA/go126-user.trace" a.trace
tracepipe --max-memory 1K --sink text a.trace 2>message || echo $?
sed -E 's/[0-9]+ MiB/N MiB/' message
