"""Tests tools/frameworks/framework_differences.py on runs whose differences are known.

usage: framework_differences_test.py UPCAST
"""

import pathlib
import subprocess
import sys
import tempfile

UPCAST = sys.argv[1]
SCRIPT = pathlib.Path(__file__).with_name("framework_differences.py")
# (a planted bug in our implementation, the case that shows it, what the printed row must say of the case).
ROWS = [
    ("comparison-keeps-its-dtype", "lt(int32[2], int32[2])", {"agree": "1", "dtype": "1", "value": "0"}),
    ("floor-is-trunc", "floor(float32[1]{-1.5})", {"agree": "1", "dtype": "0", "value": "1", "right: LibTorch's": "1", "right: theirs": "0"}),
]

with tempfile.TemporaryDirectory() as folder:
    stores = []
    for bug, line, _ in ROWS:
        stores.append(pathlib.Path(folder, f"{bug}.db"))
        subprocess.run([UPCAST, "run", line, "add(int8[2], int8[2])", "--subject", f"planted?bug={bug}", "--oracle", "impl:cpu", "--out",
                        stores[-1]], check=False, stdout=subprocess.DEVNULL)
    told = subprocess.run([sys.executable, SCRIPT, UPCAST, *stores], check=True, capture_output=True, text=True).stdout
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in told.splitlines())
    assert len(rows) == len(ROWS), told
    for (bug, _, expected), row in zip(ROWS, rows, strict=True):
        found = dict(zip(head, row, strict=True))
        assert bug in found["subject"] and expected.items() <= found.items(), f"{bug}: {found}"
print(told)
