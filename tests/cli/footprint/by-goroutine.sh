# Who filled the trace. The sums are all bytes of the trace; those of events are what the table by type has
# of events with a time. Of traces from before Go 1.22 some of these have no form in later ones.
cp "$DATA"/*.trace .
cp "$DATA"/v1/*.trace .
framing='^(String|Strings|Stack|Stacks|EventBatch|Frequency|Sync|ClockSnapshot|EndOfGeneration|ExperimentalBatch|CPUSamples|Batch|TimerGoroutine)$'
for name in *.trace; do
    by_type=$(tracepipe -q --sink footprint "$name" |
        awk -v "framing=$framing" 'NR > 2 && $1 !~ framing { bytes += $(NF - 3); count += $(NF - 1) }
                                   END { print count, bytes }')
    for by in function goroutine; do
        tracepipe -q --sink footprint:by=$by,format=csv,top=100000 "$name" |
            awk -F , -v "by_type=$by_type" -v "by=$by" -v "file_bytes=$(stat -c %s "$name")" '
                $1 == by { rows += $NF; row_events += $5 }
                $1 ~ /^(program|runtime)$/ { goroutines += $NF; goroutine_events += $5 }
                $1 ~ /^(program|runtime|none)$/ { events += $5; bytes += $NF }
                $1 ~ /^(tables|unread)$/ { rest += $NF }
                $1 == "total" { total_events = $5; total = $NF }
                END {
                    if (rows != goroutines || row_events != goroutine_events || total_events != events ||
                        bytes + rest != total || total != file_bytes)
                        print "the sums differ"
                    if (by_type != events " " bytes)
                        print by_type, "by type, of goroutines", events, bytes
                }' | sed "s/^/$name: /"
    done
done
# Counted once more, by the lines of the events.
tracepipe --sink events go126-gens.trace | awk '
    /^M=/ && !/ Sync / {
        g = $3
        if (g == "G=-1" && match($0, /GoID=[0-9]+/))
            g = "G=" substr($0, RSTART + 5, RLENGTH - 5)
        count[g]++
    }
    END { for (g in count) print substr(g, 3) "," count[g] }' | sort >counted
tracepipe --sink footprint:by=goroutine,format=csv,top=1000 go126-gens.trace |
    awk -F , '$1 == "goroutine" { print $3 "," $5 } $1 == "none" { print "-1," $5 }' | sort | diff counted -
# The forms; what was lost and what is outside the window is not read.
tracepipe --sink footprint:by=function go126-gens.trace
tracepipe --sink footprint:by=goroutine,top=2 --from 11ms --to 12ms go126-gens.trace
tracepipe --sink footprint:by=function,format=jsonl,top=1 go121-cpu.trace
head -c 9000 go126-gens.trace >cut.trace
tracepipe -q --sink footprint:by=function,top=1 cut.trace || echo $?
tracepipe --sink footprint:top=3 go126-gens.trace || echo $?
tracepipe --sink footprint:format=csv go126-gens.trace || echo $?
