"""Holds the frameworks that are here to what they answered when their tables were probed (cases/rulebooks).

    ci/framework_cells.py UPCAST [NAME...]      a line of Markdown a framework: cells, agree, differ, not judged

Each cell of a table is a case with an expectation (`upcast list cells`), asked of the framework as it runs now. Exits 1 where
a cell differs, and 77 where no framework that was asked for has an environment (ci/frameworks.sh NAME makes one). The name
`control` asks array-api-strict for NumPy's answers, and fails where no cell differs.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# framework, settings, table, which tables of it
ROWS = [
    ("numpy", "", "numpy_2.4.6", "*"),
    ("array-api-strict", "", "array_api_strict_2.6.1", "*"),
    ("jax", "via=eval_shape", "jax_0.10.2_x64", "{op.*,scalar.*,unary,result_type,promote_types}"),
    ("paddle", "", "paddle_3.3.1_dygraph", "{operator.*,unary}"),
    ("paddle", "via=api", "paddle_3.3.1_dygraph", "api.*"),
]
CONTROL = [("array-api-strict", "", "numpy_2.4.6", "ufunc.add.*")]


def environment(name):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "upcast/frameworks" / name / "bin/python"


def compare(upcast, name, settings, table, tables):
    """The counts of a run of the table's cells."""
    side = f"python:{name}" + (f"?{settings}" if settings else "")
    cells = subprocess.run([upcast, "list", "cells", table, tables], check=True, capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        cases = pathlib.Path(folder, f"{table}.cases")
        cases.write_text(cells.stdout)
        ended = subprocess.run([upcast, "run", "--cases", cases, "--subject", side, "--oracle", side, "--json", "-"],
                               capture_output=True, text=True, check=False)
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
