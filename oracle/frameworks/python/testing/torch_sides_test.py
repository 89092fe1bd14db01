"""The ways of PyTorch to make a call, as sides: torch_sides_test.py UPCAST PART.

PART is `calls` for ways that make one call at a time, or `graphs` for ways that compile many calls in one graph. In
graphs, each wrong lowering of broken_compiler.py has to be found, and the right ones must not be accused. A call
that dies costs one case. PART is `slice` or `inductor` for the same on the grid compile_slice: an interpreter runs
the graph, or Inductor compiles it. Exits with 77, and the reason, without the environment of torch.
"""

import contextlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from environments import python_of

UPCAST, PART = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
WRONG = {  # for each wrong lowering, a case that shows it
    "add.Tensor": "add(float32[3], float32[3])", "div.Tensor_mode": 'div(int32[2]{-7,7}, int32[2]{2,2}, rounding_mode="trunc")',
    "sqrt": "sqrt(float32[2]{-1,4})", "mul.Tensor": "mul(float32[2,3], float32[2,3])", "lt.Tensor": "lt(float32[3], float32[3])",
    "bitwise_and.Tensor": "bitwise_and(float32[2], float32[2])", "relu": "relu(float32[2]{-1,1})",
    "sub.Tensor": "sub(int8[2]{-100,1}, int8[2]{100,1})", "pow.Tensor_Scalar": "pow(int32[2]{1,2}, 2.5)",
    "special_xlog1py": "special_xlog1py(float32[2,0], float32[2,0])", "rsqrt": "rsqrt(float32[2]{3,4})",
}
INDUCTORS = {"bitwise_and.Tensor"}  # lowerings of WRONG whose mistake Inductor makes too
RIGHT = ["exp(float32[3])", "minimum(float32[2]{nan,1}, float32[2]{1,2})", "gt(int32[3], int64[3])", "add_(float32[3], int32[3], alpha=2)",
         "frexp(float32[3])", "exp(float32[0,3])"]

PYTHON = python_of("torch")
ROOT = HERE.parents[3]


def known_of_interpreters():
    """The text of the known differences for a backend that interprets a graph. It calls eager, so entries about
    dtypes that only eager refuses are left out."""
    entries = (ROOT / "cases/compiler_differences.toml").read_text().split("[[difference]]")
    kept = [entry for entry in entries if not re.search(r'answer = "answers\((unsupported_dtype|promotion)\)', entry)]
    return (ROOT / "cases/known_differences.toml").read_text() + "[[difference]]".join(kept)


EAGER = "libtorch:cpu?capability=native&onednn=on"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE)}


class Run:
    """One `upcast run` over lines, or over compile_slice: its counts, and the overloads of each verdict other than
    agree."""

    def __init__(self, settings, lines=None, entries=""):
        with tempfile.TemporaryDirectory() as folder:
            file, known, store = (pathlib.Path(folder, name) for name in ("lines.cases", "known.toml", "run.db"))
            known.write_text(entries)
            file.write_text("".join(line + "\n" for line in lines or []))
            cases = ["--cases", file] if lines else ["--grid", "compile_slice"]
            sides = ["--subject", f"python:torch?python={PYTHON}{settings}", "--oracle", EAGER]
            ended = subprocess.run([UPCAST, "run", *cases, *sides, "--known", known, "--jobs", "1", "--time-limit", "900", "--json", "-",
                                    "--out", store], capture_output=True, text=True, check=False, env=ENVIRONMENT)
            self.told = {}
            if store.exists():
                with contextlib.closing(sqlite3.connect(store)) as database:
                    for verdict, line in database.execute("select verdict, line from record"):
                        overload = re.match(r"[\w.]+", line).group(0)
                        self.told.setdefault(json.loads(verdict)["code"], set()).add(overload)
        self.code, self.errors = ended.returncode, ended.stderr
        self.counts = json.loads(ended.stdout) if ended.stdout.strip() else {}

    def wrong(self):
        return {overload for verdict, found in self.told.items() if verdict not in ("agree", "known", "not_judged") for overload in found}


@unittest.skipUnless(PART == "calls", "")
class Calls(unittest.TestCase):
    LINES = ["exp(float32[3])", "add(int32[3], 5.5)", "clamp(int32[3], 0.5, 2)", "special_i0e(float32[3])", "gelu(float32[3])",
             "bitwise_and(float32[3], int32[3])", "mul_(float32[3], int32[3])"]

    def test_each_way_agrees_with_eager_where_it_does(self):
        for via in ("eager", "refs", "vmap", "functionalize"):
            with self.subTest(via):
                run = Run(f"&via={via}", self.LINES)
                self.assertEqual((run.code, run.counts.get("agree")), (0, len(self.LINES)), run.errors)

    def test_a_decomposition_is_judged_and_what_has_none_is_not(self):
        run = Run("&via=decomp", ["gelu(float32[3])", "mul(float32[3], float32[3])"])
        self.assertEqual([run.counts[each] for each in ("agree", "not_judged", "unexplained")], [1, 1, 0], run.errors)
        self.assertRegex(run.errors, r"agree +gelu")

    def test_vmap_takes_a_zero_dim_tensor_for_one_of_dimensions(self):
        run = Run("&via=vmap", ["where(bool[3], float16[3], float32[])", "where(bool[3], float16[3], float16[])"])
        self.assertEqual((run.told, run.counts["agree"]), ({"differ(dtype)": {"where.self"}}, 1), run.errors)

    def test_fake_tells_dtypes_and_not_values(self):
        run = Run("&via=fake", ["add(int32[3], 5.5)", "pow(int32[3], -1)"])
        self.assertEqual((run.told, run.counts["agree"]), ({"differ(accepts)": {"pow.Tensor_Scalar"}}, 1), run.errors)

    def test_a_mistake_is_one_line(self):
        for settings, said in (("&via=no", "via=no is not one of eager"), ("&via=vmap&table=core", "table= is not a setting of via=vmap"),
                               ("&via=decomp&table=x", "table=x is not one of inductor, core"),
                               ("&via=export&graph=0", "graph=0 is not a number above 0")):
            with self.subTest(settings):
                run = Run(settings, ["neg(int8[1])"])
                self.assertEqual(run.code, 2, run.errors)
                self.assertIn(said, run.errors)


@unittest.skipUnless(PART == "graphs", "")
class Graphs(unittest.TestCase):
    COMPILE = "&via=compile&import=broken_compiler&backend="

    def test_every_wrong_lowering_is_found_and_no_other_accused(self):
        self.assertGreaterEqual(len(WRONG), 10)
        run = Run(self.COMPILE + "wrong", [*WRONG.values(), *RIGHT])
        self.assertEqual((run.code, run.wrong()), (1, set(WRONG)), run.errors)
        self.assertEqual(run.counts["agree"], len(RIGHT), run.errors)

    def test_right_ones_are_not_accused(self):
        for settings in (self.COMPILE + "right", self.COMPILE + "right&graph=1", self.COMPILE + "right&inputs=constants",
                         self.COMPILE + "right&dynamic=1", "&via=export"):
            with self.subTest(settings):
                run = Run(settings, [*WRONG.values(), *RIGHT])
                self.assertEqual((run.code, run.counts.get("agree")), (0, len(WRONG) + len(RIGHT)), run.errors)

    def test_what_depends_on_data_is_left_to_eager(self):
        run = Run(self.COMPILE + "right", ["equal(float32[3], float32[3])", *RIGHT])
        self.assertEqual((run.code, run.counts.get("agree")), (0, 1 + len(RIGHT)), run.errors)

    def test_what_dies_hangs_or_fills_the_disk_is_one_case(self):
        run = Run(self.COMPILE + "deadly&graph=4&seconds=10", ["sinh(float32[2])", *RIGHT[:3], "cosh(float32[2])", "tanh(float32[2])", *RIGHT[3:]])
        self.assertEqual((run.code, run.told.get("crash")), (1, {"sinh", "cosh", "tanh"}), run.errors)
        self.assertEqual(run.counts["agree"], len(RIGHT), run.errors)


class Slice(unittest.TestCase):
    """In the grid that CI uses for compilers, each wrong lowering must be found, and nothing else accused."""

    def check_wrong(self, backend, entries, wrong):
        run = Run(f"&via=compile&import=broken_compiler&backend={backend}", entries=entries)
        self.assertGreaterEqual(len(wrong), 10)
        self.assertEqual((run.code, run.wrong()), (1, wrong), run.errors[-3000:])
        self.assertEqual((run.counts["planned"], run.counts["ran"]), (609, 609), run.counts)

    @unittest.skipUnless(PART == "slice", "")
    def test_in_an_interpreter(self):
        entries = known_of_interpreters()
        self.check_wrong("wrong", entries, set(WRONG))
        right = Run("&via=compile&import=broken_compiler&backend=right", entries=entries)
        self.assertEqual((right.code, right.wrong()), (0, set()), right.errors[-3000:])

    @unittest.skipUnless(PART == "inductor", "")
    def test_in_inductor(self):
        known = "".join((ROOT / f"cases/{name}_differences.toml").read_text() for name in ("known", "compiler"))
        self.check_wrong("wrong_inductor", known, set(WRONG) - INDUCTORS)
        lines = [line for overload, line in WRONG.items() if overload not in INDUCTORS] + RIGHT
        right = Run("&via=compile&import=broken_compiler&backend=inductor", lines)
        self.assertEqual((right.code, right.counts.get("agree")), (0, len(lines)), right.errors[-3000:])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
