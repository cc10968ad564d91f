#!/usr/bin/python3
"""calls.py PROGRAM FAIL_CALL.so TRACES: lets each call to the system fail, one after the other, in whole
runs, and looks whether what is left is right.

calls.py --table: prints the table of docs/reliability.md. calls.py --check FILE: whether FILE has it.

Of each row: the status is one of those that the row names; a status that is not 0 has a message; every
output has the bytes of a sound run, or is not there; with status 0 all are there; no temporary file is
left; what a record says is true, and a run after it makes the rest.
"""
import errno
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

EACH = int(os.environ.get("TRACEPIPE_FAULTS", "6"))  # places tried of each row and job, at most
E = errno

# Kind of call, what it is in words, cause (0: half of the bytes), how many calls in a row fail,
# statuses, what happens.
ROWS = [
    ("open_input", "open an input", E.EACCES, 1, {1}, "this input fails, the others go on"),
    ("open_input", "open an input", E.EMFILE, 1, {3}, "the run ends: descriptors are the machine's"),
    ("open_input", "open an input", E.EINTR, 1, {0}, "tried again"),
    ("read_input", "read an input", E.EIO, 1, {0, 3}, "tried again"),
    ("read_input", "read an input", E.EIO, 9, {1, 3}, "after three more tries this input fails, what was read of it is kept"),
    ("read_input", "read an input", E.EINTR, 1, {0, 3}, "tried again"),
    ("read_input", "read an input", 0, 3, {0}, "the rest is read"),
    ("create", "create an output or the record", E.ENOSPC, 1, {3}, "this output fails, the others go on"),
    ("create", "create an output or the record", E.EROFS, 1, {3}, "this output fails, the others go on"),
    ("open_folder", "open a folder", E.EACCES, 1, {0, 1, 3}, "its inputs, or its output, fail; the others go on"),
    ("make_folder", "make a folder", E.ENOSPC, 1, {0, 3}, "its output fails, the others go on"),
    ("write_output", "write an output", E.ENOSPC, 1, {3}, "this output fails, the others go on"),
    ("write_output", "write an output", E.EIO, 1, {3}, "this output fails, the others go on"),
    ("write_output", "write an output", E.EINTR, 2, {0}, "tried again"),
    ("write_output", "write an output", 0, 5, {0}, "the rest is written"),
    ("sync_file", "sync an output or the record", E.EIO, 1, {3}, "it gets no name; a record that cannot be kept ends the run"),
    ("sync_file", "sync an output or the record", E.EINTR, 1, {0}, "tried again"),
    ("sync_file", "sync an output or the record", E.EINVAL, 1, {0}, "a file system without syncs: goes on"),
    ("sync_folder", "sync a folder", E.EIO, 1, {3}, "the output loses its name again"),
    ("rename", "give an output its name", E.EIO, 1, {3}, "this output fails, the others go on"),
    ("rename", "give an output its name", E.EEXIST, 1, {3}, "somebody has taken the name: this output fails"),
    ("rename", "give an output its name", E.EINVAL, 1, {0, 3}, "done by a link, if nothing is to be replaced"),
    ("close_output", "close an output", E.EIO, 1, {0, 3}, "it gets no name, if it had none"),
    ("stat_file", "look at a file", E.EIO, 1, {0, 1, 2, 3}, "what needs it fails, or the run does not begin"),
    ("unlink", "remove a file", E.EIO, 1, {0, 3}, "it stays until the next run"),
    ("thread", "start a thread", E.EAGAIN, 1, {0, 3}, "fewer threads, or none can be started: the run ends"),
    ("lock", "lock a temporary file or the record", E.ENOLCK, 1, {0, 3}, "goes on without"),
    ("event", "make an eventfd", E.EMFILE, 1, {0, 3}, "pread in place of io_uring, or the run ends"),
    ("write_record", "write the record", E.ENOSPC, 1, {3}, "the run ends; nothing is named that the record lacks"),
    ("write_record", "write the record", E.EINTR, 1, {0}, "tried again"),
    ("write_record", "write the record", 0, 3, {0}, "the rest is written"),
    ("read_record", "read the record", E.EIO, 1, {0, 3}, "the run does not begin, or an input is read again"),
    ("truncate", "cut off a torn line of the record", E.EIO, 1, {3}, "the run does not begin"),
]
OWN = ["--sink", "zstd", "-o", "out", "--sink", "text", "-o", "text"]
SUMS = ["--sink", "stats:format=json", "-o", "stats.json"]
JOBS = {
    "own": OWN,
    "sums": SUMS,
    "record": ["--resume", "record", "--sink", "zstd", "-o", "out", *SUMS],
    "own record": ["--resume", "record", "--manifest", "manifest.json", *OWN],
}


def word(cause):
    return errno.errorcode[cause] if cause else "half"


def table():
    rows = [("call", "fails with", "status", "what happens")]
    for _, words, cause, times, statuses, outcome in ROWS:
        often = f", {times} times" if times > 1 else ""
        allowed = ", ".join(str(s) for s in sorted(statuses))
        rows.append((words, word(cause) + often, allowed, outcome))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "".join("    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths))
                   + "  " + row[3] + "\n" for row in rows)


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file() and not p.is_symlink() and not str(p.relative_to(folder)).startswith("in")
            and p.name not in ("says", "record") and not p.name.startswith("record.")}


class Suite:
    def __init__(self, program, library, inputs, work):
        self.program, self.library, self.inputs, self.work = program, library, inputs, work
        self.failures, self.earlier, self.tried, self.number = [], {}, 0, 0
        self.reference = {job: self.sound(job) for job in JOBS}

    def fresh(self, job):
        self.number += 1
        folder = self.work / f"{self.number}"
        folder.mkdir()
        (folder / "in").symlink_to(self.inputs)
        if "record" in job:
            # A run before this one did a part, and was killed in a line.
            (folder / "first").write_text("in/0.trace\n")
            self.run(folder, job, ["--files-from", "first"])
            (folder / "first").unlink()
            # What that run made may stay until its place is taken.
            self.earlier[job] = files_of(folder)
            with open(folder / "record", "ab") as record:
                record.write(b'{"kind": "int')
        return folder

    def run(self, folder, job, inputs, fail=None):
        env = {**os.environ, "FAIL_CALL_SAYS": str(folder / "says")}
        if fail:
            env.update(LD_PRELOAD=self.library, FAIL_CALL=fail)
        command = [self.program, "-q", "-j4", "--io", "pread", "--max-memory", "200M", *JOBS[job], *inputs]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=120)

    def sound(self, job):
        folder = self.fresh(job)
        done = self.run(folder, job, ["-r", "in/"])
        assert done.returncode == 0 and done.stderr == b"", done
        return files_of(folder)

    def count(self, job, kind):
        """How many calls of the kind a sound run makes."""
        folder = self.fresh(job)
        self.run(folder, job, ["-r", "in/"], f"{kind}:5:0:0")
        calls = int((folder / "says").read_text().split()[0])
        shutil.rmtree(folder)
        return calls

    def complain(self, case, words):
        self.failures.append(f"{case}: {words}")

    def check(self, job, row, at):
        kind, _, cause, times, statuses, _ = row
        case = f"{job}, {kind} {word(cause)} at {at}"
        folder = self.fresh(job)
        try:
            done = self.run(folder, job, ["-r", "in/"], f"{kind}:{cause}:{at}:{times}")
        except subprocess.TimeoutExpired:
            self.complain(case, "hangs")
            return
        hit = int((folder / "says").read_text().split()[1]) > 0 if done.returncode >= 0 else True
        self.tried += hit
        if done.returncode not in (statuses if hit else {0}):
            self.complain(case, f"status {done.returncode}: {done.stderr[-300:]}")
        if (done.returncode != 0) != (done.stderr != b""):
            self.complain(case, f"status {done.returncode} and messages {done.stderr[-300:]}")
        made = files_of(folder)
        for name, content in made.items():
            if name.endswith(".tmp") and kind in ("unlink", "stat_file"):
                continue
            if name == "manifest.json" and done.returncode != 0:
                # That of this run, or of the one before.
                if json.loads(content)["exit_status"] not in (done.returncode, 0):
                    self.complain(case, "the manifest has another status")
                continue
            if name not in self.reference[job]:
                self.complain(case, f"{name} is left")
            elif (content not in (self.reference[job][name], self.earlier.get(job, {}).get(name))
                  and kind not in ("open_input", "open_folder", "read_input", "stat_file")):
                self.complain(case, f"{name} has other bytes")
        if done.returncode == 0 and not self.reference[job].keys() <= made.keys():
            self.complain(case, f"lacks {self.reference[job].keys() - made.keys()}")
        if "record" in job:
            self.check_record(case, job, folder)
        shutil.rmtree(folder)

    def check_record(self, case, job, folder):
        said = subprocess.run([self.program, "--verify", "record"], cwd=folder, capture_output=True)
        # After a failed sync of a folder an output has lost its name.
        signs = "*!" if "sync_folder" in case else "*+!"
        wrong = [line for line in said.stdout.decode().splitlines() if line[0] in signs]
        if wrong or said.returncode > 1:
            self.complain(case, f"the record is wrong: {wrong} {said.stderr}")
        again = self.run(folder, job, ["-r", "in/"])
        if again.returncode != 0:
            self.complain(case, f"cannot be resumed: {again.stderr[-300:]}")
            return
        made = files_of(folder)
        if made != self.reference[job]:
            self.complain(case, f"resumed, differs in {[n for n in made if made[n] != self.reference[job].get(n)]}"
                                f" and lacks {self.reference[job].keys() - made.keys()}")

    def go(self):
        for row in ROWS:
            tried = self.tried
            for job in JOBS:
                calls = self.count(job, row[0])
                places = range(1, calls + 1)
                for at in random.sample(places, min(EACH, calls)):
                    self.check(job, row, at)
            print(f"{row[0]} {word(row[2])}: {self.tried - tried} places")
            if self.tried == tried:
                self.complain(row[0], "no job makes such a call")


def main():
    if sys.argv[1] == "--table":
        print(table(), end="")
        return 0
    if sys.argv[1] == "--check":
        if table() in pathlib.Path(sys.argv[2]).read_text():
            return 0
        print(f"{sys.argv[2]} lacks the table that `tests/fault/calls.py --table` prints")
        return 1
    program, library, traces = (os.path.abspath(word) for word in sys.argv[1:4])
    seed = int(os.environ.get("TRACEPIPE_SEED", str(os.getpid())))
    print(f"TRACEPIPE_SEED={seed}")
    random.seed(seed)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        inputs = work / "inputs"
        inputs.mkdir()
        for i, trace in enumerate(sorted(pathlib.Path(traces).glob("*.trace"))[:6]):
            shutil.copy(trace, inputs / f"{i}.trace")
        suite = Suite(program, library, inputs, work)
        suite.go()
    for line in suite.failures:
        print(line)
    print(f"{suite.tried} faults, {len(suite.failures)} wrong")
    return 1 if suite.failures else 0


sys.exit(main())
