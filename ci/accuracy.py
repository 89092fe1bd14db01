"""Measures the accuracy table, or checks that nothing has become worse than it.

usage: accuracy.py <upcast> <table> [--update] [--side SIDE]... [--op OP]... [--dtype DTYPE]... [--date DATE]

Sweeps every op that has a truth over every input: those of one operand in float16 and bfloat16, those of two in the
float8 dtypes.
The table is a ratchet: a larger error, or a special value that is out of place where none was, fails; --update writes
what is measured, for a change that says why. Rows that were not measured stay as they are.
"""

import argparse
import json
import pathlib
import subprocess
import sys

DTYPES = {1: ["float16", "bfloat16"],
          2: ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"]}


def ops_with_a_truth(upcast):
    listed = json.loads(subprocess.run([upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True,
                                       check=True).stdout)
    return {row["op"]: row["operands"] for row in listed}


def sweep(upcast, op, dtype, sides):
    command = [upcast, "sweep", op, "--dtype", dtype, "--json", "-"]
    for side in sides:
        command += ["--side", side]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return None, result.stderr.strip()
    return json.loads(result.stdout), ""


def row_of(op, dtype, side, measured, outcome, date):
    return {
        "op": op, "dtype": dtype, "side": side,
        "max_ulp": round(measured["max_ulp"], 6), "worst": measured["worst"],
        "mean_ulp": round(measured["mean_ulp"], 6), "correctly_rounded": round(measured["correctly_rounded"], 6),
        "misplaced": measured["misplaced"], "undecided": measured["undecided"],
        "inputs": measured["inputs"], "exhaustive": outcome["exhaustive"], "date": date,
        "libtorch": outcome["versions"].get("libtorch", ""),
    }


def key(row):
    return row["op"], row["dtype"], row["side"]


def worse(row, allowed):
    for name in ("max_ulp", "misplaced", "undecided"):
        if row[name] > allowed[name]:
            return f"{name} {row[name]}, the table has {allowed[name]}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--side", action="append")
    parser.add_argument("--op", action="append")
    parser.add_argument("--dtype", action="append")
    parser.add_argument("--date", default="")
    flags = parser.parse_args()
    table = {key(row): row for row in json.loads(flags.table.read_text())} if flags.table.exists() else {}
    faults, measured_rows, refused = [], 0, 0
    operands = ops_with_a_truth(flags.upcast)
    for op in flags.op or operands:
        for dtype in flags.dtype or DTYPES.get(operands.get(op), []):
            outcome, why = sweep(flags.upcast, op, dtype, flags.side or ["impl:cpu", "libtorch:cpu"])
            if outcome is None:
                if any(k[0] == op and k[1] == dtype for k in table):
                    faults.append(f"{op} {dtype}: in the table, but not measured: {why}")
                refused += 1
                continue
            for side, measured in outcome["sides"].items():
                row = row_of(op, dtype, side, measured, outcome, flags.date)
                measured_rows += 1
                if flags.update:
                    table[key(row)] = row
                elif key(row) not in table:
                    faults.append(f"{op} {dtype} {side}: not in the table")
                elif why := worse(row, table[key(row)]):
                    faults.append(f"{op} {dtype} {side}: {why}; worst input {row['worst']}")
    if flags.update:
        rows = [json.dumps(table[k]) for k in sorted(table)]
        flags.table.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{measured_rows} rows measured, {refused} op and dtype pairs without, {len(faults)} worse than the table")
    for fault in faults:
        print(fault)
    return 1 if faults or measured_rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
