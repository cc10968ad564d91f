# All that is known of each finding: names and paths are wrapped and never cut, whatever the width is;
# only a command is one line, so that it can be pasted.
cd "$DATA/../../findings/data"
for columns in 80 100 160; do
    echo "= $columns columns, without and with colours"
    tracepipe --screen ${columns}x24 --sink stats:by=finding 000*.zst 006*.zst 008*.zst
    tracepipe --screen ${columns}x24 --sink stats:by=finding --color always 012*.zst
    for color in never always; do
        tracepipe --screen ${columns}x24 --color $color --sink stats:by=finding *.zst |
            sed 's/\x1b\[[0-9;]*m//g' | LC_ALL=C.UTF-8 awk -v columns=$columns '
                /^   next / { next }
                length > columns { print columns ": a line of " length " columns" }'
    done
done
echo '= all kinds, and the first of them only'
tracepipe --sink stats:by=finding *.zst
tracepipe --sink stats:by=finding,top=1 000*.zst 004*.zst
echo '= one culprit in two traces'
cp 006*.zst "$OLDPWD/a b.zst"
cp 006*.zst "$OLDPWD/c.zst"
cd "$OLDPWD"
tracepipe --sink stats:by=finding,top=1 *.zst
tracepipe --screen 80x24 *.zst | sed -n 1,8p
mkdir a-folder-with-a-name-that-leaves-no-room-for-a-path
mv *.zst a-*
tracepipe --screen 80x24 a-*/* | sed -n 4,8p
tracepipe --screen 100x24 a-*/* | sed -n 4,8p
echo '= commands of a time window, and of what cannot be read again'
cp "$DATA/../../findings/data"/005*.zst few.zst
commands() { sed -n 's/^   \([$a][ d].*--sink\)/\1/p; s/^   next/next/p'; }
tracepipe --screen 160x24 --from 0s --to 550ms few.zst | commands
tracepipe --screen 160x24 --tz UTC --from '2000-01-01 00:00' few.zst | commands
tracepipe --sink stats:by=finding --to 600ms few.zst | commands
tracepipe --sink stats:format=json --to 550ms few.zst | grep -o '"command":"[^"]*"'
tracepipe --frequency 1000 --salvage generation --screen 160x24 few.zst | commands
tracepipe --screen 160x24 <(cat few.zst) | commands
tracepipe --screen 160x24 <few.zst | commands
tracepipe --sink stats:format=json <few.zst | grep -o '"command":[^,]*'
tracepipe --sink stats:by=finding <few.zst | commands
tracepipe --sink stats:by=task,top=1 <"$DATA/go126-user.trace" | sed -n 's/^ *\([$a][ d].*--sink\)/\1/p'
cp "$DATA/go126-user.trace" user.trace
tracepipe --salvage generation --to 1s --sink stats:by=task,top=1 user.trace | sed -n 's/^ *\([$] .*--sink\)/\1/p'
tracepipe --salvage generation --to 1s --sink stats:format=json user.trace |
    sed -n '/"slowest_tasks"/,/^]/p' | grep -o '"command":"[^"]*"' | sed -n 1p
echo '= nothing'
tracepipe --sink stats:by=finding "$DATA/../../findings/data"/007*.zst
