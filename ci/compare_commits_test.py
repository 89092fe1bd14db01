"""Tests ci/compare_commits.py with stand-ins for two builds, one of which is twice as fast in one row."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from compare_commits import compare, interval  # noqa: E402

STAND_IN = """#!{python}
import json, pathlib, sys
if sys.argv[1] == "bench":
    rows = [{{"name": name, "ratio": ratio}} for name, ratio in {rows}]
    pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps({{"rows": rows}}))
"""


class CompareCommits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, name, rows):
        program = self.folder / name / "bin/upcast"
        program.parent.mkdir(parents=True)
        program.write_text(STAND_IN.format(python=sys.executable, rows=repr(rows)))
        program.chmod(0o755)
        return self.folder / name

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, HERE / "compare_commits.py", *map(str, arguments)], capture_output=True, text=True)

    def test_interval(self):
        mean, low, high = interval([0.0, 0.2])  # with two rounds, the interval is 12.706 standard errors of 0.1
        self.assertAlmostEqual(mean, 1.10517, 5)
        self.assertAlmostEqual(low, 0.31018, 4)
        self.assertAlmostEqual(high, 3.93773, 4)

    def test_only_common_rows_are_compared(self):
        found = compare([({"a": 2.0, "b": 1.0}, {"a": 1.0}), ({"a": 2.0}, {"a": 1.0, "c": 1.0})])
        self.assertEqual([name for name, *_ in found], ["a"])
        self.assertAlmostEqual(found[0][1], 2)

    def test_rows_and_failure(self):
        base = self.build("base", [("same one", 1.0), ("same two", 1.0), ("gone", 1.0)])
        head = self.build("head", [("same one", 2.0), ("same two", 0.5)])
        said = self.run_it(base, head, "--rounds", 3, "--json", self.folder / "found.json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("2 compared over 3 rounds: 1 faster, 1 slower, 0 without a difference that the rounds show; 1 are in one build alone", said.stdout)
        ups = {row["name"]: row["speed_up"] for row in json.loads((self.folder / "found.json").read_text())["speed_ups"]}
        self.assertAlmostEqual(ups["same one"], 2)
        self.assertAlmostEqual(ups["same two"], 0.5)
        self.assertEqual(self.run_it(base, head, "--rounds", 2, "--least", 0.9).returncode, 1)

    def test_mistakes(self):
        base = self.build("base", [("same one", 1.0)])
        self.assertIn("two at least", self.run_it(base, base, "--rounds", 1).stderr)
        self.assertIn("leaves nothing", self.run_it(base, base, "--no-rows").stderr)
        (self.folder / "bad/bin").mkdir(parents=True)
        (self.folder / "bad/bin/upcast").write_text("#!/bin/sh\necho broken; exit 3\n")
        (self.folder / "bad/bin/upcast").chmod(0o755)
        other = self.build("other", [("same two", 1.0)])
        self.assertIn("no row in common", self.run_it(base, other, "--rounds", 2).stderr)
        said = self.run_it(base, self.folder / "bad", "--rounds", 2)
        self.assertEqual(said.returncode, 2)
        self.assertIn("ended with exit code 3\nbroken", said.stderr)


if __name__ == "__main__":
    unittest.main()
