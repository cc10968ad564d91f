# -v names the engine that was taken.
cp "$DATA/go126-user.trace" a.trace
tracepipe -v --io pread --sink text a.trace 2>&1 >/dev/null | grep -c pread
tracepipe -v --io auto --sink text a.trace 2>&1 >/dev/null | grep -cE 'uring|pread'
