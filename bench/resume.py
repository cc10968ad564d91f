#!/usr/bin/python3
"""resume.py PROGRAM TRACES [KILLS]: files that are read again after a kill, by tracepipe --resume and by
GNU parallel --resume-failed with one tracepipe for each file, in one run, killed at random moments.

200 files are re-encoded with two jobs at a time. A file that was begun when the kill came must be read
again by both; parallel has two such files, tracepipe as many as are in flight.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

INPUTS = 200


def run(command, folder, kill_after):
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(timeout=kill_after)
        return True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


def measure(name, command, again_of, folder, kills):
    killed = again = 0
    rounds, begin = 1, time.monotonic()
    (folder / "undisturbed" / "out").mkdir(parents=True)
    run(command, folder / "undisturbed", None)
    usual = time.monotonic() - begin
    shutil.rmtree(folder / "undisturbed")
    while killed < kills:
        work = folder / f"{name.split()[0]}-{rounds}"
        (work / "out").mkdir(parents=True)
        while not run(command, work, random.uniform(0, usual)):
            killed += 1
            again += again_of(work, True)
        again += again_of(work, False)
        made = len(list((work / "out").glob("*.zst")))
        assert made == INPUTS, (name, made)
        shutil.rmtree(work)
        rounds += 1
    print(f"{name}: {killed} kills in {rounds} rounds, {again} files read again, "
          f"{again / killed:.1f} for each kill, {usual:.1f} s undisturbed")


def again_by_parallel(work, is_killed):
    """All runs of a program beyond the first for each file, which are known at the end."""
    return 0 if is_killed else len((work / "begun").read_text().split()) - INPUTS


def again_by_tracepipe(work, is_killed):
    """Files that were begun, and whose output has no name: it has a temporary one."""
    return len(list((work / "out").glob(".*.tmp"))) if is_killed else 0


def main():
    program, traces = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        inputs = folder / "in"
        inputs.mkdir()
        found = sorted(traces.glob("*.trace"))
        for i in range(INPUTS):
            shutil.copy(found[i % len(found)], inputs / f"{i:03}.trace")
        names = sorted(str(path) for path in inputs.iterdir())
        one = folder / "one"
        one.write_text(f"#!/bin/sh\necho x >>begun\nexec {program} -f -q --sink zstd -o out/${{1##*/}}.zst $1\n")
        one.chmod(0o755)
        measure("parallel --resume-failed",
                ["parallel", "-j2", "--joblog", "log", "--resume-failed", str(one), ":::", *names],
                again_by_parallel, folder, kills)
        measure("tracepipe --resume", [program, "-q", "-j2", "--resume", "record", "--sink", "zstd", "-o",
                                       "out", *names], again_by_tracepipe, folder, kills)


main()
