cp "$DATA/go126-user.trace" a.trace
script -qec "tracepipe --no-progress --sink text a.trace" /dev/null </dev/null | tr -d '\r' |
    cmp - <(tracepipe --sink text a.trace)
