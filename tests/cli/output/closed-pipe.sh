# A reader that goes away ends the program by SIGPIPE, without a word.
"$SYNTH" --seed 1 --generations 4 --gen-events 20000 >big.trace
tracepipe --sink text big.trace | head -c 1 >/dev/null || echo $?
ls -A
