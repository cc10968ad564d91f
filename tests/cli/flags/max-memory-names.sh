# Names of inputs count; with the bound that is said to be enough the run begins.
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "missing-%0200d\n", i }' >list
tracepipe --max-memory 24M --sink stats -o report --files-from list || echo $?
ls
tracepipe --max-memory 41M --sink stats -o report --files-from list 2>messages || echo $?
wc -l <messages
