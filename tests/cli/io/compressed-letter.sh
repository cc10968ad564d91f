# A compressed file that holds no trace.
echo "a letter" | gzip -n >letter.gz
tracepipe --sink text letter.gz
