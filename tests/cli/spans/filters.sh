# Filters: all of them must agree with a row.
cp "$DATA/go126-held-lock.trace" .
count() {
    echo "$1: $(tracepipe --sink "spans:$1" go126-held-lock.trace | tail -n +2 | wc -l)"
}
for state in all running runnable waiting syscall; do
    count state=$state
done
count goroutine=1
count goroutine=1,state=waiting
count goroutine=0
count longer=0s
count longer=40ms
count longer=100ms,state=waiting
count function=main.main
count function=each,longer=1ms
cp "$DATA/go126-user.trace" .
tracepipe --sink spans:task=1 go126-user.trace | cut -d, -f1-6,8,10-
