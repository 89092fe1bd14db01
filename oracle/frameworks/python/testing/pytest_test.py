"""The pytest plugin of the wheel: pytest_test.py BIN SOURCE LIBRARY TORCH PYTEST. BIN is the folder of the program upcast, PYTEST
ci/pytest.txt, fetched by ci/setup.sh; for the rest see device_test.py. Exits with 77, and the reason, where something is missing."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE, LIBRARY, TORCH, PYTEST = sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:6]
HERE = pathlib.Path(__file__).parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"


def pinned(file):
    return re.search(r"^[^#=]*==(\S*)", pathlib.Path(file).read_text(), re.M).group(1)


def skipped(why):
    print(f"skipped: {why}", file=sys.stderr)
    sys.exit(77)


def environment():
    packages = [CACHE / f"pytest-{pinned(PYTEST)}", CACHE / f"opinfo-{pinned(SOURCE / 'ci/opinfo.txt')}"]
    for folder in packages:
        if not (folder / ".complete").exists():
            skipped(f"{folder} is not there; ci/setup.sh fetches it")
    ended = subprocess.run([sys.executable, SOURCE / "ci/torch_python.py", TORCH, LIBRARY], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        skipped(ended.stderr.strip())
    device = SOURCE / "oracle/frameworks/privateuse1"
    path = [ended.stdout.strip(), *packages, SOURCE / "ci/wheel", HERE, device]
    return {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": ":".join(map(str, path)), "UPCAST_DEVICE_LIBRARY": LIBRARY,
            "UPCAST_DEVICE_FOLDER": str(device), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


ENVIRONMENT = environment()
SUBJECT = f"python:torch?python={sys.executable}&import=broken_backend&device=upcast"
BREAK = {"UPCAST_BREAK": "zero-dim is dim"}


class Plugin(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="upcast-pytest-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def pytest(self, *arguments, **variables):
        return subprocess.run([sys.executable, "-m", "pytest", "-p", "upcast_conformance.pytest_plugin", "-p", "no:cacheprovider", "-rsxf",
                               *arguments, "--upcast-grid", "smoke", "--upcast-options", "--jobs 1"], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**ENVIRONMENT, **variables})

    def ends(self, ended, code, *said):
        text = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, code, text)
        for each in said:
            self.assertIn(each, text)

    def test_one_test_a_callable_and_a_failure_shows_what_differs(self):
        ops = ("--upcast-subject", SUBJECT, "--upcast-ops", "add.Tensor,neg,maximum")
        self.ends(self.pytest(*ops, UPCAST_BREAK=""), 0, " passed", " skipped", "not judged: the subject does not claim it, or the grid has no case")
        self.ends(self.pytest(*ops, **BREAK), 1, "1 failed", " passed", "upcast[upcast]::add.Tensor", "judged cases differ from libtorch:cpu",
                  "differ(dtype)  add.Tensor(", "  subject  ", "  oracle   ", f"upcast run 'add.Tensor(uint8[4], int32[])' --subject '{SUBJECT}'",
                  "upcast repro 'add.Tensor(")

    def test_expected_failures_are_written_and_read(self):
        ours, pytorch = self.folder / "expected.txt", self.folder / "overrides.py"
        ops = ("--upcast-subject", SUBJECT, "--upcast-ops", "add.Tensor")
        self.ends(self.pytest(*ops, "--upcast-write-expected", str(ours), "--upcast-write-expected", str(pytorch), **BREAK), 1)
        listed = ("--upcast-expected-failures", str(ours))
        self.ends(self.pytest(*ops, *listed, **BREAK), 0, "1 xfailed")
        self.ends(self.pytest(*ops, *listed, UPCAST_BREAK=""), 1, "no longer fails")
        ours.write_text("add.Tensor uint8 int32\n")
        self.ends(self.pytest(*ops, *listed, **BREAK), 1, "it fails in", "float32", "which is not expected")
        ours.write_text("add.Tensr uint8\n")
        self.ends(self.pytest(*ops, *listed, **BREAK), 4, "lists 'add.Tensr', which is not a callable")
        # A program that reads the exported skips as PyTorch does: as decorators of an OpInfo, by its full name.
        text = ("import sys, torch_without_dsls\n"
                f"sys.path.insert(0, {str(self.folder)!r})\n"
                "import torch\n"
                "from overrides import op_overrides\n"
                "from torch.testing._internal.common_device_type import CPUTestBase, ops\n"
                "from torch.testing._internal.common_methods_invocations import op_db\n"
                "CPUTestBase.set_test_configs(op_overrides=op_overrides)\n"
                "chosen = ops([op for op in op_db if op.full_name in ('add', 'mul')])\n"
                "CPUTestBase._apply_op_overrides(chosen)\n"
                "added = {op.full_name: op.decorators[-1:] for op in chosen.op_list}\n"
                "before = {op.full_name: op.decorators[-1:] for op in op_db if op.full_name in ('add', 'mul')}\n"
                "assert torch.int32 in added['add'][0].dtypes and added['add'] != before['add'], added\n"
                "assert list(op_overrides) == ['add'], op_overrides\n")
        subprocess.run([sys.executable, "-c", text], env=ENVIRONMENT, check=True)

    def test_the_variables_of_pytorch_s_device_tests(self):
        (self.folder / "site").mkdir()  # without it, a torch without its CUDA half cannot import torch.testing
        (self.folder / "site/sitecustomize.py").write_text("import torch_without_dsls\n")
        (self.folder / "base.py").write_text("import upcast_backend\n\n\nclass Base(DeviceTypeTestBase):\n    device_type = 'upcast'\n\n\n"
                                             "TEST_CLASS = Base\n")
        found = {"PYTHONPATH": f"{self.folder / 'site'}:{ENVIRONMENT['PYTHONPATH']}", "TORCH_TEST_DEVICES": str(self.folder / "base.py")}
        collect = ("--upcast-ops", "add.Tensor", "--collect-only", "-q")
        self.ends(self.pytest(*collect, **found), 0, "upcast[upcast]::add.Tensor", "upcast[cpu]::add.Tensor")
        self.ends(self.pytest("--upcast-ops", "add.Tensor", **found, PYTORCH_TESTING_DEVICE_ONLY_FOR="upcast"), 0, "1 passed")
        given = ("--upcast-subject", SUBJECT, *collect)
        self.ends(self.pytest(*given, PYTORCH_TESTING_DEVICE_ONLY_FOR="cuda,cpu"), 5, "no tests")
        self.ends(self.pytest(*given, PYTORCH_TESTING_DEVICE_ONLY_FOR="privateuse1"), 0, "upcast[upcast]::add.Tensor")
        self.ends(self.pytest(*given, PYTORCH_TESTING_DEVICE_EXCEPT_FOR="upcast"), 5, "no tests")

    def test_it_stays_out_of_other_sessions_and_is_clear_about_mistakes(self):
        self.ends(self.pytest(TORCH_TEST_DEVICES="/nowhere"), 5)
        self.ends(self.pytest("--upcast-subject", SUBJECT, "--upcast-ops", "ad"), 4, "--upcast-ops 'ad' names no op")
        self.ends(self.pytest("--upcast-subject", "python:torch?python=/nowhere", "--upcast-ops", "add"), 4, "there is no interpreter /nowhere")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
