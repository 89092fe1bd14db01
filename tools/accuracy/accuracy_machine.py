"""Says what this machine can reach of the accuracy table (cases/accuracy.json), which was measured on another machine."""

import dataclasses
import pathlib
import subprocess
import tomllib

NATIVE = "libtorch:cpu?capability=native"
LARGER = tomllib.loads((pathlib.Path(__file__).resolve().parents[2] / "cases/accuracy_machines.toml").read_text())
OF_MKL, WITHOUT_FMA = LARGER["of_mkl"], LARGER["without_fma"]["max_ulp"]


@dataclasses.dataclass(frozen=True)
class Machine:
    has_avx2: bool  # and FMA, which LibTorch's vector paths need too
    has_mkl_of_table: bool  # MKL takes the kernels that the table's rows are about

    def sides(self, sides, table):
        """The sides that this machine can measure. Prints how many rows of the table are left out."""
        if self.has_avx2:
            return sides
        rows = sum(row["side"] == NATIVE for row in table.values())
        print(f"skipped: {rows} rows of {NATIVE}: this machine has no AVX2, and LibTorch no vector paths")
        return [side for side in sides if side != NATIVE]

    def is_held_to_mkls_bound(self, row):
        """Whether a row is about a kernel of MKL that this machine does not have. It is held to what Intel documents."""
        return (not self.has_mkl_of_table and row["side"].startswith("libtorch:cpu") and row["op"] in OF_MKL["ops"]
                and row["dtype"] in OF_MKL["dtypes"])

    def expected(self, row):
        """A row of the table, with the larger errors that this machine may have."""
        if "max_ulp" not in row:
            return row
        allowed = [row["max_ulp"]]
        if not self.has_avx2:
            allowed.append(WITHOUT_FMA.get(row["op"], {}).get(row["dtype"], 0))
        if self.is_held_to_mkls_bound(row):
            allowed.append(OF_MKL["max_ulp"])
        return row | {"max_ulp": max(allowed)}


def this_machine(upcast, cpuinfo=pathlib.Path("/proc/cpuinfo")):
    """AVX2 is as the build's upcast-needs reports. A folder without that program is not our build."""
    needs = pathlib.Path(upcast).with_name("upcast-needs")
    has_avx2 = not needs.exists() or subprocess.run([needs, "x86-64-v3", "true"], stdout=subprocess.DEVNULL).returncode == 0
    words = set(cpuinfo.read_text().split())
    return Machine(has_avx2, has_mkl_of_table={"AuthenticAMD", "avx512f"} <= words)
