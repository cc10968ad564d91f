#!/usr/bin/python3
"""resume.py PROGRAM TRACES [KILLS]: kills runs with --resume at random moments, and resumes them.

200 files are re-encoded, and their statistics made, until the runs were killed KILLS times (half as
often for statistics). Whatever the moment: the outputs are those of an undisturbed run, a record has
only outputs that exist with its digests, no input is recorded twice, no temporary file is left, and
the record of the end says what that of an undisturbed run says.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

INPUTS = 200
JOBS = {
    "zstd": ["--sink", "zstd", "-o", "out", "--sink", "text", "-o", "text"],
    "stats": ["--sink", "stats:format=json", "-o", "stats.json", "--sink", "stats:format=state",
              "-o", "all.state"],
    "both": ["--sink", "zstd", "-o", "out", "--sink", "stats:format=json", "-o", "stats.json"],
}


def make_inputs(folder, traces):
    found = sorted(traces.glob("*.trace"))
    for i in range(INPUTS):
        source = found[i % len(found)]
        shutil.copy(source, folder / f"{i:03}-{source.name}")
    # One that is damaged, one that is no trace, and one whose name is not UTF-8.
    damaged = sorted(folder.iterdir())[7]
    damaged.write_bytes(damaged.read_bytes()[:5000])
    (folder / "zz-text").write_text("no trace\n")
    shutil.copy(found[0], os.fsencode(folder / "name-") + b"\xff\n.trace")


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith("record")}


def lines_of(record):
    text = record.read_bytes() if record.exists() else b""
    whole = text[:text.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()]


def path_of(entry):
    return entry["path"].encode("utf-8", "surrogateescape")


def check_done(folder, reference):
    """Whether each output that the record has as done is there, as an undisturbed run makes it."""
    for line in lines_of(folder / "record"):
        if line["kind"] != "done" or "input" not in line:
            continue
        for output in line["input"]["outputs"]:
            if "xxh3_128" not in output:
                continue
            path = os.fsdecode(path_of(output))
            assert (folder / path).read_bytes() == (reference / path).read_bytes(), path


def end_of(folder):
    """What the record says in the end, without what depends on time."""
    said = {}
    for line in lines_of(folder / "record"):
        if line["kind"] == "done" and "input" in line:
            said[path_of(line["input"])] = line["input"]
    return said


def run(program, folder, inputs, job, kill_after=None):
    command = [program, "-q", "--resume", "record", "--manifest", "manifest.json", *JOBS[job], "-r",
               inputs]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        _, said = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    assert process.returncode == 1, (process.returncode, said)  # an input is damaged
    return process.returncode


def check_end(program, folder, reference, job):
    verified = subprocess.run([program, "--verify", "record"], cwd=folder, capture_output=True)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, b"", b""), verified
    made, wanted = files_of(folder), files_of(reference)
    assert made.keys() == wanted.keys(), made.keys() ^ wanted.keys()
    for path, content in wanted.items():
        assert made[path] == content, (job, path, "differs from that of an undisturbed run")
    assert end_of(folder) == end_of(reference), "the record says something else"
    states = sorted(p.name.split(".")[1] for p in folder.glob("record.*"))
    assert len(states) == (0 if job == "zstd" else 1), states


def stress(program, inputs, work, job, kills):
    reference = work / f"{job}-undisturbed"
    reference.mkdir()
    begin = time.monotonic()
    run(program, reference, inputs, job)
    usual = time.monotonic() - begin
    killed = cycles = redone = 0
    while killed < kills:
        folder = work / f"{job}-{cycles}"
        folder.mkdir()
        while run(program, folder, inputs, job, random.uniform(0, usual)) is None:
            killed += 1
            check_done(folder, reference)
        check_end(program, folder, reference, job)
        done = [path_of(line["input"]) for line in lines_of(folder / "record")
                if line["kind"] == "done" and "input" in line
                and line["input"]["status"] in ("complete", "damaged")]
        assert len(done) == len(set(done)), "an input was recorded twice"
        redone += sum(line["attempt"] > 1 for line in lines_of(folder / "record")
                      if line["kind"] == "done" and "input" in line
                      and line["input"]["status"] in ("complete", "damaged"))
        shutil.rmtree(folder)
        cycles += 1
    print(f"{job}: {killed} kills in {cycles} rounds of {INPUTS + 2} inputs, "
          f"{redone} inputs begun again, {usual:.2f} s undisturbed")


def main():
    program, traces = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else int(os.environ.get("TRACEPIPE_KILLS", 24))
    seed = int(os.environ.get("TRACEPIPE_SEED", time.time_ns()))
    print(f"TRACEPIPE_SEED={seed}")
    random.seed(seed)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        inputs = work / "in"
        inputs.mkdir()
        make_inputs(inputs, traces)
        stress(program, inputs, work, "zstd", kills)
        stress(program, inputs, work, "stats", kills // 3)
        stress(program, inputs, work, "both", kills // 3)


main()
