# A state of version 3, as the program of that time wrote it: it says what it said, and becomes one
# of today's version that says the same. Its slowest tasks have no log lines.
full() { tracepipe --sink "stats:level=full,format=$1" "${@:2}"; }
cp "$DATA"/../states/v3-user.tpstats .
full text,by=task,top=2 v3-user.tpstats
full state -o now v3-user.tpstats
for form in text,top=0 csv json folded; do
    full $form v3-user.tpstats >then.$form
    full $form now | cmp - then.$form
done
full state now | cmp - now
