#!/usr/bin/env python3
"""Tests the report of a small real run in headless Chromium: every view opens, and what its buttons copy runs in a terminal.

usage: report_page_test.py BIN LIBTORCH [unittest arguments]
BIN holds upcast, upcast-worker and upcast-repro, LIBTORCH the torch/ folder. Exits with 77 (skipped) where there is no
Chromium or no chromedriver.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "reports/html")]
import report_page  # noqa: E402
from reproducers import SHOWS, Reproducers  # noqa: E402

REFUSED = "mul-float8-refuses-a-scalar"
CASES = [
    "mul.Tensor(float8_e5m2[1]{1}, 2.5)",
    'div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode="trunc")',
    "add(int32[3], 5.5)",
    "sub(bool[3], bool[3])",
    "exp(float16[4], values=special)",
]
ROUTES = ["#summary", "#failures", "#map", "#map/mul", "#matrix", "#case/0", "#case/2", "#accuracy", "#accuracy/exp?dtype=float16",
          "#search?q=op:mul", "#findings", "#known", f"#known/{REFUSED}"]
BIN = LIBTORCH = None


def make(_, path):
    """Makes the report at `path` with `upcast run` and `upcast report`."""
    store = f"{path}.db"
    subprocess.run([BIN / "upcast", "run", *CASES, "--out", store], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    subprocess.run([BIN / "upcast", "report", store, "-o", path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


class RealPageTest(report_page.ReportTest):
    def copied(self, program):
        """Clicks the button next to a program of the report, and returns the text that it copies."""
        self.browser.devtools("Browser.grantPermissions",
                              permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.browser.script(
            "document.getElementById('status').textContent = '';"
            "[...document.querySelectorAll('#case .program')].find((p) => p.textContent.startsWith(arguments[0]))"
            ".querySelector(\"[aria-label='copy for a terminal']\").click()", program)
        self.browser.wait("return document.getElementById('status').textContent !== ''")
        return self.browser.script("return navigator.clipboard.readText()")

    def paste(self, text, environment):
        with tempfile.TemporaryDirectory(dir=report_page.SCRATCH) as folder:
            done = subprocess.run(["bash"], input=text, text=True, cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, env=environment)
        return done.returncode, done.stdout

    def python_environment(self):
        """Environment variables for Python programs: torch can be imported, and `python3` is the Python of this test."""
        reproducers = Reproducers(BIN, LIBTORCH, pathlib.Path(report_page.SCRATCH))
        try:
            reproducers.python()
        except SystemExit as error:
            if error.code == report_page.SKIPPED:
                self.skipTest("torch has no Python here")
            raise
        programs = pathlib.Path(report_page.SCRATCH, "bin")
        programs.mkdir(exist_ok=True)
        shim = programs / "python3"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W ignore "$@"\n')
        shim.chmod(0o755)
        return reproducers.environment | {"PATH": f"{programs}:{os.environ['PATH']}"}

    def test_a_reader_gets_from_a_known_difference_to_a_running_program(self):
        environment = self.python_environment()
        browser = self.open("real")
        browser.go("#known")
        self.follow(f"[id='known-{REFUSED}'] .line a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), CASES[:1])
        program = self.copied("Python")
        code, output = self.paste(program, environment)
        self.assertEqual(code, SHOWS, output)
        self.assertIn("the difference is there", output)
        # Control: if the program expects the refusal, it finds no difference.
        right = program.replace("False, \"float8_e5m2[1]{2.5}\"", "True, \"float8_e5m2[1]{2.5}\"")
        self.assertNotEqual(right, program)
        code, output = self.paste(right, environment)
        self.assertEqual(code, 0, output)
        self.assertIn("as expected", output)

    def test_a_finding_is_a_click_and_a_paste_away_from_its_program(self):
        environment = self.python_environment()
        browser = self.open("real")
        browser.go("#findings")
        if not browser.script("return document.querySelector(arguments[0])", f"[id='finding-{REFUSED}'] code.python"):
            self.skipTest(f"cases/measured_findings.json has no program of {REFUSED}")
        browser.devtools("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        began = time.monotonic()
        self.follow(f"#findings tr[data-finding='{REFUSED}'] a", "#findings/")
        browser.script("document.getElementById('status').textContent = '';"
                       "document.querySelector('#findings .finding-card[open] [data-copies=program]').click()")
        browser.wait("return document.getElementById('status').textContent !== ''")
        program = pathlib.Path(report_page.SCRATCH, "pasted.py")
        program.write_text(browser.script("return navigator.clipboard.readText()"))
        done = subprocess.run(["python3", program], env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        print(f"\nfrom the click on a finding to the end of its pasted program: {time.monotonic() - began:.2f} s, with torch")
        self.assertLessEqual(len(program.read_text().splitlines()), 15)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "AssertionError|not implemented|RuntimeError")
        # Control: without its imports the program fails in another way.
        program.write_text(program.read_text().replace("import torch\n", ""))
        done = subprocess.run(["python3", program], env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertIn("NameError", done.stdout)

    def test_a_death_of_libtorch_is_shown_by_a_paste(self):
        environment = self.python_environment()
        self.open("real").go("#case/1")
        code, output = self.paste(self.copied("Python"), environment)
        self.assertEqual(code, SHOWS, output)
        self.assertIn("it dies: Floating point exception", output)

    def test_the_cpp_program_is_built_by_its_paste(self):
        reproducers = Reproducers(BIN, LIBTORCH, pathlib.Path(report_page.SCRATCH))
        self.open("real").go("#case/0")
        program = self.copied("C++")
        code, output = self.paste(program, reproducers.environment | {"T": str(LIBTORCH)})
        self.assertEqual(code, SHOWS, output)
        self.assertIn("the difference is there", output)
        without = {name: value for name, value in reproducers.environment.items() if name != "T"}
        code, output = self.paste(program, without)
        self.assertIn("T: is the folder of a LibTorch", output)
        self.assertNotIn("the difference is there", output)

    def test_every_view_is_quiet(self):
        for width in (320, 1600):
            browser = self.open("real", width, 800)
            for route in ROUTES:
                browser.go(route)
                view = route[1:].split("/")[0].split("?")[0]
                self.assertEqual(self.visible_view(), [view], route)
                overflow = browser.script("return document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(overflow, 0, f"{route} scrolls sideways at {width}")
            self.assert_quiet()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    BIN, LIBTORCH = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    sys.argv[1:3] = [str(BIN / "upcast")]
    sys.exit(report_page.main(__doc__, make))
