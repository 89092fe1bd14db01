"""Holds measured accuracy of impl:cpu against the bounds that we claim.

usage: accuracy_bounds.py <upcast> <bounds.toml> <table.json>

Every op of one operand with a truth over real numbers belongs to one class of the bounds, or is left out with a reason; each
class has a bound for each dtype. It is an error where a measured maximum (ci/accuracy.py) is above its bound, where a special
value is out of place, where a row is missing, where an op has no class, and where an exception is not needed.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

SIDE = "impl:cpu"
DTYPES = ("float16", "bfloat16", "float32", "float64")


def unary_ops(upcast):
    listed = json.loads(subprocess.run([upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True,
                                       check=True).stdout)
    return [row["op"] for row in listed
            if row["operands"] == 1 and not row.get("without") and row.get("numbers", "real numbers") == "real numbers"]


def read_bounds(path):
    bounds = tomllib.loads(path.read_text())
    limits = {}
    for name, row in bounds["class"].items():
        for op in row["ops"]:
            for dtype in DTYPES:
                if (op, dtype) in limits:
                    sys.exit(f"{path}: {op} is in two classes, {name} is the second")
                limits[op, dtype] = row[dtype]
    exceptions = {}
    for row in bounds.get("exception", []):
        for dtype in row["dtypes"]:
            if not row["reason"]:
                sys.exit(f"{path}: the exception of {row['op']} has no reason")
            exceptions[row["op"], dtype] = row
    return limits, exceptions, bounds["left_out"]["ops"] if "left_out" in bounds else []


def faults_of(rows, ops, limits, exceptions):
    for op in ops:
        for dtype in DTYPES:
            if (op, dtype) not in limits:
                yield f"{op}: in no class of the bounds"
                break
            row, exception = rows.get((op, dtype)), exceptions.get((op, dtype))
            if row is None:
                yield f"{op} {dtype}: not measured"
                continue
            if row.get("refused"):
                continue
            limit = exception.get("bound", limits[op, dtype]) if exception else limits[op, dtype]
            if row["max_ulp"] > limit:
                yield f"{op} {dtype}: {row['max_ulp']} ulp at {row['worst'][0][0]}, the bound is {limit}"
            if row["misplaced"] > 0:
                yield f"{op} {dtype}: {row['misplaced']} special values out of place"
            if exception and "bound" in exception and row["max_ulp"] <= limits[op, dtype]:
                yield f"{op} {dtype}: {row['max_ulp']} ulp, within its class: the exception is not needed"
    for op in sorted({op for op, _ in limits} - set(ops)):
        yield f"{op}: has a bound, but no truth over one operand"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("bounds", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    flags = parser.parse_args()
    limits, exceptions, left_out = read_bounds(flags.bounds)
    rows = {(row["op"], row["dtype"]): row for row in json.loads(flags.table.read_text()) if row["side"] == SIDE}
    ops = [op for op in unary_ops(flags.upcast) if op not in left_out]
    faults = list(faults_of(rows, ops, limits, exceptions))
    checked = sum((op, dtype) in rows for op in ops for dtype in DTYPES)
    print(f"{checked} rows of {len(ops)} ops held against their bounds, {len(exceptions)} exceptions, {len(faults)} faults")
    for fault in faults:
        print(fault)
    return 1 if faults or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
