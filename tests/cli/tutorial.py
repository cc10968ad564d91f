#!/usr/bin/env python3
"""Runs the commands of tracepipe-tutorial(7), and looks for the lines that the page shows of their output.

  tutorial.py TRACEPIPE PAGE TRACES
"""
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUNDLED = {"cache": "go126-held-lock", "gc": "go126-gc-pressure", "rounds": "go126-alloc-gens",
           "before": "go126-held-lock", "after": "go126-few-ps"}
HOSTS = ("go126-held-lock", "go126-slow-syscalls", "go126-few-ps", "go126-user")
FLEET = {"006-lock": ("11", "12"), "009-leak": ("13",),
         "016-healthy-idle": tuple(f"{n:02}" for n in range(1, 11))}
SECTIONS = 13


def set_up(folder, traces):
    """Makes the traces under the names that the page uses."""
    for planted in (traces.parent / "planted").glob("*.zst"):
        subprocess.run(["zstd", "-dq", planted, "-o", folder / planted.stem], check=True)
    for name, of in BUNDLED.items():
        shutil.copy(traces / f"{of}.trace", folder / f"{name}.trace")
    (folder / "hosts").mkdir()
    for of in HOSTS:
        shutil.copy(traces / f"{of}.trace", folder / "hosts")
    for of, hosts in FLEET.items():
        for host in hosts:
            into = folder / "fleet" / f"host-{host}"
            into.mkdir(parents=True)
            recorded = traces.parent.parent / "findings" / "data" / f"{of}.trace.zst"
            subprocess.run(["zstd", "-dq", recorded, "-o", into / "night.trace"], check=True)


def joined(text):
    return " ".join(text.split())


def main(tracepipe, page, traces):
    failures = 0
    sections = re.split(r"^\.Ss ", Path(page).read_text().split(".Sh SEE ALSO")[0], flags=re.M)[1:]
    assert len(sections) == SECTIONS, sections
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        set_up(folder, Path(traces))
        for section in sections:
            title = section.splitlines()[0]
            output = ""
            commands = re.findall(r"^\.Dl tracepipe (.*)$", section, flags=re.M)
            assert commands, title
            for command in commands:
                words = shlex.split(command)
                # The page shows the first screen, which is for terminals.
                screen = [] if any(w.startswith("--") for w in words) else ["--screen", "100x30"]
                run = subprocess.run([tracepipe, *screen, *words], cwd=folder, capture_output=True, text=True)
                output += joined(run.stdout) + "\n"
                if run.returncode != 0 or (run.stdout == "" and "-o" not in words):
                    print(f"{title}: {command}: status {run.returncode}\n{run.stderr}")
                    failures += 1
            for block in re.findall(r"^\.Bd [^\n]*\n(.*?)^\.Ed$", section, flags=re.M | re.S):
                for line in block.splitlines():
                    if joined(line) not in output:
                        print(f"{title}: no output has '{line}'")
                        failures += 1
    return failures > 0


sys.exit(main(*sys.argv[1:]))
