for sink in text:header=perhaps text:headers=no text:header=no,header=no; do
    tracepipe --sink $sink "$DATA/go126-user.trace" >/dev/null || echo "$sink: $?"
done
