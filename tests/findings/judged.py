#!/usr/bin/python3
"""Every planted fault is the first finding of its trace, and healthy traces have none.

    judged.py TRACEPIPE [FOLDER [KIND...]]

FOLDER has the traces and manifest.jsonl of tools/faulty-fleet; default: tests/findings/data, of
which the findings of the whole fleet are compared as well: in two orders, and through states.
KIND: only traces with these faults, and healthy ones. Prints a line for each trace that is not as
it must be, then how many faults were found, how many findings are false, how many name another
function than the planted one. Status 1 if there is any line.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent / "data"
# Kinds that are judged so far. Traces of other kinds must have no finding of these.
JUDGED = ("lock", "gc", "syscall", "few_ps", "leak", "p_hog", "sched_latency", "channel",
          "stop_the_world", "slow_task")


def report_of(tracepipe, paths, *options):
    command = [tracepipe, "--sink", ",".join(("stats:format=json", *options)), *map(str, paths)]
    run = subprocess.run(command, capture_output=True)
    if run.returncode != 0:
        sys.exit(f"{paths}: status {run.returncode}: {run.stderr.decode()}")
    report = json.loads(run.stdout)
    return {key: report[key] for key in ("findings", "analysed_count", "not_analysed", "closest")}


class Result:
    def __init__(self):
        self.lines = []
        self.found = self.faults = self.false = self.wrong = self.healthy = 0

    def complain(self, row, words):
        self.lines.append(f"{row['file']} {row['kind']}-{row['variant']}: {words}")

    def check(self, row, report):
        kinds = [finding["kind"] for finding in report["findings"]]
        if not report["analysed_count"]:
            self.complain(row, f"not analysed: {report['not_analysed']}")
        planted = row["kind"] if row["kind"] in JUDGED else None
        self.healthy += row["kind"].startswith("healthy")
        others = [kind for kind in kinds if kind != row["kind"]]
        if others:
            self.false += len(others)
            self.complain(row, f"false: {others}")
        if planted is None:
            return
        self.faults += 1
        if kinds[:1] != [planted]:
            self.complain(row, f"found {kinds or 'nothing'}, closest {report['closest']}")
            return
        self.found += 1
        culprit = (report["findings"][0]["culprit"] or {}).get("function")
        # Whoever delays a stop is to blame, not the goroutine at which the collector began.
        wanted = (row["expected"].get("blocker") or row["expected"]["culprit"])["function"]
        if culprit != wanted:
            self.wrong += 1
            self.complain(row, f"blames {culprit}, not {wanted}")


def check_fleet(tracepipe, paths, result):
    """Findings of all traces at once depend neither on their order nor on states."""
    whole = report_of(tracepipe, paths)
    if report_of(tracepipe, paths[::-1]) != whole:
        result.lines.append("the findings of the fleet depend on the order")
    with tempfile.TemporaryDirectory() as folder:
        states = []
        for i, part in enumerate((paths[::2], paths[1::2])):
            states.append(pathlib.Path(folder) / f"{i}.stats")
            with states[-1].open("wb") as out:
                subprocess.run([tracepipe, "--sink", "stats:format=state", *map(str, part)],
                               stdout=out, check=True)
        if report_of(tracepipe, states[::-1]) != whole:
            result.lines.append("the findings of the fleet depend on states")


def main():
    tracepipe = sys.argv[1]
    data = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else DATA
    kinds = sys.argv[3:]
    rows = [json.loads(line) for line in (data / "manifest.jsonl").read_text().splitlines()]
    rows = [row for row in rows
            if not kinds or row["kind"] in kinds or row["kind"].startswith("healthy")]
    result = Result()
    for row in rows:
        result.check(row, report_of(tracepipe, [data / row["file"]]))
    if data == DATA:
        check_fleet(tracepipe, [data / row["file"] for row in rows], result)
    print("\n".join([*result.lines,
                     f"{len(rows)} traces, {result.healthy} healthy: {result.found} of"
                     f" {result.faults} faults found, {result.false} false findings,"
                     f" {result.wrong} wrong culprits"]))
    sys.exit(bool(result.lines) or not rows)


main()
