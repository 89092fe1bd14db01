"""Compares LibTorch's large errors with the known differences and the stated reasons.

usage: accuracy_reasons.py <upcast> <table.json> <reasons.toml>

Every maximum of LibTorch above 100 ulp in the table (docs/accuracy.md) has a row of reasons.toml, or a known difference that explains
its worst input, against the truth or against our implementation. A maximum of the vector path may have the known difference of the scalar path.
It is an error where a maximum has neither, and where a reason names an op and dtype that needs none.
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tomllib

import accuracy

LARGE = 100  # ulp
SCALAR, VECTORS = "libtorch:cpu", "libtorch:cpu?capability=native"
LINES = 8  # a run of at most so many cases prints each of them
VERDICT = re.compile(r"(agree|known\([^)]*\)|differ\(\w+\)|not_judged|crash|timeout)\s+\S+\(")


def number(word):
    """A complex number in case notation, from its bits in hexadecimal. The real part is the low half."""
    half = (len(word) - 2) // 2
    code = ">d" if half == 16 else ">f"
    imaginary, real = (struct.unpack(code, bytes.fromhex(part))[0] for part in (word[2:2 + half], word[2 + half:]))
    text = repr(imaginary)
    return f"{real!r}{text if text.startswith('-') else '+' + text}j"


def line_of(row, attributes):
    """The case line that asks for a row's worst input. The row has it as "0x3c01 (element 5 of seed 0)", or "0x12/0x34" for two operands."""
    words = re.split(r"[,/ ]+", row["worst"][0][0].split(" (")[0])
    dtype = row["dtype"]
    operands = [f"{dtype}[1]{{{number(word) if dtype.startswith('complex') else 'bits:' + word}}}" for word in words]
    return f"{row['op']}({', '.join(operands + ([attributes] if attributes else []))})"


def verdicts(upcast, lines, sides):
    found = []
    for first in range(0, len(lines), LINES):
        part = lines[first:first + LINES]
        text = subprocess.run([upcast, "run", "-", *sides], input="\n".join(part), capture_output=True, text=True).stdout
        part_found = [match.group(1) for match in map(VERDICT.match, text.splitlines()) if match]
        if len(part_found) != len(part):
            sys.exit(f"{len(part_found)} verdicts of {len(part)} cases:\n{text}")
        found += part_found
    return found


def main():
    upcast, table, reasons = sys.argv[1:]
    attributes = {row["op"]: row["attributes"] for row in accuracy.listed(upcast)}
    large = [row for row in json.loads(pathlib.Path(table).read_text())
             if row["side"] in (SCALAR, VECTORS) and row.get("max_ulp", 0) > LARGE]
    stated = [(op, reason.get("dtypes"), reason["reason"])
              for reason in tomllib.loads(pathlib.Path(reasons).read_text())["reason"] for op in reason["ops"]]
    explained, known, excused, unneeded, faults = set(), 0, 0, set(range(len(stated))), []
    for side in (SCALAR, VECTORS):
        rows = [row for row in large if row["side"] == side]
        lines = [line_of(row, attributes[row["op"]]) for row in rows]
        for row, *found in zip(rows, verdicts(upcast, lines, ["--subject", side, "--oracle", "truth"]),
                               verdicts(upcast, lines, ["--oracle", side])):
            key = row["op"], row["dtype"]
            if any(verdict.startswith("known") for verdict in found) or key in explained:
                explained.add(key)
                known += 1
                continue
            fitting = [i for i, (op, dtypes, _) in enumerate(stated) if op == key[0] and (not dtypes or key[1] in dtypes)]
            if fitting:
                excused += 1
                unneeded -= set(fitting)
            else:
                faults.append(f"{row['op']} {row['dtype']} {side}: {row['max_ulp']:.3g} ulp at {row['worst'][0][0]}: "
                              f"{found[0]}, and no reason is stated")
    faults += [f"{stated[i][0]}: the reason is not needed" for i in sorted(unneeded)]
    print("\n".join(faults + [f"{len(large)} maxima of LibTorch above {LARGE} ulp: {known} with a known difference, "
                              f"{excused} with a stated reason, {len(faults)} faults"]))
    sys.exit(1 if faults or not large else 0)


main()
