"""Importers of torch's graphs as sides: importers_test.py UPCAST NAME. NAME is the importer, as "tvm" or "openvino".

Exits with 77, and the reason, without the environment of NAME.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from environments import python_of

UPCAST, NAME = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
AGREE = ["exp(float32[3])", "minimum(float32[2]{2,1}, float32[2]{1,2})", "mul_(float32[3], float32[3])", "mul(float32[2,3], float32[3])",
         "neg(int32[3])", "where(bool[3], float32[3], float32[3])", "sub.out(float32[3], float32[3], out=float32[3])"]
BROKEN = {  # cases that broken_export.py and broken_thunder.py answer wrongly, and the kind of difference
    "maximum(float32[2]{2,1}, float32[2]{1,2})": "differ(value)", "add(float32[2]{2,1}, float32[2]{1,2})": "differ(value)",
    "atan(float32[3])": "differ(refusal)", "cosh(float32[3])": "crash",
}
LACKS = {  # for each importer, a call that it has no lowering for
    "onnx-export": "special_i0e(float32[3])",
    "openvino": "special_i0e(float32[3])",
    "executorch": "lgamma(float32[3])",
    "tvm": "lgamma(float32[3])",
    "thunder": "bitwise_left_shift_(int32[3], int32[3])",
}
if NAME == "thunder":
    AGREE = [line for line in AGREE if "out=" not in line]  # Thunder has no out= form
BREAKS = "broken_thunder" if NAME == "thunder" else "broken_export"

PYTHON = python_of(NAME)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE)}


class Run:
    """One `upcast run` over case lines: its counts, and the calls of each verdict."""

    def __init__(self, settings, lines):
        with tempfile.NamedTemporaryFile("w", suffix=".cases") as file:
            file.write("".join(line + "\n" for line in lines))
            file.flush()
            ended = subprocess.run([UPCAST, "run", "--cases", file.name, "--subject", f"python:{NAME}?python={PYTHON}{settings}", "--jobs", "1",
                                    "--time-limit", "300", "--json", "-"], capture_output=True, text=True, check=False, env=ENVIRONMENT)
        self.code, self.errors = ended.returncode, ended.stderr
        self.counts = json.loads(ended.stdout) if ended.stdout.strip() else {}
        self.told = {}
        for verdict, op in re.findall(r"^(agree|not_judged|differ\(\w+\)|crash|timeout)\S* +(\w+)[\w.]*\(", ended.stderr, re.M):
            self.told.setdefault(op, set()).add(verdict)


def op_of(line):
    return re.match(r"\w+", line)[0]


class Importers(unittest.TestCase):
    def test_it_agrees_with_eager_where_it_does(self):
        run = Run("", AGREE)
        self.assertEqual((run.code, run.counts.get("agree")), (0, len(AGREE)), run.errors)

    def test_each_wrong_lowering_is_found_and_no_other_call_accused(self):
        run = Run(f"&import={BREAKS}", [*BROKEN, *AGREE])
        found = {op: verdicts for op, verdicts in run.told.items() if verdicts != {"agree"}}
        self.assertEqual((run.code, found), (1, {op_of(line): {verdict} for line, verdict in BROKEN.items()}), run.errors)
        self.assertEqual(run.counts["agree"], len(AGREE), run.errors)

    def test_what_it_lacks_is_not_judged_and_costs_no_other_call(self):
        run = Run("", [AGREE[0], LACKS[NAME], *AGREE[1:]])
        self.assertEqual((run.counts.get("agree"), run.counts.get("not_judged")), (len(AGREE), 1), run.errors)
        self.assertEqual(run.told[op_of(LACKS[NAME])], {"not_judged"}, run.errors)

    def test_graphs_of_one_call_say_the_same(self):
        run = Run("&graph=1", AGREE)
        self.assertEqual((run.code, run.counts.get("agree")), (0, len(AGREE)), run.errors)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
