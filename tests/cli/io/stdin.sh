# "-" and no input at all mean standard input.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >wanted
tracepipe --sink text - <a.trace | cmp - wanted
tracepipe --sink text <a.trace | cmp - wanted
cat a.trace | tracepipe --sink text - | cmp - wanted
