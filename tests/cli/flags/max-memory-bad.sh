for size in x -1 64Q ''; do
    tracepipe --max-memory "$size" "$DATA/go126-user.trace" || echo "'$size': $?"
done
