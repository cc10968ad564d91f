# Folders and lists that name no file are an error, so that a script does not take them for sound
# traces; outputs and manifest are made all the same.
mkdir empty empty/below
: >names
tracepipe -r --sink text empty || echo $?
tracepipe -r --manifest run.json --sink stats -o report empty </dev/null || echo $?
grep -o '"exit_status": .' run.json
head -n 1 report
tracepipe -q --files-from names || echo $?
tracepipe -r --files-from names empty --sink list || echo $?
# Several inputs of which none is a trace get a message of their own, as well as one each.
echo a >a
echo b >b
tracepipe --sink text -o out a b missing || echo $?
tracepipe --sink text -o out a || echo $?
# One that is a trace, be it damaged, is enough.
head -c 3000 "$DATA/go126-user.trace" >cut
tracepipe -q --sink text -o out a cut || echo $?
