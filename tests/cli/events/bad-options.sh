for sink in events:tz=Mars events:tz= events:zone=UTC events:tz=UTC,tz=UTC events:tz=../passwd; do
    tracepipe --sink $sink "$DATA/go126-user.trace" >/dev/null || echo "$sink: $?"
done
