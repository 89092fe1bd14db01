"""Tests ci/fuzz_parsers.py and ci/parsers_page.py with a stand-in for the engine, whose parser `bad` has a fault."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from fuzz_parsers import machine  # noqa: E402
from parsers_page import page  # noqa: E402

ENGINE = """#!{python}
import os, pathlib, sys, time
parser = os.environ["UPCAST_FUZZ_PARSER"]
with open({log!r}, "a") as log:
    log.write(f"{{parser}} {{[word for word in sys.argv if word.startswith('-max_len')]}} {{os.environ['ASAN_OPTIONS']}}\\n")
runs = next(int(word[6:]) for word in sys.argv if word.startswith("-runs="))
while parser == "slow" and time.process_time() < 0.3:
    pass
print("stat::number_of_executed_units: 10", file=sys.stderr)
if parser in ("stalled", "endless"):
    print(f"Test unit written to timeout-{{parser}}", file=sys.stderr)
    sys.exit(70)
if parser == "killed":
    os.kill(os.getpid(), 9)
if parser != "bad":
    print(f"stat::number_of_parsed_texts: {{min(runs, 40)}}", file=sys.stderr)
sys.exit(77 if parser == "bad" else 0)
"""
REPLAY = """#!{python}
import sys
print("no parser '?'; one of: date slow bad stalled endless killed", file=sys.stderr)
sys.exit(1 if "timeout-endless" in sys.argv else 0)
"""


class FuzzParsers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        for name, text in (("engine", ENGINE), ("engine-replay", REPLAY), ("sanitized", ENGINE), ("sanitized-replay", REPLAY)):
            program = self.folder / name
            program.write_text(text.format(python=sys.executable, log=str(self.log)))
            program.chmod(0o755)

    def fuzz(self, *arguments, code=0):
        ended = subprocess.run([sys.executable, HERE / "fuzz_parsers.py", self.folder / "engine", "--corpus", self.folder / "corpus",
                                "--runs", "100", *arguments], capture_output=True, text=True)
        self.assertEqual(ended.returncode, code, ended)
        return ended.stdout.splitlines()[-1]

    def ledger(self):
        return json.loads((self.folder / "corpus/executions.json").read_text())

    def turns(self):
        return [line.split()[0] for line in self.log.read_text().splitlines()]

    def test_until_each_has_its_executions(self):
        self.assertEqual(self.fuzz("date", "slow"), "2 of 2 parsers have 100 executions, 0 faults")
        self.assertEqual({name: had["executions"] for name, had in self.ledger().items()}, {"date": 100, "slow": 100})
        self.assertEqual(self.fuzz("date", "slow"), "2 of 2 parsers have 100 executions, 0 faults")
        self.assertEqual(len(self.turns()), 6, "the second run had nothing to do")

    def test_the_cheapest_first(self):
        self.fuzz("slow", "date", "--cheapest")
        self.assertEqual(self.turns(), ["slow", "date", "date", "date", "slow", "slow"])

    def test_in_turn_without(self):
        self.fuzz("slow", "date")
        self.assertEqual(self.turns()[:2], ["slow", "date"])

    def test_short_inputs_for_short_tokens_and_sanitizers_that_are_fast(self):
        self.fuzz("date", "slow")
        self.assertIn("date ['-max_len=64'] malloc_context_size=1", self.log.read_text())
        self.assertIn("slow ['-max_len=4096']", self.log.read_text())

    def test_a_fault_ends_its_parser_and_is_counted(self):
        self.assertEqual(self.fuzz("date", "bad", code=1), "1 of 2 parsers have 100 executions, 1 faults")
        self.assertEqual((self.ledger()["bad"]["faults"], self.turns().count("bad")), (1, 1))

    def test_an_engine_that_is_killed_is_neither_a_fault_nor_counted(self):
        ended = subprocess.run([sys.executable, HERE / "fuzz_parsers.py", self.folder / "engine", "--corpus", self.folder / "corpus",
                                "--runs", "100", "killed"], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("something killed the engine of killed", ended.stderr)
        self.assertFalse((self.folder / "corpus/executions.json").exists())

    def test_texts_are_counted_and_where_an_engine_aborts_inputs(self):
        self.fuzz("date", "bad", "--runs", "40", code=1)
        self.assertEqual({name: had["executions"] for name, had in self.ledger().items()}, {"date": 40, "bad": 10})

    def test_an_input_that_ends_in_time_when_it_runs_again_is_no_fault(self):
        self.assertEqual(self.fuzz("stalled", "endless", code=1), "1 of 2 parsers have 100 executions, 1 faults")
        self.assertEqual({name: had["faults"] for name, had in self.ledger().items()}, {"stalled": 0, "endless": 1})

    def test_sanitizers_run_what_grew(self):
        sanitized = ("--sanitized", self.folder / "sanitized")
        self.assertEqual(self.fuzz("date", "slow", *sanitized), "2 of 2 parsers have 100 executions, 0 faults")
        self.assertEqual(self.turns()[-2:], ["date", "slow"])
        before = len(self.turns())
        self.fuzz("date", "slow", *sanitized)
        self.assertEqual(len(self.turns()), before, "no corpus grew")
        counts = {name: (had["executions"], had["sanitized"], had["unsanitized"]) for name, had in self.ledger().items()}
        self.assertEqual(counts, {"date": (100, 40, 0), "slow": (100, 40, 0)})

    def test_a_fault_under_sanitizers_is_counted(self):
        (self.folder / "sanitized").write_text("#!/bin/sh\nexit 77\n")
        self.assertEqual(self.fuzz("date", "--sanitized", self.folder / "sanitized", code=1),
                         "1 of 1 parsers have 100 executions, 1 faults")
        self.assertEqual(self.ledger()["date"]["faults"], 1)

    def test_a_ledger_of_before_goes_on(self):
        ledger = self.folder / "old.json"
        ledger.write_text('{"date": {"executions": 90, "seconds": 2.0, "faults": 0, "first": "2026-01-02", "last": "2026-01-02"}}')
        self.fuzz("date", "--ledger", ledger, "--sanitized", self.folder / "sanitized")
        row = json.loads(ledger.read_text())["date"]
        self.assertEqual((row["executions"], row["sanitized"], row["first"]), (100, 40, "2026-01-02"))

    def test_a_ledger_elsewhere(self):
        self.fuzz("date", "--ledger", self.folder / "counts.json")
        self.assertEqual(json.loads((self.folder / "counts.json").read_text())["date"]["executions"], 100)
        self.assertFalse((self.folder / "corpus/executions.json").exists())

    def test_the_page(self):
        self.fuzz("date", "bad", code=1)
        parsers = self.ledger()
        parsers["date"]["seconds"] = 2.0
        parsers["bad"].update(seconds=0.1, first="2026-01-02", machines=["1 core of another", *parsers["date"]["machines"]])
        text = page(parsers, 100)
        for words in ("- Date: 2026-01-02 to ", f"- Machines: 1 core of another; {machine()}. ",
                      "110 in all, with 1 fault.", "Parsers with 100 executions: 1 of 2 in the table.",
                      "| `date` | 100 | 0 | 0 | 50 | 0.0 |\n| `bad` | 10 | 0 | 1 | 100 | 0.0 |\n"):
            self.assertIn(words, text)
        del parsers["bad"]["machines"]
        self.assertIn("; unknown. Other", page(parsers, 100))


if __name__ == "__main__":
    unittest.main()
