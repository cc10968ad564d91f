# The commands below the slowest tasks and regions, as printed: each shows the events of one, from the first
# to the last.
cp "$DATA/go126-user.trace" .
for by in task region; do
    tracepipe --sink stats:by=$by,top=3 go126-user.trace | sed -n 's/^ *\$ //p' >commands
    while read -r command; do
        echo "${command#tracepipe }"
        $command | grep -oE '(Task|Region)(Begin|End) .*' | sed -E 's/ (Stack|Type)=.*//' | sed -n '1p;$p'
    done <commands
done
