# Events of goroutines by start function: a regular expression, in which names stand for themselves.
cp "$DATA/go126-held-lock.trace" "$DATA/go125-http.trace" "$DATA/v1/go121-cpu.trace" .
count() {
    echo "$1 $2: $(tracepipe --sink "events:function=$2" "$1" | grep -c ^M=)"
}
for pattern in main.main '^main\.main$' 'main.main.func1' 'main\.(main|nobody)$' 'each' 'main.[a-z]+.func' '^$' nobody; do
    count go126-held-lock.trace "$pattern" || true
done
tracepipe --sink stats:by=function,format=csv go125-http.trace | grep '^goroutine' | cut -d, -f2 | sort -u
for pattern in 'net/http.(*conn).serve' '^net/http.(*conn).serve$' '(*' 'net/http\.\(\*[a-z]' 'serve|Loop' '[[:upper:]][...]'; do
    count go125-http.trace "$pattern" || true
done
count go121-cpu.trace main.main
