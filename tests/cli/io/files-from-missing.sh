# A list that cannot be read, and a name in a list that cannot.
tracepipe --files-from no-list || echo "no list: $?"
echo no-file.trace >list
tracepipe --files-from list || echo "no file: $?"
