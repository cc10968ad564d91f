#!/usr/bin/python3
"""Every command that the report prints for a finding runs, and shows the function to blame, or what
the finding was judged by.

    commands.py TRACEPIPE

A shell runs the commands of the first screen, of by=finding and of the JSON, for each recorded
trace of tests/findings/data and for all of them at once, under paths that a shell would change. What
by=finding shows of all of them is the same in another order, and through states.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent / "data"
# On the first screen: of one trace one command for all findings, of several one for each.
COMMAND = re.compile(r"^   (?:\$|worst of \d+:) (tracepipe .*)$", re.MULTILINE)


def run(words, folder, complaints):
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        complaints.append(f"{words}: status {result.returncode}: {result.stderr}")
    return result.stdout


def shell(command, folder, complaints):
    return run(["bash", "-c", command], folder, complaints)


def culprits(report):
    """The last part of the name of each function to blame, by kind: long names are shortened."""
    return [(finding["kind"], finding["culprit"]["function"].rpartition(".")[2])
            for finding in report["findings"]]


def evidence(view, report):
    """What the table of each next command has to show: the value of a kind that was judged by one
    duration, the victim of a kind whose victim is judged, else the function to blame."""
    values = re.findall(r"^\d+\. .*: (?:one (?:run takes|goroutine waits) )?(\S+ \S+?)[ ;]", view,
                        re.MULTILINE)
    for finding, value, (kind, function) in zip(report["findings"], values, culprits(report),
                                                strict=True):
        if kind in ("p_hog", "sched_latency"):
            yield kind, value
        elif kind in ("few_ps", "slow_task"):
            yield kind, finding["victims"][0]["function"].rpartition(".")[2]
        else:
            yield kind, function


def check(paths, folder, complaints):
    """Returns the number of commands that ran."""
    files = [str(path) for path in paths]
    report = json.loads(run(["tracepipe", "--sink", "stats:format=json", *files], folder, complaints))
    blamed = culprits(report)
    commands = [(finding["command"], culprit)
                for finding, culprit in zip(report["findings"], blamed)]
    # The screen leaves some out, the first ones never.
    screen = run(["tracepipe", "--screen", "160x40", *files], folder, complaints)
    shown = COMMAND.findall(screen)
    commands += list(zip(shown * len(blamed) if len(files) == 1 else shown, blamed))
    view = run(["tracepipe", "--sink", "stats:by=finding", *files], folder, complaints)
    nexts = re.findall(r"^   next +(.*)$", view, re.MULTILINE)
    commands += list(zip(nexts, evidence(view, report)))
    if len(nexts) != len(blamed) or not shown and blamed:
        complaints.append(f"{files}: {len(blamed)} findings, {len(shown)} and {len(nexts)} commands")
    for command, (kind, function) in commands:
        if function not in shell(command, folder, complaints):
            complaints.append(f"{kind}: '{command}' does not show {function}")
    return len(commands)


def check_fleet(paths, folder, complaints):
    """What is shown of the findings depends neither on the order of the traces nor on states."""
    view = ["tracepipe", "--sink", "stats:by=finding"]
    whole = run([*view, *paths], folder, complaints)
    if run([*view, *paths[::-1]], folder, complaints) != whole:
        complaints.append("by=finding depends on the order of the traces")
    for name, part in (("a.stats", paths[::2]), ("b.stats", paths[1::2])):
        run(["tracepipe", "--sink", "stats:format=state", "-o", name, *part], folder, complaints)
    if run([*view, "b.stats", "a.stats"], folder, complaints) != whole:
        complaints.append("by=finding depends on states")


def main():
    complaints, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PATH"] = f"{pathlib.Path(sys.argv[1]).resolve().parent}:{os.environ['PATH']}"
        paths = []
        for row in map(json.loads, (DATA / "manifest.jsonl").read_text().splitlines()):
            if row["kind"].startswith("healthy"):
                continue
            paths.append("of $HOME's/" + row["file"] if len(paths) % 2 else row["file"])
            to = pathlib.Path(folder) / paths[-1]
            to.parent.mkdir(exist_ok=True)
            shutil.copy(DATA / row["file"], to)
        for path in paths:
            count += check([path], folder, complaints)
        count += check(paths, folder, complaints)
        check_fleet(paths, folder, complaints)
    print("\n".join([*complaints, f"{count} commands"]))
    sys.exit(bool(complaints) or not count)


main()
