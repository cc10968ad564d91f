# JUnit XML, workflow commands and text; -q shows what failed only. Standard output stays that of the sink.
shop=$DATA/../planted/shop.trace.zst
set -- --check 'task(checkout).p99 < 20ms' --check 'gc.share < 50%' --check 'task(a<"b">&).p99 < 1ms' \
    --check $'task(\xff\n\x1b[31m).count == 0 or none'
tracepipe --junit report.xml --json "$@" "$shop" >report.json || echo "exit $?"
cat report.xml
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' report.xml
python3 -m json.tool report.json >/dev/null
# It is an output like others: one that exists is replaced with -f only.
tracepipe --junit report.xml --check 'gc.share < 50%' "$shop" || echo "exit $?"
tracepipe --junit report.xml -f -o /dev/null --check 'gc.share < 50%' "$shop"
grep -c testcase report.xml
tracepipe --junit other.xml "$shop" || echo "exit $?"
ls
echo --- >&2
tracepipe --check-format=github -o /dev/null "$@" "$shop" || echo "exit $?"
echo --- >&2
tracepipe -q -o /dev/null "$@" "$shop" || echo "exit $?"
tracepipe -q -o /dev/null --check 'gc.share < 50%' "$shop"
tracepipe --check-format=xml --check 'gc.share < 50%' "$shop" || echo "exit $?"
