# The first screen in less than 80 columns, down to 40: no line is wider, and none is lost for it.
cd "$DATA/../../findings/data"
head -c 60000 "$SYNTH" >"$OLDPWD/no-trace"
zstd -qdc 012*.zst >"$OLDPWD/whole.trace" # in a pipe it might be killed
head -c 45000 "$OLDPWD/whole.trace" >"$OLDPWD/cut.trace"
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" |
    tracepipe --sink raw >"$OLDPWD/late.trace"
for columns in 40 41 50 60 70 79; do
    for rows in 24 50; do
        for files in 006*.zst 007*.zst '*.zst' "$DATA/go*.trace" "$DATA/go126-gens.trace" \
            "$OLDPWD/cut.trace $OLDPWD/no-trace" "$OLDPWD/late.trace" \
            "$OLDPWD/late.trace 006*.zst $OLDPWD/cut.trace"; do
            { tracepipe --tz Asia/Kolkata --screen ${columns}x$rows $files 2>/dev/null || true; } |
                sed 's/\xc2\xb5/u/g' | awk -v columns=$columns -v rows=$rows -v files="$files" '
                    BEGIN { most = rows > 40 ? 40 : rows }
                    length > columns { print columns ", " files ": a line of " length ": " $0 }
                    /^ +$|: *,/ { print columns ", " files ": a line that lacks something: " $0 }
                    END { if (NR >= most || NR < 8) print columns "x" rows ", " files ": " NR " lines" }'
        done
    done
done
for columns in 40 60; do
    echo "= $columns columns"
    tracepipe --screen ${columns}x24 *.zst
    tracepipe --screen ${columns}x50 006*.zst
    tracepipe --screen ${columns}x24 007*.zst
    (cd "$OLDPWD" && tracepipe --screen ${columns}x24 cut.trace no-trace 2>/dev/null) || true
    (cd "$OLDPWD" && tracepipe --screen ${columns}x24 late.trace 2>/dev/null) || true
done
