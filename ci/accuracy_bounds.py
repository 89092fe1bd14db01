"""Holds measured accuracy of impl:cpu against the bounds that we claim.

usage: accuracy_bounds.py <upcast> <bounds.toml> <table.json>... [--measure TABLE] [--op OP]... [--date DATE]

Every op of one operand with a truth over real numbers belongs to one class of the bounds, or is left out with a reason; each class has a bound for each dtype. It is
an error where a measured maximum is above its bound, where a special value is out of place, where a row is missing, where
an op has no class, and where an exception is not needed. --measure writes what is missing in the other tables, over
random inputs (float32, float64) or all of them.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

SIDE = "impl:cpu"
SAMPLES = {"float32": 1 << 16, "float64": 1 << 16}  # bits at random: every exponent alike
# attributes that an op needs, and another name where its first parameter is an attribute
CALLS = {"polygamma": ("polygamma_", "n=2"), "mvlgamma": ("mvlgamma", "p=3"), "clamp": ("clamp", "min=-1, max=1"),
         "clamp_min": ("clamp_min", "min=-1"), "clamp_max": ("clamp_max", "max=1"), "threshold": ("threshold", "threshold=1, value=2")}


def unary_ops(upcast):
    listed = json.loads(subprocess.run([upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True,
                                       check=True).stdout)
    return [row["op"] for row in listed
            if row["operands"] == 1 and not row.get("without") and row.get("numbers", "real numbers") == "real numbers"]


def measure(upcast, op, dtype, date):
    name, attributes = CALLS.get(op, (op, ""))
    command = [upcast, "sweep", name, "--dtype", dtype, "--side", SIDE, "--json", "-"]
    command += ["--with", attributes] if attributes else []
    command += ["--samples", str(SAMPLES[dtype])] if dtype in SAMPLES else []
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        why = result.stderr.strip().splitlines()[-1]
        if why.endswith(("our promotion refuses it", "a sweep compares one")):  # nothing that a sweep could measure
            return {"op": op, "dtype": dtype, "side": SIDE, "refused": why.split(": ", 1)[1]}, ""
        return None, why
    outcome = json.loads(result.stdout)
    side = outcome["sides"][SIDE]
    worst = side["worst"][0]["input"] if side["worst"] else ""
    return {"op": op, "dtype": dtype, "side": SIDE, "with": attributes, "max_ulp": round(side["max_ulp"], 6),
            "worst": worst, "mean_ulp": round(side["mean_ulp"], 6),
            "correctly_rounded": round(side["correctly_rounded"], 6), "misplaced": side["misplaced"],
            "undecided": side["undecided"], "inputs": side["inputs"], "exhaustive": outcome["exhaustive"], "date": date}, ""


def read_bounds(path):
    bounds = tomllib.loads(path.read_text())
    limits = {}
    for name, row in bounds["class"].items():
        for op in row["ops"]:
            for dtype in ("float16", "bfloat16", "float32", "float64"):
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
        for dtype in ("float16", "bfloat16", "float32", "float64"):
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
                yield f"{op} {dtype}: {row['max_ulp']} ulp at {row['worst']}, the bound is {limit}"
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
    parser.add_argument("tables", type=pathlib.Path, nargs="+")
    parser.add_argument("--measure", type=pathlib.Path)
    parser.add_argument("--op", action="append")
    parser.add_argument("--date", default="")
    flags = parser.parse_args()
    limits, exceptions, left_out = read_bounds(flags.bounds)
    rows = {}
    for table in flags.tables:
        for row in json.loads(table.read_text()) if table.exists() else []:
            if row["side"] == SIDE:
                rows[row["op"], row["dtype"]] = row
    ops = [op for op in unary_ops(flags.upcast) if op not in left_out]
    if flags.measure:
        own = {(row["op"], row["dtype"]): row
               for row in (json.loads(flags.measure.read_text()) if flags.measure.exists() else [])}
        for op in flags.op or ops:
            for dtype in ("float16", "bfloat16", "float32", "float64"):
                if (op, dtype) in rows and not flags.op:
                    continue
                row, why = measure(flags.upcast, op, dtype, flags.date)
                if row is None:
                    print(f"{op} {dtype}: {why}", flush=True)
                    continue
                own[op, dtype] = rows[op, dtype] = row
            flags.measure.write_text("[\n" + ",\n".join(json.dumps(own[key]) for key in sorted(own)) + "\n]\n")
    faults = list(faults_of(rows, ops, limits, exceptions))
    checked = sum((op, dtype) in rows for op in ops for dtype in ("float16", "bfloat16", "float32", "float64"))
    print(f"{checked} rows of {len(ops)} ops held against their bounds, {len(exceptions)} exceptions, {len(faults)} faults")
    for fault in faults:
        print(fault)
    return 1 if faults or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
