"""A PyTorch device of one's own, and kernels as functions, as subjects: device_test.py UPCAST SOURCE LIBRARY TORCH
PART.

LIBRARY is libupcast_device.so, TORCH the unpacked LibTorch; PART device, functions, device.slices or device.whole.
The device "upcast" stands for a backend outside of PyTorch. Each mistake of broken_kernels.py has to be found, on
the device and in functions. Kernels that are right must not be accused. Exits with 77, and the reason, where torch
cannot be imported.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

UPCAST, SOURCE, LIBRARY, TORCH, PART = sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:6]
HERE = pathlib.Path(__file__).parent
CASES = str(HERE / "device.cases")


def torch_folder():
    ended = subprocess.run([sys.executable, SOURCE / "ci/torch_python.py", TORCH, LIBRARY], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        print(ended.stderr, file=sys.stderr, end="")
        sys.exit(ended.returncode)
    return ended.stdout.strip()


ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{torch_folder()}:{HERE}", "UPCAST_DEVICE_LIBRARY": LIBRARY,
               "UPCAST_DEVICE_FOLDER": str(SOURCE / "oracle/frameworks/privateuse1")}
sys.path[:0] = ENVIRONMENT["PYTHONPATH"].split(":")
DEVICE = f"python:torch?python={sys.executable}&import=upcast_backend&device=upcast"
BROKEN_DEVICE = DEVICE.replace("upcast_backend", "broken_backend")
FUNCTIONS = f"python:functions?python={sys.executable}&module=broken_kernels"


class Run:
    """One `upcast run`: its exit code, its counts, and the cases of each verdict."""

    def __init__(self, subject, *arguments, jobs="1", **variables):
        ended = subprocess.run([UPCAST, "run", *arguments, "--subject", subject, "--jobs", jobs, "--json", "-"], capture_output=True,
                               text=True, check=False, env={**ENVIRONMENT, **variables})
        self.code, self.errors = ended.returncode, ended.stderr
        self.counts = json.loads(ended.stdout) if ended.stdout.strip() else {}
        self.told = re.findall(r"^(agree|not_judged|differ\(\w+\)|crash\S*|timeout) +(\S.*?)(?:  =  .*)?$", ended.stderr, re.M)

    def wrong(self):
        return [line for verdict, line in self.told if verdict not in ("agree", "not_judged")]


class Judged(unittest.TestCase):
    def accused(self, run, overloads):
        """Asserts that the run found wrong cases, and that they are calls of exactly these overloads."""
        self.assertIn(run.code, (1, 3), run.errors)  # exit code 1: cases differ; 3: no value was judged
        self.assertEqual({line.partition("(")[0] for line in run.wrong()}, set(overloads), run.errors)

    def agrees(self, run, not_judged=0):
        self.assertEqual((run.code, run.counts.get("not_judged"), run.wrong()), (0, not_judged, []), run.errors)
        self.assertGreater(run.counts["agree"], 0)

    def finds_each_mistake(self, subject):
        import broken_kernels
        self.assertGreaterEqual(len(broken_kernels.BROKEN), 10)
        for mistake, kernels in broken_kernels.BROKEN.items():
            if mistake == "device is lost" and subject == FUNCTIONS:
                continue  # the mistake is a result on another device, which a function on the CPU cannot make
            with self.subTest(mistake):
                self.accused(Run(subject, "--cases", CASES, UPCAST_BREAK=mistake), kernels)

    def one_line(self, subject, *said, **variables):
        run = Run(subject, "neg(int8[1])", "--oracle", "impl:cpu", **variables)
        self.assertEqual(run.code, 2, run.errors)
        self.assertRegex(run.errors, r"\Aupcast: [^\n]*\n\Z")
        for text in said:
            self.assertIn(text, run.errors)


class Device(Judged):
    def test_what_is_right_is_not_accused(self):
        self.agrees(Run(DEVICE, "--cases", CASES))
        import broken_kernels
        for unusual in broken_kernels.UNBROKEN:
            with self.subTest(unusual):
                self.agrees(Run(BROKEN_DEVICE, "--cases", CASES, UPCAST_BREAK=unusual))

    def test_each_mistake_is_found_where_it_is(self):
        self.finds_each_mistake(BROKEN_DEVICE)

    def test_operands_that_share_storage_share_it_there(self):
        """Operands that share storage in a case share it on the device. That holds for two dtypes, and for operands
        that are not neighbours."""
        self.agrees(Run(DEVICE, "lerp_.Tensor(float32[4], float32[4], float32[4]:shares(0))",
                        "addcmul.out(float32[4], float32[4], float32[4]:shares(0), out=float32[4]:shares(0))",
                        "add.out(float32[4], float32[4], out=float32[4]:offset(1)+shares(0))",
                        "copy_(float32[2,3], float32[2,3]:strides(1,2)+shares(0))",
                        "frexp.Tensor_out(float32[2], out=float32[2], second_out=int32[2])"))

    def test_a_device_without_views_of_bytes_is_judged_all_the_same(self):
        self.agrees(Run(BROKEN_DEVICE, "--cases", CASES, UPCAST_WITHOUT_BYTE_VIEWS="1"))
        self.accused(Run(BROKEN_DEVICE, "--cases", CASES, UPCAST_WITHOUT_BYTE_VIEWS="1", UPCAST_BREAK="ignores offset"), ["neg"])

    def test_what_a_case_puts_on_the_cpu_stays_there(self):
        """A case may put a zero-dim operand on the CPU. An operand with dimensions there is refused, as on any
        accelerator."""
        emulated = ("--oracle", "impl:emulated?device=cuda")
        lines = ["add.Tensor(float32[3], float32[]:device(cpu))", "add.Tensor(float32[3], float32[3]:device(cpu))",
                 "add.Tensor(float32[3], float64[]:device(cpu)) @device=cuda", "add.out(float32[3], 1, out=float32[3]:device(cpu))"]
        self.agrees(Run(DEVICE, *lines, *emulated))
        # A control: impl:cpu has one device, so it does not refuse.
        self.accused(Run(DEVICE, lines[1], "--oracle", "impl:cpu"), ["add.Tensor"])

    def test_numbers_and_tensors_that_are_not_there(self):
        self.agrees(Run(DEVICE, "add.Tensor(int32[3], 5.5)", "add.Tensor(undefined, float32[3])"))
        self.agrees(Run(DEVICE, "neg(float32[1])", "abs(float32[1])", "atan2(float32[3], 2.5)", "clamp.Tensor(float32[3], 1, None)"), not_judged=2)

    def test_random_numbers_of_rrelu_are_torch_s(self):
        self.agrees(Run(DEVICE, "rrelu(float32[3])", "rrelu_(float64[2,2], 0.5, 0.75)"))
        text = ("import torch, upcast_backend, upcast_device\n"
                "x = -torch.ones(1000, device='upcast')\n"
                "y = torch.ops.aten.rrelu(x, 0.25, 0.75, True).cpu()\n"
                "assert y.min() >= -0.75 and y.max() <= -0.25 and y.std() > 0.1, y\n"
                "assert upcast_device.take_counts()['fallback'].get('rrelu') == 1\n")
        subprocess.run([sys.executable, "-c", text], env=ENVIRONMENT, check=True)

    def test_a_mistake_of_the_user_is_one_line(self):
        python = f"python:torch?python={sys.executable}"
        self.one_line("python:torch?python=/nowhere/python", "there is no interpreter /nowhere/python")
        self.one_line("python:torch?python=no-such-python", "there is no interpreter no-such-python on PATH")
        self.one_line("python:torch==2.5.1?python=python3", "a version or an interpreter, not both")
        self.one_line(python, "has no module torch", PYTHONPATH="")
        self.one_line(python + "&import=no_backend", "has no module no_backend")
        self.one_line(python + "&import=torch.no_backend", "has no module torch.no_backend")
        self.one_line(python + "&device=my_device", "no device 'my_device'", "import=MODULE")
        self.one_line(python + "&devise=cpu", "unknown setting 'devise'", "device")
        self.one_line(BROKEN_DEVICE, "importing broken_backend fails: KeyError: 'no such mistake'", UPCAST_BREAK="no such mistake")


class Functions(Judged):
    def test_what_is_right_is_not_accused(self):
        self.agrees(Run(FUNCTIONS, "--cases", CASES))

    def test_each_mistake_is_found_where_it_is(self):
        self.finds_each_mistake(FUNCTIONS)

    def test_the_names_are_what_is_claimed(self):
        """A name of `kernels` claims one overload in one form. A name without a dot claims all overloads of its
        form."""
        run = Run(FUNCTIONS.replace("broken_kernels", "few_kernels"), "add.Tensor(float32[2], 1)", "add_.Tensor(float32[2], 1)",
                  "add.out(float32[2], 1, out=float32[2])", "sub.Tensor(float32[2], 1)", "pow.Tensor_Scalar(float32[2], 2)",
                  "pow.Tensor_Tensor(float32[2], float32[2])", "pow_.Tensor(float32[2], float32[2])", "mul_.Tensor(float32[2], 1)",
                  "mul.Tensor(float32[2], 1)")
        self.assertEqual([line for verdict, line in run.told if verdict == "agree"],
                         ["add.Tensor(float32[2], 1)", "pow.Tensor_Scalar(float32[2], 2)",
                          "pow.Tensor_Tensor(float32[2], float32[2])", "mul_.Tensor(float32[2], 1)"], run.errors)
        self.assertEqual(run.counts["not_judged"], 5)

    def test_what_is_not_done_yet_is_not_judged(self):
        few = FUNCTIONS.replace("broken_kernels", "few_kernels")
        run = Run(few, "add.Tensor(float32[2], 1)", "add.Tensor(int32[2], 1)", "add.Tensor(float32[2], 1, alpha=2)", "add.Tensor(complex64[2], 1)")
        self.agrees(run, not_judged=2)
        self.accused(Run(few, "sgn(float32[2])"), ["sgn"])  # the kernel for sgn returns no tensor, which is a mistake

    def test_a_mistake_of_the_user_is_one_line(self):
        python = f"python:functions?python={sys.executable}"
        self.one_line(python, "needs a module")
        self.one_line(python + "&module=no_kernels", "No module named 'no_kernels'")
        self.one_line(python + "&module=upcast_backend", "upcast_backend.kernels is not a dict")
        self.one_line(python + "&module=wrong_names", "'add.Tensr'", "did you mean add.Tensor")

    def test_changed_kernels_neither_go_on_with_a_run_nor_take_kept_answers(self):
        """Old verdicts and old answers would pass as those of the changed kernels."""
        right, wrong = 'import torch\n\nkernels = {"add.Tensor": torch.add}\n', 'import torch\n\nkernels = {"add.Tensor": torch.sub}\n'
        with tempfile.TemporaryDirectory() as folder:
            store, answers, module = (pathlib.Path(folder, name) for name in ("run.db", "answers", "my_kernels.py"))

            def judge(*arguments):
                return Run(FUNCTIONS.replace("broken_kernels", "my_kernels") + f"&answers={answers}", "add.Tensor(float32[3], float32[3])",
                           *arguments, PYTHONPATH=f"{ENVIRONMENT['PYTHONPATH']}:{folder}", PYTHONDONTWRITEBYTECODE="1")

            module.write_text(right)
            self.agrees(judge("--out", store))
            self.agrees(judge("--out", store))  # goes on
            module.write_text(wrong)
            changed = judge("--out", store)
            self.assertEqual((changed.code, changed.errors.count("\n")), (2, 1), changed.errors)
            self.assertIn("module my_kernels", changed.errors)
            self.accused(judge(), ["add.Tensor"])


class Slices(Judged):
    """The device "upcast" with its own, right kernels, over a part of each grid."""

    def over(self, parts, jobs="1"):
        for grid, part in parts.items():
            with self.subTest(grid):
                run = Run(DEVICE, "--grid", grid, *part, jobs=jobs)
                self.agrees(run, not_judged=run.counts.get("not_judged"))
                self.assertGreater(run.counts["agree"], 0.5 * run.counts["ran"], "most of it is judged")
                print(f"{grid}: {run.counts['agree']:,} agree, {run.counts['known']:,} known, "
                      f"{run.counts['not_judged']:,} not judged in {run.counts['seconds']:.0f} s")

    def test_grids(self):
        self.over({grid: ("--shard", f"7/{shards}", "--block", "64")
                   for grid, shards in {"ops": 200, "layouts": 200, "promotion": 1000}.items()})


class Whole(Slices):
    """The device "upcast" with its own, right kernels, over whole grids, for nightly runs."""

    def test_grids(self):
        self.over(dict.fromkeys(("ops", "layouts", "promotion"), ()), jobs=str(os.cpu_count()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], defaultTest={"device": "Device", "functions": "Functions", "device.slices": "Slices",
                                                  "device.whole": "Whole"}[PART])
