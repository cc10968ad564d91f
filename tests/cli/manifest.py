#!/usr/bin/python3
"""manifest.py MANIFEST MESSAGES: whether the manifest has what was said of each input, no more and
no less, and counts and statuses that fit. MESSAGES is standard error of that run."""
import json
import os
import sys

LISTS = ("damage", "losses", "doubts")
DOUBT_WORDS = {
    "proc_status": "statuses of Ps before their start",
    "region_overlap": "regions that end before regions inside them",
    "region_not_open": "ends of regions that are not open",
    "region_not_ended": "regions that are open when their goroutine ends",
    "task_ended_twice": "second ends of tasks",
}


def rest_of(entry, key):
    """What is said of those that are left out of a list."""
    count = {"damage": "damage_count", "losses": "loss_count", "doubts": "doubt_count"}[key]
    left_out = entry[count] - len(entry[key])
    assert left_out == max(0, entry[count] - 16), (key, entry["path"])
    if left_out == 0:
        return []
    if key == "damage":
        return [f"{left_out} more places, {entry['lost_bytes']} bytes lost in total"]
    if key == "losses":
        return [f"{left_out} more incomplete generations, {entry['unordered_bytes']} bytes of "
                "events not ordered in total"]
    by_kind = ", ".join(f"{count} {DOUBT_WORDS[kind]}"
                        for kind, count in entry["doubts_by_kind"].items())
    return [f"{left_out} more events contradict earlier ones and are used, no data is lost; in total "
            + by_kind]


def error_of(entry, who=""):
    if "error" not in entry:
        return []
    place = ""
    if "line" in entry:
        place = f" at line {entry['line']}, column {entry['column']}"
    elif "offset" in entry:
        place = f" at byte {entry['offset']}"
    return [who + entry["error"] + place]


def said_of(entry):
    path = entry["path"]
    warnings = [r["text"] for key in LISTS for r in entry[key]]
    warnings += [text for key in LISTS for text in rest_of(entry, key)]
    warnings += [r["text"] for r in entry["notes"] if r["kind"] != "refused"]
    errors = [r["text"] for r in entry["notes"] if r["kind"] == "refused"] + error_of(entry)
    for output in entry["outputs"]:
        errors += error_of(output, output["sink"].split(":")[0] + ": ")
    return [f"tracepipe: warning: {path}: {text}" for text in warnings] + \
           [f"tracepipe: {path}: {text}" for text in errors]


def fault_of(entry):
    """What is wrong with the figures of an input without --strict."""
    if sum(entry["doubts_by_kind"].values()) != entry["doubt_count"]:
        return "doubts by kind are not all"
    is_lossy = entry["damage_count"] + entry["loss_count"] > 0
    has_error = "error" in entry or any("error" in o for o in entry["outputs"])
    wanted = "complete"
    if is_lossy:
        wanted = "damaged"
    if has_error:
        wanted = "failed"
    if any(r["kind"] == "refused" for r in entry["notes"]):
        wanted = "refused"
    if entry["status"] != wanted:
        return f"is {entry['status']}, not {wanted}"
    for r in entry["losses"]:
        if r["bytes"] + r["forced_events"] + r["missing_id_events"] == 0 and r["kind"] != "tables":
            return "a loss of nothing"
    if entry["damage_count"] <= 16 and sum(r["bytes"] for r in entry["damage"]) != entry["lost_bytes"]:
        return "bytes lost at places are not all"
    if entry["loss_count"] <= 16 and sum(r["bytes"] for r in entry["losses"]) != entry["unordered_bytes"]:
        return "bytes lost of generations are not all"
    return None


def wrong_sizes(manifest):
    """Outputs whose figure is not what their file has, and reports of all inputs without one."""
    own = [o for entry in manifest["inputs"] for o in entry["outputs"] if "bytes" in o]
    shared = manifest["outputs"]
    wrong = [o for o in own + shared
             if os.path.isfile(o["path"]) and os.path.getsize(o["path"]) != o["bytes"]]
    return wrong + [o for o in shared if o["bytes"] == 0]


with open(sys.argv[1], errors="surrogateescape") as f:
    manifest = json.load(f)
with open(sys.argv[2], errors="surrogateescape") as f:
    messages = sorted(f.read().splitlines())
is_strict = len(sys.argv) > 3
said = sorted(text for entry in manifest["inputs"] for text in said_of(entry))
failed = False
for text in set(said) ^ set(messages):
    print("only", "said:" if text in messages else "in the manifest:", text)
    failed = True
if said != messages:
    failed = True
for entry in manifest["inputs"]:
    fault = None if is_strict else fault_of(entry)
    if fault is not None:
        print(entry["path"], fault)
        failed = True
for output in wrong_sizes(manifest):
    print(output["path"], "does not have", output["bytes"], "bytes")
    failed = True
kinds = {r["kind"] for e in manifest["inputs"] for key in LISTS + ("notes",) for r in e[key]}
kinds |= {"more_" + key for e in manifest["inputs"] for key in LISTS if rest_of(e, key)}
print(" ".join(sorted(kinds)))
sys.exit(1 if failed else 0)
