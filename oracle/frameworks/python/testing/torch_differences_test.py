"""Each entry of cases/compiler_differences.toml about a way of PyTorch shows on its own case: torch_differences_test.py UPCAST WAY...

On its subject, and on each that errs alike, the case is known by that very entry; its witness is computed again, but for a sentence of
documentation. A wrong answer, and a witness that says nothing, are noticed. Exits with 77, and the reason, without the environment of torch.
"""

import contextlib
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
import unittest

UPCAST, *WAYS = sys.argv[1:]
ROOT = pathlib.Path(__file__).resolve().parents[4]
FILE = ROOT / "cases/compiler_differences.toml"
SIDE = "python:torch?via="
EAGER = "libtorch:cpu?capability=native&onednn=on"  # as people run it
SCALAR = "libtorch:cpu"  # on which witnesses are


def python():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    found = pathlib.Path(cache, "upcast/frameworks/torch/bin/python")
    if not found.exists():
        print("skipped: no environment of torch; run: ci/frameworks.sh torch", file=sys.stderr)
        sys.exit(77)
    return found


PYTHON = python()


def many(value):
    return value if isinstance(value, list) else [value]


def about(way):
    """The entries about a way, as subject or as one that errs alike."""
    entries = tomllib.loads(FILE.read_text())["difference"]
    return [entry for entry in entries if SIDE + way in [entry["subject"], *many(entry.get("also", []))]]


def paths(entry):
    """The calls of its witnesses `path: CALL on libtorch:cpu`."""
    return [re.fullmatch(r"path: (.*) on libtorch:cpu", text).group(1) for text in many(entry.get("witness", [])) if text.startswith("path: ")]


class Run:
    """What a way and eager say to lines: {line: (verdict, id or None, its answer, eager's)}."""

    def __init__(self, way, lines, known, oracle=EAGER):
        with tempfile.TemporaryDirectory() as folder:
            file, entries, store = (pathlib.Path(folder, name) for name in ("lines.cases", "known.toml", "run.db"))
            file.write_text("".join(line + "\n" for line in dict.fromkeys(lines)))
            entries.write_text(known)
            ended = subprocess.run([UPCAST, "run", "--cases", file, "--subject", f"python:torch?python={PYTHON}&via={way}", "--oracle", oracle,
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
    """What two answers to one question cannot differ in: whether it is one, its dtype, which elements are finite."""
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
        for way in WAYS:
            entries = about(way)
            self.assertTrue(entries, way)
            run = Run(way, [entry["case"] for entry in entries], FILE.read_text())
            for entry in entries:
                with self.subTest(way=way, id=entry["id"]):
                    self.assertEqual(run.of(entry["case"])[:2], (run.of(entry["case"])[0], entry["id"]), f"{run.of(entry['case'])} {run.errors}")

    def test_each_witness_is_computed_again(self):
        for way in WAYS:
            entries = [entry for entry in about(way) if entry["subject"] == SIDE + way and entry["class"] == "bug"]
            run = Run(way, [line for entry in entries for line in (entry["case"], *paths(entry))], "", SCALAR)
            for entry in entries:
                with self.subTest(way=way, id=entry["id"]):
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
        way = WAYS[0]
        entries = about(way)
        wrong = re.sub(r'^answer = ".*"', 'answer = "timeout"', FILE.read_text(), flags=re.M)
        run = Run(way, [entry["case"] for entry in entries], wrong)
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
