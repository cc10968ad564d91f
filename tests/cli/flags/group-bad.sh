# A pattern that is not one, or would take memory without a bound, is a usage error before anything is read.
for pattern in 'host-(' '(((a{1,255}){1,255}){1,255})' '(a*)*\1b' 'host-[0-9]+{'; do
    tracepipe --group "$pattern" absent || echo "exit $?"
done
