"""Prints how frameworks differ from PyTorch, and which side is right: a line of Markdown for each run store.

    upcast run --grid promotion --subject python:NAME --oracle libtorch:cpu --out NAME.db
    tools/frameworks/framework_differences.py UPCAST NAME.db...

The line counts the differences by verdict. For the differences in value that have a record (of each 4,096 cases at
most 64), it also counts which side the truth agrees with.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

KINDS = ["dtype", "shape", "strides", "refusal", "accepts", "value"]
DEATHS = ["crash", "timeout"]
# {outcome of a record's ruling (oracle/verdict.h): the side whose value is right}.
SIDES = {"oracle_is_off": "theirs", "subject_is_off": "LibTorch's", "both_are_off": "neither", "both_are_right": "both",
         "undecided": "undecided"}


def outcome(ruling):
    """The outcome of the ruling in a record. If both values are within their error bounds, the outcome is that both are right."""
    is_within = ruling.get("outcome") == "undecided" and not ruling.get("why")
    return "both_are_right" if is_within else ruling.get("outcome", "undecided")


def row(upcast, store):
    truth = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "run.ndjson")
        if subprocess.run([upcast, "report", store, "--ndjson", file], check=False, stdout=subprocess.DEVNULL).returncode > 1:
            sys.exit(f"{store} is not a run")
        run, *lines = file.read_text().splitlines()
        run = json.loads(run)
        for line in lines:
            record = json.loads(line)
            if record["verdict"] == "differ(value)":
                truth[SIDES[outcome(record["evidence"].get("ruling", {}))]] += 1
    counts = [run["by_verdict"].get(f"differ({kind})", 0) for kind in KINDS]
    deaths = [run["by_verdict"].get(death, 0) for death in DEATHS]
    if sum(counts) + sum(deaths) != run["unexplained"]:
        sys.exit(f"{store}: {run['unexplained']} differences, and {sum(counts) + sum(deaths)} of kinds that are known here")
    cells = [f"`{run['subject']}`", run["ran"], run["agree"], *counts, *deaths, *(truth[side] for side in SIDES.values()), round(run["seconds"])]
    return "| " + " | ".join(each if isinstance(each, str) else f"{each:,}" for each in cells) + " |"


def main():
    upcast, stores = sys.argv[1], sys.argv[2:]
    heads = ["subject", "cases", "agree", *KINDS, *DEATHS, *(f"right: {side}" for side in SIDES.values()), "seconds"]
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for store in stores:
        print(row(upcast, store), flush=True)


main()
