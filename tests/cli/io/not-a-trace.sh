echo "This is a letter, not a trace." >letter.txt
tracepipe --sink text letter.txt
