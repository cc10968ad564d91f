# What garbage collection left to the program is of the whole run, whatever is chosen to be shown.
cd "$DATA"
utilisation() {
    tracepipe --sink "stats:format=json$1" go126-gc-pressure.trace go122-gc.trace |
        sed -n '/^"utilisation":/,/}\]}/p'
}
whole=$(utilisation '')
echo "$whole"
for chosen in by={trace,function,goroutine,task,region,stack} filter={runtime,nothing-like-it} \
    by=goroutine,filter=main; do
    [ "$(utilisation ",$chosen")" = "$whole" ] || echo "$chosen: another"
done
