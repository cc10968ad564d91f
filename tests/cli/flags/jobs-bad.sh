for jobs in -1 x 1.5 '' 99999999999999999999; do
    tracepipe -j "$jobs" "$DATA/go126-user.trace" || echo "'$jobs': $?"
done
