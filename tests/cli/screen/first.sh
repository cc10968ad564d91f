# The first screen: never wider or longer than the screen, whatever the traces are; the findings first.
cd "$DATA/../../findings/data"
for size in 80x24 100x30 160x40 100x60; do
    for color in never always; do
        for files in 006*.zst 007*.zst '*.zst' "$DATA/go126-held-lock.trace" \
            "$DATA/go*.trace" "$DATA/go126-gens.trace"; do
            tracepipe --screen $size --color $color $files 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g; s/µ/u/g' |
                LC_ALL=C.UTF-8 awk -v size=$size -v files="$files" '
                    BEGIN { split(size, of, "x"); if (of[2] > 40) of[2] = 40 }
                    length > of[1] { print size ", " files ": a line of " length " columns" }
                    END { if (NR >= of[2] || NR < 10) print size ", " files ": " NR " lines" }'
        done
    done
done
for size in 80x24 100x30 160x40; do
    echo "= $size"
    tracepipe --screen $size *.zst
done
echo '= one trace in all widths, without and with colours'
for columns in 80 100 160; do
    tracepipe --screen ${columns}x24 006*.zst
    tracepipe --screen ${columns}x24 --color always 006*.zst
done
echo '= the bundled traces'
(cd "$DATA" && tracepipe --screen 100x40 go*.trace)
echo '= healthy, short, and cut'
tracepipe --screen 100x24 007*.zst
tracepipe --screen 100x24 "$DATA/go126-gens.trace" | sed -n 1,5p
tracepipe --screen 100x24 00[23]*.zst 007*.zst | sed -n 1,5p
tracepipe --screen 80x24 "$SYNTH" 2>/dev/null || true
echo '= in this folder, with many faults'
{ tracepipe --screen 80x24 -r . 2>&1 || true; } | sed -n 1,7p
echo '= a folder and times that are too long for the screen'
folder=$OLDPWD/$(printf 'a-very-long-name-of-a-folder-%s/' 1 2 3 4)
mkdir -p "$folder"
cp 002*.zst 006*.zst "$folder"
(cd "$OLDPWD" && tracepipe --tz Asia/Kolkata --screen 80x24 a-*/*/*/*/* | sed -n 1,5p)
zstd -dc 013*.zst | head -c 20000 | tracepipe --screen 100x24 2>&1 | sed -n 1,6p || true
