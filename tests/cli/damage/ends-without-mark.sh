# Since 1.26 the end of a generation has a mark.
"$SYNTH" --seed 11 --version 26 --omit-end-marks 1 >marks.trace
tracepipe --sink text marks.trace >/dev/null
