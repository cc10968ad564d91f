# Each operator where the figure is below, at and above the value: 200 checkouts.
for op in '<' '<=' '>' '>=' '=='; do
    for value in 199 200 201; do
        echo "task(checkout).count $op $value"
    done
done >all
tracepipe -o /dev/null --checks all "$DATA/../planted/shop.trace.zst" || echo "exit $?"
# Values are decimal numbers of each unit; the figure is told in the unit of the value.
for value in 84353663ns 84353.664us 84353.664µs 84353.664μs '84.353664 ms' 0.084353665s 84353664.000ns 0; do
    echo "task(checkout).max >= $value"
done >all
tracepipe -o /dev/null --checks all "$DATA/../planted/shop.trace.zst" || echo "exit $?"
