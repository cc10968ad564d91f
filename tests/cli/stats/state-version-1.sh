# States of version 1, as the program of that time wrote them: they say what they said, and
# become states of today's version that say the same.
full() { tracepipe --sink "stats:level=full,format=$1" "${@:2}"; }
cp "$DATA"/../states/v1-*.tpstats .
full csv v1-user.tpstats
full text,top=3 v1-gc.tpstats
full text,top=3 v1-old.tpstats
for form in text,top=0 csv json folded; do
    full $form v1-user.tpstats v1-gc.tpstats v1-old.tpstats >all.$form
    [ $form = json ] || cksum <all.$form
done
full state -o user.now v1-user.tpstats
full state v1-old.tpstats v1-gc.tpstats | full state -o all.now user.now -
for form in text,top=0 csv json folded; do
    full $form all.now | cmp - all.$form
done
# Written again they are the same.
full state all.now | cmp - all.now
