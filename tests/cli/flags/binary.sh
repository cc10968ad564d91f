# What is no program with symbols is told before anything is read.
"${SYNTH%/*}/go-program" --bare >bare
mkdir folder
echo text >text
: >empty
mkfifo fifo
for file in none folder text empty fifo bare; do
    tracepipe --binary $file --sink raw -o never "$DATA/hand.trace" || echo $?
done
ls
"${SYNTH%/*}/go-program" >program
# A trace that is damaged is no fault of the program.
printf 'go 1.5 trace\0\0\0\0\177' >damaged
tracepipe --binary program --sink events damaged || echo $?
# The last one counts, and none is none.
tracepipe --binary folder --binary program --sink raw "$DATA/hand.trace" | cmp - "$DATA/hand.trace"
tracepipe --binary folder --binary '' --sink raw "$DATA/hand.trace" | cmp - "$DATA/hand.trace"
