"""Compares the installed frameworks with their stored tables (cases/rulebooks).

    tools/frameworks/framework_cells.py UPCAST [NAME...]      a line of Markdown a framework: cells, agree, differ, not judged

Each cell of a table is a case with an expectation (`upcast list cells`), asked of the framework as it runs now. Exits 1 where
a cell differs, and 77 where no framework that was asked for has an environment (ci/frameworks.sh NAME makes one). The name
`control` asks NumPy for array-api-strict's answers, and fails where no cell differs.
"""

import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What to compare: (framework, its settings, the file of its tables in cases/rulebooks, a pattern for names of tables).
ROWS = [
    ("numpy", "", "numpy_2.4.6", "*"),
    ("numpy==1.26.4", "", "numpy_1.26.4_weak", "*"),
    ("numpy==1.26.4", "", "numpy_1.26.4_legacy", "*"),
    ("array-api-strict", "", "array_api_strict_2.6.1", "*"),
    ("jax", "via=eval_shape", "jax_0.10.2_x64", "{op.*,scalar.*,unary,result_type,promote_types}"),
    ("paddle", "", "paddle_3.3.1_dygraph", "{operator.*,unary}"),
    ("paddle", "via=api", "paddle_3.3.1_dygraph", "api.*"),
    ("paddle==2.6.2", "", "paddle_2.6.2_dygraph", "{operator.*,unary}"),
    ("onnxruntime", "opset=9", "onnx_1.23.2_ort_1.31.1", "ort.*.opset9"),
    ("onnxruntime", "opset=13", "onnx_1.23.2_ort_1.31.1", "ort.*.opset13"),
    ("onnxruntime", "opset=26", "onnx_1.23.2_ort_1.31.1", "ort.*.opset26"),
    ("onnxruntime", "opset=26", "onnx_1.23.2_ort_1.31.1", "ort.mixed.*"),
]
# The dtypes in ONNX's tables that NumPy also has: {label in the table: dtype}.
DTYPES = {"bool": "bool"} | {f"{letter}{bits}": f"{kind}{bits}" for letter, kind, sizes in
                             (("u", "uint", (8, 16, 32, 64)), ("i", "int", (8, 16, 32, 64)), ("f", "float", (16, 32, 64)))
                             for bits in sizes}
# The environment variables that a table needs when its library is started.
ENVIRONMENT = {f"numpy_1.26.4_{state}": {"NPY_PROMOTION_STATE": state} for state in ("weak", "legacy")}
# Cases that do not ask what the table's cell says. The table divides by 2+1j, the case by 0+1j. Paddle 2.6.2 divides by the
# real part, which is 0 in the case.
LEFT_OUT = {"paddle_2.6.2_dygraph": r"(floor_divide|remainder)\S*\(.*, 0\+1j\)"}
CONTROL = [("numpy", "", "array_api_strict_2.6.1", "op.add.*")]  # for the control: NumPy answers otherwise than this table of array-api-strict
ROOT = pathlib.Path(__file__).resolve().parents[2]


def environment(name):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "upcast/frameworks" / name.replace("==", "-") / "bin/python"


def onnx_cells(set_name, glob):
    """Case lines for ONNX Runtime's tables. `upcast list cells` has none for them: they name nodes, not ops, and a missing kernel,
    which is no rule, counts as an answer."""
    tables = json.loads((ROOT / f"cases/rulebooks/{set_name}.json").read_text())["tables"]
    rows = json.loads((ROOT / "oracle/frameworks/python/upcast_adapters/tables/onnxruntime.json").read_text())["ops"]
    ops = {node.removeprefix("onnx."): op for op, node in rows.items()}

    def operand(dtype):
        return f"{dtype}[2]{{{'True,True' if dtype == 'bool' else '1,1'}}}"

    for table in tables:
        if not fnmatch.fnmatchcase(table["name"], glob):
            continue
        cells = table.get("cells") or next(each["cells"] for each in tables if each["name"] == table.get("same_cells_as"))
        for row, answers in zip(table["rows"].split(), cells, strict=True):
            for column, answer in zip(table["cols"].split(), answers.split(), strict=True):
                node, dtypes = (table["op"], (row, column)) if "op" in table else (row, (column, column))
                if ".unary." in table["name"]:
                    dtypes = dtypes[:1]
                # In the table "-" means that the opset has no such node; "?" means that the node was loaded but not run.
                if node not in ops or answer == "-" or answer.endswith("?") or not all(each in DTYPES for each in dtypes):
                    continue
                allowed = "bool" if node == "Equal" else row  # the answer "y" means yes: the dtype is the operand's, or bool for Equal
                expected = "refuses" if answer.startswith("!") else DTYPES[allowed if answer == "y" else answer]
                yield f"{ops[node]}({', '.join(operand(DTYPES[each]) for each in dtypes)}) -> {expected}"


def compare(upcast, name, settings, table, tables):
    """Asks a framework the cells of some tables by `upcast run`. Returns the counts of the run."""
    side = f"python:{name}" + (f"?{settings}" if settings else "")
    if table.startswith("onnx"):
        cells = "\n".join(onnx_cells(table, tables))
    else:
        cells = subprocess.run([upcast, "list", "cells", table, tables], check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        cases = pathlib.Path(folder, f"{table}.cases")
        left_out = re.compile(LEFT_OUT.get(table, "$^"))
        cases.write_text("".join(f"{line}\n" for line in cells.splitlines() if not left_out.match(line)))
        ended = subprocess.run([upcast, "run", "--cases", cases, "--subject", side, "--oracle", side, "--json", "-"],
                               capture_output=True, text=True, check=False, env=os.environ | ENVIRONMENT.get(table, {}))
    if ended.returncode not in (0, 1):
        sys.exit(ended.stderr)
    return side, json.loads(ended.stdout)


def main():
    upcast, names = sys.argv[1], sys.argv[2:]
    rows = CONTROL if names == ["control"] else [row for row in ROWS if not names or row[0] in names]
    here = [row for row in rows if environment(row[0]).exists()]
    for name in sorted({row[0] for row in rows} - {row[0] for row in here}):
        print(f"skipped: {name} has no environment; run: ci/frameworks.sh {name}", file=sys.stderr)
    if not here:
        sys.exit(77)
    print("| side | tables | cells | agree | differ | not judged |\n| --- | --- | --- | --- | --- | --- |")
    differ = 0
    for name, settings, table, tables in here:
        side, counts = compare(upcast, name, settings, table, tables)
        if counts["ran"] != counts["planned"] or counts["agree"] == 0:
            sys.exit(f"{side}: {counts['ran']} of {counts['planned']} cells ran, {counts['agree']} agree")
        differ += counts["unexplained"]
        print(f"| `{side}` | `{table}`: `{tables}` | {counts['planned']:,} | {counts['agree']:,} | {counts['unexplained']:,} | "
              f"{counts['not_judged']:,} |", flush=True)
    sys.exit(int((differ == 0) if rows is CONTROL else (differ > 0)))


main()
