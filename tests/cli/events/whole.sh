# Every kind of line, on a trace small enough to be read.
"$SYNTH" --seed 3 --version 26 --generations 2 --gen-events 60 --threads 2 --procs 2 \
    --goroutines 4 --strings 4 --stacks 4 --stack-depth 3 --functions 6 --samples 100 >a.trace
tracepipe -q --sink events a.trace
