"""Tests tools/frameworks/ask_witnesses.py with two ops and two sides that answer what LibTorch refuses; needs no framework.

usage: ask_witnesses_test.py UPCAST ROOT
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

UPCAST, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
SCRIPT = pathlib.Path(__file__).with_name("ask_witnesses.py")
# The source of a backend that answers neg of a bool, which LibTorch refuses, and logical_not, whose value the truth decides.
BACKEND = """from upcast_protocol import Backend, Tensor, serve

class Answering(Backend):
    name, version, dtypes = "answering", "1.0", ["bool"]
    functions = {"neg": lambda x: x, "logical_not": lambda x: x}

    def describe(self, key):
        return (*key[:2], None)

serve(Answering())
"""

os.environ["PYTHONPATH"] = str(ROOT / "oracle/frameworks/python")


def ask(folder, witnesses, *more):
    sides = [argument for witness in witnesses for argument in ("--witness", f"process:{sys.executable} {folder}/{witness}.py")]
    out = pathlib.Path(folder, "groups.json")
    subprocess.run([sys.executable, SCRIPT, UPCAST, out, "--subject", "impl:cpu", "--oracle", "impl:cpu", "--op", "neg", "--op", "logical_not", "--jobs", "1",
                    "--folder", pathlib.Path(folder, "-".join(witnesses)), *sides, *more], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(out.read_text())


def drawn(part):
    told = subprocess.run([sys.executable, SCRIPT, UPCAST, "-", "--part", part, "--draw", "--op", "add", "--op", "where", "--op", "neg"],
                          check=True, capture_output=True, text=True)
    return told.stdout.splitlines()


with tempfile.TemporaryDirectory() as folder:
    for name in ("one", "two"):
        pathlib.Path(folder, f"{name}.py").write_text(BACKEND)
    for part in ("promotion", "values"):
        found = ask(folder, ["one", "two"], "--part", part)
        kept = [group for group in found["witnesses"] if group["op"] == "neg"]
        assert kept and all((group["question"], group["over"], group["voices"]) == ("LibTorch refuses", "integers and bool", 2) for group in kept), found
        assert not [group for group in found["witnesses"] if group["op"] == "logical_not"], found
    # Stores of both parts are in one folder.
    assert [run["part"] for run in found["asked"]] == ["promotion", "values"] and all(run["cases"] == run["of"] for run in found["asked"]), found["asked"]
    # The control: one voice makes no group.
    assert not ask(folder, ["one"], "--part", "promotion")["witnesses"]

lines = drawn("promotion")
assert "add.Tensor(bfloat16[4], complex64[4])" in lines and "add.Tensor(bfloat16[4], 1+2j)" in lines, lines[:40]
assert len(lines) == len(set(lines)) and not [line for line in lines if "@default" in line or line.startswith("add_")]
lines = drawn("values")
assert "neg(complex64[16], values=special, seed=63)" in lines and "add.Tensor(float32[10,1], float32[1,10], values=special, seed=127)" in lines, lines[:40]
assert len(lines) == len(set(lines)) and not [line for line in lines if "float8" in line or "values=small" in line or "alpha=" in line], lines[:40]
print("ask_witnesses: cases are drawn by rule, sides are asked, and two voices make a group")
