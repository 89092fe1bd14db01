"""Writes docs/accuracy.md from cases/accuracy.json, with our errors and LibTorch's side by side.

usage: accuracy_page.py <table> <published maxima> <page> [--check]

--check writes nothing and fails where the page is not what would be written.
"""

import json
import pathlib
import sys

from accuracy import FLOAT8

SIDES = {"impl:cpu": "ours", "libtorch:cpu": "LibTorch, scalar", "libtorch:cpu?capability=native": "LibTorch, vectors"}
OURS = "impl:cpu"
INTEGERS = ["int8", "uint8", "int16"]


def cell(row):
    if row is None:
        return ""
    if "refused" in row:
        return "-"
    if row["max_ulp"] == 0 and row["misplaced"] == 0:
        return "0"
    text = f"{row['max_ulp']:.5g}"
    if row["misplaced"]:
        text += f", {row['misplaced']} misplaced"
    return text


def undecided(rows):
    """The largest share, among the rows, of inputs whose truth is not known, as text; "" if all are known."""
    share = max((row["undecided"] / row["inputs"] for row in rows if row and row.get("undecided")), default=0)
    return f"{100 * share:.2g} %" if share else ""


def worst(row, count=2):
    """The bits of a row's worst inputs, with / between operands. Leaves out their places in a sample, which cases/accuracy.json has."""
    return " ".join(entry[0].partition(" (")[0].replace(", ", "/") for entry in row.get("worst", [])[:count])


def grid(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]


def is_whole(row):
    return row.get("exhaustive", True)


def whole_float32(table):
    rows = []
    for op in sorted({k[0] for k, row in table.items() if k[1] == "float32" and row.get("exhaustive")}):
        for side, name in (SIDES | {"glibc": "glibc"}).items():
            row = table.get((op, "float32", side))
            if row and row.get("exhaustive"):
                rows.append([op, name, cell(row), f"{row['mean_ulp']:.4f}", f"{100 * row['correctly_rounded']:.4f} %", worst(row)])
    return grid(["op", "side", "max ulp", "mean ulp", "correctly rounded", "worst inputs"], rows)


def side_by_side(table, dtypes, whole):
    """A table of Markdown with the errors of all sides in each dtype. `whole` takes the rows over every input, else those over a sample."""
    chosen = {k: row for k, row in table.items() if k[1] in dtypes and is_whole(row) == whole}
    open_dtypes = [dtype for dtype in dtypes if any(k[1] == dtype and row.get("undecided") for k, row in chosen.items())]
    rows = []
    for op in sorted({k[0] for k, row in chosen.items() if "refused" not in row}):
        found = {dtype: [chosen.get((op, dtype, side)) for side in SIDES] for dtype in dtypes}
        ours = [] if whole else [worst(chosen.get((op, dtype, OURS)) or {}, count=1) for dtype in dtypes]
        rows.append([op] + [cell(row) for dtype in dtypes for row in found[dtype]] + ours + [undecided(found[dtype]) for dtype in open_dtypes])
    names = ["ours", "scalar", "vectors"]
    worst_of_ours = [] if whole else [f"{dtype}, worst input of ours" for dtype in dtypes]
    return grid(["op"] + [f"{dtype} {name}" for dtype in dtypes for name in names] + worst_of_ours +
                [f"{dtype} undecided" for dtype in open_dtypes], rows)


def largest(table, op, dtypes, side):
    found = [row for dtype in dtypes if (row := table.get((op, dtype, side))) and "refused" not in row]
    return max(found, key=lambda row: (row["misplaced"] > 0, row["max_ulp"])) if found else None


def small(table, dtypes, only_inexact):
    """Returns (a table of Markdown with the worst errors over several dtypes, how many ops it leaves out). With only_inexact it leaves out the
    ops that are exact on all sides."""
    rows, exact = [], 0
    for op in sorted({k[0] for k in table if k[1] in dtypes}):
        found = [largest(table, op, dtypes, side) for side in SIDES]
        if all(row is None for row in found):
            continue
        share = undecided(table.get((op, dtype, side)) for dtype in dtypes for side in SIDES)
        if only_inexact and not share and all(row is None or cell(row) == "0" for row in found):
            exact += 1
            continue
        at = next((row for row in found if row and cell(row) != "0"), None)
        rows.append([op] + [cell(row) or "-" for row in found] + [f"{at['dtype']} {worst(at)}" if at else "", share])
    return grid(["op"] + list(SIDES.values()) + ["worst inputs", "undecided"], rows), exact


def published_maxima(table, published):
    rows = []
    for row in published:
        measured = table.get((row["op"], row["dtype"], row["side"]))
        rows.append([f"{row['side']} {row['op']}", str(row["max_ulp"]),
                     cell(measured) if measured else "not yet", row["origin"]])
    return grid(["function", "published", "measured over all inputs", "origin"], rows)


def page(rows, published):
    table = {(row["op"], row["dtype"], row["side"]): row for row in rows}
    integers, exact = small(table, INTEGERS, only_inexact=True)
    dates = sorted({row["date"] for row in rows if "date" in row})
    version = next((row["version"] for row in rows if row["side"].startswith("libtorch") and row.get("version")), "")
    lines = [
        "# Accuracy", "",
        "`tools/accuracy/accuracy_page.py` makes this page from `cases/accuracy.json`, which also has histograms, more inputs and",
        f"dates. `upcast sweep` measured the figures from {dates[0]} to {dates[-1]}, against LibTorch {version}.",
        "LibTorch's rows are those of an AMD EPYC with AVX-512: on Intel's CPUs MKL takes other kernels",
        "([other processors](how_to/other_processors.md)).", "",
        "- Errors are differences from the exact value, in ulp of the dtype ([numerics](numerics.md)). 0.5 is correctly rounded.",
        "- *Misplaced*: a NaN, an infinity or the sign of a zero that differs from the truth.",
        "- *Undecided*: the share of inputs that have no documented value, or that no available precision decides. No other figure",
        "  counts them.",
        "- `-`: refused.",
        "", "## float32, all 4,294,967,296 inputs", "", *whole_float32(table),
        "", "## float16 and bfloat16, all inputs: largest error in ulp", "", *side_by_side(table, ["float16", "bfloat16"], whole=True),
        "", "## float32 and float64, samples: largest error in ulp", "",
        "Random bit patterns, with every exponent equally likely: 2^20 inputs, or 2^16 if Arb decides. Degrees of polynomials: 0 to 47.", "",
        *side_by_side(table, ["float32", "float64"], whole=False),
        "", "## complex64 and complex128, samples: largest error in ulp of the larger part", "",
        *side_by_side(table, ["complex64", "complex128"], whole=False),
        "", "## float16 and bfloat16, samples of two and three operands", "",
        *side_by_side(table, ["float16", "bfloat16"], whole=False),
        "", "## float8, all inputs and all pairs: largest error in ulp over the four dtypes", "", *small(table, FLOAT8, only_inexact=False)[0],
        "", "## int8, uint8 (inputs and pairs) and int16 (inputs)", "",
        f"{exact} ops are exact at every input, on every side that takes them. The largest errors of the others, in units of 1:", "", *integers,
        "", "## Published maxima", "", "They check the method: a sweep must find the errors that others have published.", "", *published_maxima(table, published),
    ]
    return "\n".join(lines) + "\n"


def main():
    table, published, target = (pathlib.Path(name) for name in sys.argv[1:4])
    text = page(json.loads(table.read_text()), json.loads(published.read_text()))
    if "--check" not in sys.argv:
        target.write_text(text)
        return 0
    if target.read_text() == text:
        return 0
    print(f"{target} is not what {table} says: python3 tools/accuracy/accuracy_page.py {table} {published} {target}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
