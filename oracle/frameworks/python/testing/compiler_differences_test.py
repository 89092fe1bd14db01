"""Each entry of cases/compiler_differences.toml about a side shows on its own case: compiler_differences_test.py UPCAST SIDE...

SIDE is a way of PyTorch, as python:torch?via=refs, or an importer, as python:tvm.

The entry must explain its case for its subject, and for each side under `also`. A difference that the host defines may not show on
another host: its test is then skipped. Each witness is computed again, except a sentence of documentation. The controls are a wrong
answer and a witness that proves nothing: both must be noticed. Exits with 77, and the reason, without the environment of the first side.
"""

import atexit
import contextlib
import functools
import json
import math
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
import unittest

from environments import python_of

UPCAST, *SIDES = sys.argv[1:]
ROOT = pathlib.Path(__file__).resolve().parents[4]
FILE = ROOT / "cases/compiler_differences.toml"
EAGER = "libtorch:cpu?capability=native&onednn=on"  # PyTorch as users run it: its own vector paths, and oneDNN
SCALAR = "libtorch:cpu"  # the side that answers the calls of witnesses


python_of(re.match(r"python:([\w-]+)", SIDES[0]).group(1))


def many(value):
    return value if isinstance(value, list) else [value]


def about(side):
    """The entries whose subject is this side, or that list it under `also`."""
    entries = tomllib.loads(FILE.read_text())["difference"]
    return [entry for entry in entries if side in [entry["subject"], *many(entry.get("also", []))]]


def paths(entry):
    """The calls that an entry's witnesses of the form `path: CALL on libtorch:cpu` name."""
    return [re.fullmatch(r"path: (.*) on libtorch:cpu", text).group(1) for text in many(entry.get("witness", [])) if text.startswith("path: ")]


@functools.cache
def kept(side):
    """The side's name with a file for its answers, so that each question is asked once although several tests ask
    it."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return f"{side}{'&' if '?' in side else '?'}answers={folder}/answers"


class Run:
    """One `upcast run` of a side against eager over case lines: {line: (verdict, known id or None, side's answer,
    eager's answer)}."""

    def __init__(self, side, lines, known, oracle=EAGER):
        with tempfile.TemporaryDirectory() as folder:
            file, entries, store = (pathlib.Path(folder, name) for name in ("lines.cases", "known.toml", "run.db"))
            file.write_text("".join(line + "\n" for line in dict.fromkeys(lines)))
            entries.write_text(known)
            ended = subprocess.run([UPCAST, "run", "--cases", file, "--subject", kept(side), "--oracle", oracle,
                                    "--known", entries, "--jobs", "1", "--time-limit", "600", "--out", store], capture_output=True, text=True,
                                   check=False)
            self.errors, self.told = ended.stderr[-3000:], {}
            if not store.exists():
                return
            with contextlib.closing(sqlite3.connect(store)) as database:
                names = dict(database.execute("select id, name from known"))
                for line, verdict, known_id, *answers in database.execute("select line, verdict, known, subject, oracle from record"):
                    self.told[line] = (json.loads(verdict), names.get(known_id), *answers)

    def of(self, line):
        return self.told.get(line, ({"code": "not recorded"}, None, "", ""))


def kind(text):
    """What two right answers to one case must share: whether the side answers, the dtype, and which elements are
    finite."""
    answer = re.match(r"(\w+)\[[^\]]*\](?:\{(.*)\})?$", text)
    if not answer:
        return text.partition("(")[0], None
    return answer.group(1), answer.group(2) and [re.sub(r".*(nan|inf|bits).*", r"\1", each) if re.search("nan|inf|bits", each) else "finite"
                                                 for each in answer.group(2).split(",")]


def contradict(one, other):
    (of_one, elements), (of_other, others) = kind(one), kind(other)
    return of_one != of_other or (elements is not None and others is not None and elements != others)


class Differences(unittest.TestCase):
    def test_each_shows_on_its_own_case(self):
        for side in SIDES:
            entries = about(side)
            self.assertTrue(entries, side)
            run = Run(side, [entry["case"] for entry in entries], FILE.read_text())
            for entry in entries:
                with self.subTest(side=side, id=entry["id"]):
                    verdict, known, *answers = run.of(entry["case"])
                    if entry["class"] == "host_defined" and verdict["code"] == "not recorded":
                        self.skipTest("both sides agree on this machine")
                    self.assertEqual(known, entry["id"], f"{verdict} {answers} {run.errors}")

    def test_each_witness_is_computed_again(self):
        for side in SIDES:
            entries = [entry for entry in about(side) if entry["subject"] == side and entry["class"] == "bug"]
            run = Run(side, [line for entry in entries for line in (entry["case"], *paths(entry))], "", SCALAR)
            for entry in entries:
                with self.subTest(side=side, id=entry["id"]):
                    self.check_witness(run, entry)

    def check_witness(self, run, entry):
        verdict, _, wrong, _ = run.of(entry["case"])
        for call in paths(entry):
            self.assertTrue(contradict(wrong, run.of(call)[3]), f"{entry['case']}: {wrong}; {call} in eager: {run.of(call)[3]}; {run.errors}")
        if "truth" in many(entry["witness"]):
            ruling = verdict["ruling"]
            self.assertEqual(ruling["outcome"], "subject_is_off", ruling)
            self.assertTrue(math.isclose(float(ruling["subject_ulp"]), entry["wrong_ulp"], rel_tol=0.01), ruling)
            self.assertLessEqual(entry["ours_ulp"], float(ruling.get("oracle_bound", 0)), "eager is within its bound")

    def test_a_wrong_answer_is_noticed(self):
        side = SIDES[0]
        entries = [entry for entry in about(side) if entry["class"] != "host_defined"]
        wrong = re.sub(r'^answer = ".*"', 'answer = "timeout"', FILE.read_text(), flags=re.M)
        run = Run(side, [entry["case"] for entry in entries], wrong)
        self.assertEqual({(run.of(entry["case"])[1], run.of(entry["case"])[0]["code"] == "not recorded") for entry in entries}, {(None, False)}, run.errors)

    def test_a_witness_that_says_nothing_is_noticed(self):
        self.assertFalse(contradict("float32[2]{1,2}", "float32[2]{1,3}"))
        self.assertFalse(contradict("refuses(other: a)", "refuses(promotion: b)"))
        self.assertFalse(contradict("float32[2]{1,nan}", "float32[2]{2,nan}"))
        for one, other in (("float32[1]{1}", "float64[1]{1}"), ("float32[1]{1}", "refuses(other)"), ("broken(x)", "refuses(other)"),
                           ("float32[2]{1,inf}", "float32[2]{1,2}"), ("float32[1]{inf}", "float32[1]{nan}")):
            self.assertTrue(contradict(one, other), (one, other))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
