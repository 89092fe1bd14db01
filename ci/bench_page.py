"""Writes docs/measured/performance.md from the JSON of `upcast bench elementwise --all`, or checks that it is up to date.

    ci/bench_page.py [--check] [--folder docs/measured] [--page docs/measured/performance.md]

FOLDER holds bench_DATE_CAPABILITY.json for each capability that was measured, and bench_DATE_CAPABILITY_2.json and so on
for more runs of it. With --check nothing is written, and a page that differs is an error.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORST = 10
GROUPS = {"same": "operands of one dtype", "mixed": "two dtypes", "scalar": "a tensor and a number, or a tensor of one element",
          "math": "elementary and special functions", "strided": "operands that are not dense",
          "family": "an op of each family, in every dtype that both sides take", "pair": "additions of two dtypes"}
HEAD = """# Measured: loops on the CPU

`ci/bench_page.py` wrote this page from the `bench_*.json` of this folder. [Performance](../performance.md) says how to
read and repeat it.

A ratio is LibTorch's time over ours. Above 1 ours is faster. Each time is the median of the rounds' medians. The
quartiles are those of the ratios of neighbouring turns, in all rounds. *Copy* is the time that a copy of as many bytes
takes, as a share of ours. The medians of several runs count, and the outermost of their quartiles.
"""


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1),
                      *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def row_of(row):
    copy = row["predicted"] / row["ours"] if row.get("predicted") else None
    return (f"`{row['name']}`", number(row["ours"]), number(row["peer"]), number(row["ratio"]),
            f"{number(row['low_ratio'])} to {number(row['high_ratio'])}", number(copy))


def combined(reports):
    """The rows that all runs have. Times and ratios are medians of the runs, the quartiles the outermost ones."""
    runs = [{row["name"]: row for row in report["rows"] if row["ratio"]} for report in reports]
    rows = []
    for name in runs[0]:
        if all(name in run for run in runs):
            each = [run[name] for run in runs]
            middle = {key: statistics.median(row[key] for row in each)
                      for key in ("ours", "peer", "ratio", "predicted") if each[0].get(key)}
            rows.append({"name": name, **middle, "low_ratio": min(row["low_ratio"] for row in each),
                         "high_ratio": max(row["high_ratio"] for row in each)})
    return sorted(rows, key=lambda row: row["ratio"])


def group_rows(reports):
    """A row for each group: how many rows it has, its median ratio in each run, and its lowest ratio in any."""
    for name, meaning in GROUPS.items():
        each = [group for report in reports for group in report["groups"] if group["name"] == name]
        if each:
            yield (f"`{name}`: {meaning}", str(each[0]["rows"]), ", ".join(number(group["median"]) for group in each),
                   number(min(group["lowest"] for group in each)))


def section(date, capability, files):
    reports = [json.loads(file.read_text()) for file in files]
    versions = reports[0]["versions"]
    rows = combined(reports)
    known = [row for row in rows if row["name"].split(" ")[0] in ("same", "mixed", "scalar", "math", "strided")]
    head = ("call", "ours, ns", "LibTorch, ns", "ratio", "quartiles", "copy")
    lines = [f"## {capability}", f"- Date: {date}. Runs: {len(files)}.", f"- Machine: {versions.get('cpu', 'not recorded')}.",
             f"- LibTorch {versions['libtorch']}.",
             *(f"- {note[0].upper()}{note[1:]}." for note in reports[0]["notes"]),
             f"- Command: `UPCAST_CAPABILITY={capability} upcast bench elementwise --all --json {files[0].name}`.", "",
             table(("group", "rows", "median ratio of each run", "lowest of all runs"), group_rows(reports)),
             f"The {WORST} lowest ratios of all {len(rows)} rows:\n", table(head, map(row_of, rows[:WORST])),
             "The rows of `upcast bench elementwise`:\n", table(head, map(row_of, known))]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--folder", type=pathlib.Path, default=ROOT / "docs/measured")
    arguments.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/measured/performance.md")
    options = arguments.parse_args()
    runs = {}
    for file in sorted(options.folder.glob("bench_*.json")):
        runs.setdefault(re.fullmatch(r"bench_(\d{4}-\d\d-\d\d)_(.+?)(?:_\d+)?\.json", file.name).groups(), []).append(file)
    if not runs:
        sys.exit(f"bench_page: {options.folder} has no bench_DATE_CAPABILITY.json")
    page = HEAD + "\n" + "\n".join(section(*run, runs[run]) for run in sorted(runs, reverse=True))
    if not options.check:
        options.page.write_text(page)
    elif options.page.read_text() != page:
        sys.exit(f"bench_page: {options.page} is not what {options.folder}/bench_*.json say; run ci/bench_page.py")


if __name__ == "__main__":
    main()
