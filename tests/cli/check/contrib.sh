# The commands of contrib/ci, as far as they need no service and no runner.
ci=$DATA/../../../contrib/ci
mkdir -p .github etc traces/today
cp "$ci/tracepipe.checks" .github
cp "$ci/tracepipe.checks" etc
cp "$DATA/../planted/shop.trace.zst" service.trace
cp service.trace traces/today
awk '/^- name: Check the trace/ { inside = 1; next } /^- / { inside = 0 } inside && !/run:/ { print }' \
    "$ci/github-action.yml" >step.sh
grep -c tracepipe step.sh
bash -e step.sh || echo "exit $?"
echo 'findings.slow_task == 0' | tee -a .github/tracepipe.checks >>etc/tracepipe.checks
bash -e step.sh || echo "exit $?"
head -n 1 tracepipe.txt
grep -c '<failure' tracepipe.xml
grep -v '^#' "$ci/crontab" | sed "s:/var/lib:$PWD:; s:/etc:$PWD/etc:" | cut -d ' ' -f 6- >line.sh
grep -c tracepipe line.sh
echo cron >&2
sh line.sh || echo "exit $?"
cp "$ci/tracepipe.checks" etc
sh line.sh
wc -l <traces/known.jsonl
