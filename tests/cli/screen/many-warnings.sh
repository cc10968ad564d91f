# Nobody is flooded by warnings of a damaged folder: of each kind those of ten inputs, and how many
# inputs more. With -v there are all; what was lost is in the sums either way.
export TERM=xterm
on=$DATA/../../cli/on-terminal.py
mkdir folder
for n in $(seq 100 130); do
    head -c 9000 "$DATA/go126-gens.trace" >folder/$n.trace
done
flags=(--no-progress --no-pager --color never -r folder)
python3 "$on" 100x24 tracepipe "${flags[@]}" >shown || echo "status $?"
sed -n '/^tracepipe: warning/!d; s/[0-9]* bytes.*//; p' shown | sed -n '1p; 30,$p'
sed -n '/^[0-9]* traces,/,/^$/p' shown
for verbose in -v -vl; do
    python3 "$on" 100x24 tracepipe $verbose "${flags[@]}" | grep -c "^tracepipe: warning" || true
done
tracepipe --no-progress -r folder 2>&1 >/dev/null | grep -c "^tracepipe: warning" || true
