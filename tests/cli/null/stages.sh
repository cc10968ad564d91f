# Figures vary, and rates are missing where a clock did not tick; what is said about
# them does not.
"$SYNTH" --seed 1 --generations 4 --gen-events 100000 >a.trace
for stage in read scan decode; do
    echo "== $stage"
    tracepipe --sink null:until=$stage a.trace |
        sed -E '/^sum/!s/[0-9]+(\.[0-9]+)?/N/g; s/ +/ /g' |
        awk 'NF == 8 && $1 != "stage" { $5 = $6 = $7 = "rate" } 1'
done
