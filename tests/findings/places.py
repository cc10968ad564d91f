#!/usr/bin/python3
"""Every place where a fault was planted is in the stacks of its trace.

    places.py TRACEPIPE

The traces and their manifest are those of tools/faulty-fleet (tests/findings/data). A place is a
function, and in the stacks of its file a line between its first and its last one. A trace without
its place could not blame it, whatever a finding computes. Healthy traces are read as well.
"""
import json
import pathlib
import re
import subprocess
import sys

DATA = pathlib.Path(__file__).parent / "data"
FRAME = re.compile(r"^\t(\S.*) @ 0x[0-9a-f]+\n\t\t(.*):(\d+)$", re.MULTILINE)


def frames_of(tracepipe, path):
    """Returns {function: {(file, line)}} of all stacks."""
    run = subprocess.run([tracepipe, "--sink", "events", path], capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"{path.name}: status {run.returncode}: {run.stderr}")
    frames = {}
    for function, file, line in FRAME.findall(run.stdout):
        frames.setdefault(function, set()).add((file, int(line)))
    return frames


def is_there(place, frames):
    return any(file == place["file"] and place["first_line"] <= line <= place["last_line"]
               for file, line in frames.get(place["function"], ()))


def main():
    missing, count = [], 0
    for row in map(json.loads, (DATA / "manifest.jsonl").read_text().splitlines()):
        frames = frames_of(sys.argv[1], DATA / row["file"])
        for role, place in row["expected"].items():
            count += 1
            if not is_there(place, frames):
                missing.append(f"{row['file']}: {role} {place['function']}")
    print("\n".join(missing + [f"{count} places, {len(missing)} missing"]))
    sys.exit(bool(missing) or count < 15)


main()
