# Since 1.26 the end of a generation has a mark. Without it no byte is lost.
# More places than are told one by one.
"$SYNTH" --seed 11 --version 26 --generations 20 --gen-events 50 --omit-end-marks 1 >many.trace
{ tracepipe --sink text many.trace 2>&1 >/dev/null || true; } | tail -n 1
"$SYNTH" --seed 11 --version 26 --omit-end-marks 1 >marks.trace
tracepipe --sink text marks.trace >/dev/null
