# A bare header: nothing to count, nothing damaged.
"$SYNTH" --generations 0 --version 22 >bare.trace
tracepipe --sink stats:level=counts bare.trace
