# A header and 100 MB of bytes that each could begin a batch: linear, so done
# long before the limit of a case.
{ head -c 16 "$DATA/go126-user.trace" && head -c 100000000 /dev/zero | tr '\0' '\1'; } >ones.trace
tracepipe --sink text ones.trace
