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


def run_bytes(words):
    return subprocess.run(words, check=True, capture_output=True).stdout


def shell(command, folder, complaints):
    return run(["bash", "-c", command], folder, complaints)


def culprits(report):
    """The last part of the name of each function to blame, by kind: long names are shortened."""
    return [(finding["kind"], finding["culprit"]["function"].rpartition(".")[2])
            for finding in report["findings"]]


def evidence(view, report):
    """What the table of each next command has to show, any of: the value of a kind that was judged by
    one duration, the victims of a kind whose victims are judged, else the function to blame."""
    values = re.findall(r"^\d+\. .*: (?:one run of )?(\S+ \S+?)[ ;]", view,
                        re.MULTILINE)
    for finding, value, (kind, function) in zip(report["findings"], values, culprits(report),
                                                strict=True):
        if kind in ("p_hog", "sched_latency"):
            yield kind, [value]
        elif kind in ("few_ps", "slow_task"):
            yield kind, [victim["function"].rpartition(".")[2] for victim in finding["victims"]]
        else:
            yield kind, [function]


def tables(command, folder, complaints):
    """What a command shows, without the lines that tell by what it filters."""
    shown = shell(command, folder, complaints).splitlines()
    return "\n".join(line for line in shown
                     if not line.startswith(("  only what has ", "no name has ")))


def check(paths, folder, complaints):
    """Returns the number of commands that ran."""
    files = [str(path) for path in paths]
    report = json.loads(run(["tracepipe", "--sink", "stats:format=json", *files], folder, complaints))
    blamed = culprits(report)
    wanted = [(kind, [function]) for kind, function in blamed]
    commands = [(finding["command"], names)
                for finding, names in zip(report["findings"], wanted)]
    # The screen leaves some out, the first ones never.
    screen = run(["tracepipe", "--screen", "160x40", *files], folder, complaints)
    shown = COMMAND.findall(screen)
    commands += list(zip(shown * len(blamed) if len(files) == 1 else shown, wanted))
    view = run(["tracepipe", "--sink", "stats:by=finding", *files], folder, complaints)
    nexts = re.findall(r"^   next +(.*)$", view, re.MULTILINE)
    commands += list(zip(nexts, evidence(view, report)))
    if len(nexts) != len(blamed) or not shown and blamed:
        complaints.append(f"{files}: {len(blamed)} findings, {len(shown)} and {len(nexts)} commands")
    for command, (kind, names) in commands:
        text = tables(command, folder, complaints)
        if not any(name in text for name in names):
            complaints.append(f"{kind}: '{command}' shows none of {names}")
    return len(commands)


def check_victims(folder, complaints):
    """Two traces with one culprit and other victims: the command has those of the trace it reads."""
    count = 0
    for name, victim in (("001-slow_task", b"policy-customer"), ("005-few_ps", b"makeOrder")):
        trace = run_bytes(["zstd", "-dcq", str(DATA / f"{name}.trace.zst")])
        for prefix in (b"a", b"z"):
            pair = [f"{name}-0.trace", f"{name}-1.trace"]
            other = trace.replace(victim, prefix + victim[1:])
            for path, content in zip(pair, (trace, other)):
                (pathlib.Path(folder) / path).write_bytes(content)
            count += check(pair, folder, complaints) + check(pair[::-1], folder, complaints)
    return count


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
        count += check_victims(folder, complaints)
        check_fleet(paths, folder, complaints)
    print("\n".join([*complaints, f"{count} commands"]))
    sys.exit(bool(complaints) or not count)


main()
