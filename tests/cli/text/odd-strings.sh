# Strings of no bytes, of odd bytes and of great length.
"$SYNTH" --seed 4 --version 25 --generations 1 --gen-events 400 --threads 1 --procs 1 \
    --goroutines 3 --strings 30 --odd-strings 100 --stacks 2 --stack-depth 1 --functions 2 >a.trace
tracepipe --sink text a.trace | grep -a 'data=' | cut -c1-200
