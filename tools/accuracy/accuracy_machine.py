"""Says which rows of the accuracy table (cases/accuracy.json) this machine can reach. The table was measured on a machine with AVX-512."""

import pathlib
import subprocess

NATIVE = "libtorch:cpu?capability=native"
# Rows whose error is larger on a CPU without FMA, where glibc has another pow: {(op, dtype): the largest error in ulp of
# either side}.
WITHOUT_FMA = {("float_power", "float8_e5m2"): 0.505405, ("float_power", "float8_e5m2fnuz"): 0.505405}


def has_avx2(upcast):
    """Whether this machine has AVX2 and FMA, as the build's upcast-needs reports. A folder without that program is not our build."""
    needs = pathlib.Path(upcast).with_name("upcast-needs")
    return not needs.exists() or subprocess.run([needs, "x86-64-v3", "true"], stdout=subprocess.DEVNULL).returncode == 0


def sides_here(sides, table, avx2):
    """The sides that this machine can measure. Prints how many rows of the table are left out."""
    if avx2:
        return sides
    rows = sum(row["side"] == NATIVE for row in table.values())
    print(f"skipped: {rows} rows of {NATIVE}: this machine has no AVX2, and LibTorch no vector paths")
    return [side for side in sides if side != NATIVE]


def expected(row, avx2):
    """A row of the table, with the larger errors that this machine has if it lacks FMA."""
    allowed = 0 if avx2 or "max_ulp" not in row else WITHOUT_FMA.get((row["op"], row["dtype"]), 0)
    return row | {"max_ulp": max(row["max_ulp"], allowed)} if allowed else row
