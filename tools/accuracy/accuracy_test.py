#!/usr/bin/env python3
"""What accuracy.py check looks at: no row of the table is left out without being named. The command is a stand-in.

usage: accuracy_test.py [unittest argument]..."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from accuracy_machine import Machine, this_machine

HERE = pathlib.Path(__file__).resolve().parent
# It answers each sweep of an op that MKL does not compute with the error that ERRORS has for a side, and notes what it was asked.
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
if "--list" in sys.argv:
    print(json.dumps([{"op": "cosh", "numbers": "real numbers", "operands": 1, "source": "a stub", "attributes": "", "slow": False,
                       "why_never": "", "why_no_sample": os.environ["NO_SAMPLE"]}]))
else:
    for line in sys.stdin:
        asked = json.loads(line)
        with open(os.environ["ASKED"], "a") as log:
            log.write(line)
        errors = json.loads(os.environ["ERRORS"])
        inputs = asked["samples"] or 65536
        sides = {side: {"max_ulp": errors[side], "mean_ulp": 0.1, "correctly_rounded": 1, "misplaced": 0, "undecided": 0, "inputs": inputs,
                        "worst": [{"input": "0x1", "ulp": errors[side]}], "histogram_edges": [0.5, 1], "histogram": [1, 1, 0]}
                 for side in asked["sides"]}
        print(json.dumps({"op": asked["op"], "dtype": asked["dtype"], "sides": sides, "inputs": inputs, "exhaustive": not asked["samples"],
                          "versions": {}}))
"""
SIDES = ["impl:cpu", "libtorch:cpu", "libtorch:cpu?capability=native"]
WHOLE = ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float16", "bfloat16"]


def row(side, dtype, inputs, exhaustive, max_ulp=0.6):
    return {"op": "cosh", "dtype": dtype, "side": side, "max_ulp": max_ulp, "mean_ulp": 0.1, "correctly_rounded": 1, "misplaced": 0,
            "undecided": 0, "worst": [["0x1", max_ulp]], "edges": [0.5, 1], "histogram": [1, 1, 0], "inputs": inputs,
            "exhaustive": exhaustive, "date": "2026-11-26", "version": ""}


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.upcast = self.folder / "upcast"
        self.upcast.write_text(STAND_IN)
        self.upcast.chmod(0o755)
        self.rows = [row(side, dtype, 65536, True) for side in SIDES for dtype in WHOLE]
        self.rows += [row(side, "float32", 1 << 32, True) for side in SIDES]
        self.rows += [row(side, "float64", 1 << 20, False) for side in SIDES]
        self.errors = dict.fromkeys(SIDES, 0.6)

    def check(self, *flags, no_sample=""):
        """(exit code, what is said, the samples that were asked for)."""
        table, asked = self.folder / "table.json", self.folder / "asked"
        table.write_text(json.dumps(self.rows))
        asked.write_text("")
        done = subprocess.run(
            [sys.executable, HERE / "accuracy.py", "check", self.upcast, table, *flags], capture_output=True, text=True, check=False,
            env={**os.environ, "ASKED": str(asked), "ERRORS": json.dumps(self.errors), "NO_SAMPLE": no_sample})
        self.assertEqual(done.stderr, "")
        sampled = [item for item in map(json.loads, asked.read_text().splitlines()) if item["samples"]]
        return done.returncode, done.stdout, {item["dtype"]: (item["sides"], item["samples"]) for item in sampled}

    def test_a_row_over_more_inputs_than_check_repeats_is_held_to_a_sample_on_each_side(self):
        code, said, sampled = self.check()
        self.assertEqual(code, 0, said)
        self.assertEqual(sampled, {"float32": (SIDES, 4096), "float64": (SIDES[:1], 4096)})
        for side in SIDES:
            with self.subTest(side):
                self.errors = dict.fromkeys(SIDES, 0.6) | {side: 0.75}
                self.rows = [each | {"max_ulp": 0.9, "worst": [["0x1", 0.9]]} if each["dtype"] != "float32" else each for each in self.rows]
                code, said, _ = self.check()
                self.assertEqual(code, 1, said)
                self.assertIn(f"cosh float32 {side}: max_ulp 0.75, was 0.6", said)

    def test_a_side_without_a_row_over_every_input_is_left_out(self):
        """Sweeps over all of float32 were made of two sides."""
        self.rows = [each for each in self.rows if (each["dtype"], each["side"]) != ("float32", SIDES[2])]
        for flags, samples in ((), 4096), (["--whole"], 1 << 20):
            code, said, sampled = self.check(*flags)
            self.assertEqual(code, 0, said)
            self.assertEqual(sampled["float32"], (SIDES[:2], samples))

    def test_an_op_without_samples_is_held_to_one_too(self):
        code, said, sampled = self.check("--dtype", "float32", no_sample="most inputs are out of range")
        self.assertEqual(code, 0, said)
        self.assertEqual(sampled, {"float32": (SIDES, 4096)})

    def test_rows_that_are_not_checked_are_counted_and_named(self):
        self.rows.append(row("glibc", "float32", 1 << 32, True))
        code, said, _ = self.check()
        self.assertEqual(code, 0, said)
        self.assertEqual(re.findall("not checked: .*", said), [
            "not checked: glibc over float32, 1: cosh", "not checked: libtorch:cpu over float64, 1: cosh",
            "not checked: libtorch:cpu?capability=native over float64, 1: cosh"])
        self.assertIn("\n3 rows of the table not checked\n", said)
        code, said, _ = self.check("--whole")
        self.assertEqual(re.findall("not checked: .*", said), ["not checked: glibc over float32, 1: cosh"])

    def test_only_what_was_asked_for_is_named(self):
        code, said, sampled = self.check("--dtype", "float16")
        self.assertEqual((code, sampled), (0, {}), said)
        self.assertIn("0 rows of the table not checked\n", said)


class OtherProcessors(unittest.TestCase):
    def machine(self, cpuinfo):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "cpuinfo")
            text.write_text(cpuinfo)
            return this_machine(pathlib.Path(folder, "upcast"), text)

    def test_mkl_has_the_kernels_of_the_table_where_vendor_and_instructions_are_those_of_its_machine(self):
        self.assertTrue(self.machine("vendor_id : AuthenticAMD\nflags : sse avx512f avx512dq\n").has_mkl_of_table)
        for cpuinfo in ("vendor_id : GenuineIntel\nflags : sse avx512f\n", "vendor_id : AuthenticAMD\nflags : sse avx2\n"):
            self.assertFalse(self.machine(cpuinfo).has_mkl_of_table, cpuinfo)

    def test_elsewhere_only_what_mkl_computes_is_held_to_its_documented_bound(self):
        elsewhere, there = (Machine(has_avx2=True, has_mkl_of_table=here) for here in (False, True))
        tanh = row(SIDES[1], "float32", 1 << 32, True) | {"op": "tanh"}
        for changed, ulp in (({}, 1.0), ({"max_ulp": 1.2}, 1.2), ({"side": SIDES[0]}, 0.6), ({"side": "glibc"}, 0.6), ({"dtype": "float16"}, 0.6),
                             ({"op": "cosh"}, 0.6)):
            with self.subTest(changed):
                self.assertEqual(elsewhere.expected(tanh | changed)["max_ulp"], ulp)
        self.assertEqual(there.expected(tanh)["max_ulp"], 0.6)
        self.assertNotIn("max_ulp", elsewhere.expected({"op": "tanh", "dtype": "float32", "side": SIDES[1], "refused": "why"}))

    def test_without_fma_glibcs_pow_has_a_larger_error(self):
        pow_of_float8 = row(SIDES[0], "float8_e5m2", 256, True, 0.503) | {"op": "float_power"}
        self.assertEqual(Machine(has_avx2=False, has_mkl_of_table=True).expected(pow_of_float8)["max_ulp"], 0.505405)
        self.assertEqual(Machine(has_avx2=True, has_mkl_of_table=True).expected(pow_of_float8)["max_ulp"], 0.503)


if __name__ == "__main__":
    unittest.main()
