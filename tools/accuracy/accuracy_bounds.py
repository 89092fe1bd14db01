"""Compares the measured accuracy of impl:cpu with the bounds that we claim.

usage: accuracy_bounds.py <upcast> <bounds.toml> <table.json>

bounds.toml has classes of ops, each with a bound for every dtype; the key float8 is for the four float8 dtypes. An op in no class is
held to what its own row in the catalogue claims (`Accuracy`), or at least to correct rounding. bounds.toml also excepts some rows, each
with a reason. Every integer result must be exact. It is an error if a measured maximum (tools/accuracy/accuracy.py) is above its bound,
if a special value is out of place, if a row is missing, or if an exception is not needed.
"""

import argparse
import json
import pathlib
import sys
import tomllib

import accuracy

SIDE = "impl:cpu"
INTEGERS = ("int8", "uint8", "int16")
CORRECT = 0.5  # the error of correct rounding, in ulp


def column(dtype):
    return "float8" if dtype in accuracy.FLOAT8 else dtype


def measured_pairs(upcast):
    """(the set of (op, dtype) for which the table needs a row, {op: the error bounds that its own row in the catalogue claims})."""
    pairs = [(op, dtype) for sampled in (False, True) for op, dtype, _ in accuracy.sweeps(upcast, None, None, sampled)]
    listed = accuracy.listed(upcast)
    return dict.fromkeys(pairs), {row["op"]: row["bounds"] for row in listed
                                  if row["source"] and row["numbers"] in ("real numbers", "complex numbers")}


def read_bounds(path):
    bounds = tomllib.loads(path.read_text())
    limits, classes, exceptions = {}, {}, {}
    for name, row in bounds["class"].items():
        for op in row["ops"]:
            if op in classes:
                sys.exit(f"{path}: {op} is in two classes, {name} is the second")
            classes[op] = name
            for key, limit in row.items():
                if key != "ops":
                    limits[op, key] = limit
    for row in bounds.get("exception", []):
        for dtype in row["dtypes"]:
            if not row["reason"]:
                sys.exit(f"{path}: the exception of {row['op']} has no reason")
            exceptions[row["op"], dtype] = row
    return limits, classes, exceptions, bounds["left_out"]["ops"] if "left_out" in bounds else []


def faults_of_row(row, limit, exception):
    """The faults of a row: errors that are larger than what is claimed, unless bounds.toml excepts them."""
    allowed, misplaced = exception.get("bound", limit), exception.get("misplaced", 0)
    if row["max_ulp"] > allowed:
        yield f"{row['max_ulp']} ulp at {row['worst'][0][0]}, the bound is {allowed}"
    if row["misplaced"] > misplaced:
        yield f"{row['misplaced']} special values misplaced" + (f", {misplaced} are known" if misplaced else "")
    if "bound" in exception and row["max_ulp"] <= limit:
        yield f"{row['max_ulp']} ulp, within its class: the exception is not needed"
    if "misplaced" in exception and row["misplaced"] == 0:
        yield "no special value is misplaced: the exception is not needed"


def faults_of(rows, pairs, limits, exceptions):
    for op, dtype in pairs:
        row = rows.get((op, dtype))
        if row is None:
            yield f"{op} {dtype}: not measured"
            continue
        if row.get("refused"):
            continue
        limit = 0 if dtype in INTEGERS else limits.get((op, column(dtype)))
        if limit is None:
            yield f"{op} {dtype}: measured, but its class has no bound for it"
            continue
        for fault in faults_of_row(row, limit, exceptions.get((op, dtype), {})):
            yield f"{op} {dtype}: {fault}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("bounds", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    flags = parser.parse_args()
    limits, classes, exceptions, left_out = read_bounds(flags.bounds)
    rows = {(row["op"], row["dtype"]): row for row in json.loads(flags.table.read_text()) if row["side"] == SIDE}
    pairs, ops = measured_pairs(flags.upcast)
    pairs = [pair for pair in pairs if pair[0] not in left_out]
    by_row = set(ops) - set(classes) - set(left_out)
    for op in by_row:
        limits.update({(op, column(dtype)): max(claim, CORRECT) for dtype, claim in ops[op].items()})
    faults = [f"{op}: has a bound, but no truth for such numbers" for op in sorted(set(classes) - set(ops))]
    faults += faults_of(rows, pairs, limits, exceptions)
    faults += [f"{op} {dtype}: an exception for something that is not measured" for op, dtype in exceptions if (op, dtype) not in rows]
    checked = sum(pair in rows for pair in pairs)
    print(f"{checked} rows of {len({op for op, _ in pairs})} ops compared with their bounds, {len(by_row)} of them against their own row, "
          f"{len(exceptions)} exceptions, {len(faults)} faults")
    for fault in faults:
        print(fault)
    return 1 if faults or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
