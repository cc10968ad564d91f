# The buckets of histograms in JSON: each has its durations, all of them together every one.
cd "$DATA"
full() { tracepipe -q --sink "stats:$1" "${@:2}"; }
full format=json,histograms=yes go126-user.trace >"$OLDPWD/with"
full format=json go126-user.trace >"$OLDPWD/without"
full format=state -o "$OLDPWD/state" go126-user.trace
cd "$OLDPWD"
full format=json,histograms=yes state | cmp - with
python3 - <<'PYTHON'
import json
checked = 0
def check(value):
    """Removes the buckets, after a comparison with the figures beside them."""
    global checked
    if isinstance(value, list):
        for item in value:
            check(item)
    if not isinstance(value, dict):
        return
    buckets = value.pop("buckets", None) if "p50_ns" in value else None
    if buckets is not None:
        checked += 1
        # Log messages have a count, but no durations.
        assert sum(b["count"] for b in buckets) == value["count"] or value["total_ns"] == 0
        assert all(a["to_ns"] < b["from_ns"] for a, b in zip(buckets, buckets[1:]))
        assert not buckets or buckets[-1]["from_ns"] <= value["max_ns"] <= buckets[-1]["to_ns"]
        assert sum(b["count"] * b["from_ns"] for b in buckets) <= value["total_ns"]
        assert sum(b["count"] * b["to_ns"] for b in buckets) >= value["total_ns"]
    for item in value.values():
        check(item)
with_buckets = json.load(open("with"))
print(with_buckets["tasks"][0])
check(with_buckets)
assert checked > 10
assert with_buckets == json.load(open("without"))
PYTHON
for options in text csv folded auto json,level=counts; do
    tracepipe --sink stats:histograms=yes,format=$options state || echo $?
done
