"""A plug-in of pytest that judges a subject: one test for each callable of ATen (add.Tensor, add_.Tensor, add.out).

    pytest --upcast-subject 'python:torch?python=python3&import=my_backend&device=my_device' --upcast-ops 'add,mul,special_*'

All of them are asked by one `upcast run`, before the first test. Without --upcast-subject the devices are those of PyTorch's
own device tests: TORCH_TEST_DEVICES, PYTORCH_TESTING_DEVICE_ONLY_FOR and _EXCEPT_FOR.
"""

import csv
import fnmatch
import json
import pathlib
import shlex
import shutil
import subprocess
import tempfile

import pytest

from upcast_conformance import FOLDER
from upcast_conformance import expected_failures as expected
from upcast_conformance import test_devices

SHOWN = 3  # how many cases a failed test shows
FAILED = ("differ", "crash", "timeout", "expectation")  # verdicts


def pytest_addoption(parser):
    group = parser.getgroup("upcast", "conformance of dtype promotion and elementwise ops")
    group.addoption("--upcast-subject", metavar="SUBJECT", help="the side to test, as in `upcast run`; default: the devices of TORCH_TEST_DEVICES")
    group.addoption("--upcast-oracle", metavar="ORACLE", default="libtorch:cpu", help="the side to compare it with")
    group.addoption("--upcast-ops", metavar="GLOBS", help="which ops or callables: 'add,special_*,mul_.Tensor'; default: all")
    group.addoption("--upcast-grid", metavar="GRID", default="ops", help="the grid of their cases (upcast list grids)")
    group.addoption("--upcast-options", metavar="TEXT", default="", help="further options of `upcast run`: '--jobs 8'")
    group.addoption("--upcast-expected-failures", metavar="FILE", help="the file of expected failures; one that no longer fails is an error")
    group.addoption("--upcast-write-expected", metavar="FILE", action="append", default=[],
                    help="write the failures to this file; FILE.py: in the form of PyTorch's op_overrides")


def pytest_configure(config):
    if config.getoption("--upcast-subject") or config.getoption("--upcast-ops"):
        config.pluginmanager.register(Plugin(config), "upcast-conformance")


def program():
    own = FOLDER / "bin" / "upcast"
    found = str(own) if own.exists() else shutil.which("upcast")
    if found is None:
        raise pytest.UsageError("the program upcast is not on the path; pip install upcast-conformance installs it")
    return found


def call(*command):
    """Runs upcast. Returns (exit code, standard output). Raises UsageError with upcast's message if the exit code is 2."""
    ended = subprocess.run([program(), *command], capture_output=True, text=True, check=False)
    if ended.returncode == 2:
        raise pytest.UsageError(ended.stderr.strip())
    return ended.returncode, ended.stdout


def callables(globs):
    """{callable: op}: the callables of the catalogue that --upcast-ops selects. `globs` are patterns with commas between them."""
    rows = json.loads(call("list", "ops", "--json", "-")[1])["rows"]
    patterns = globs.split(",")
    found = {name: row["op"] for row in rows for name in row["callables"].split()
             if any(fnmatch.fnmatchcase(word, pattern) for word in (row["op"], name, name.partition(".")[0]) for pattern in patterns)}
    if not found:
        raise pytest.UsageError(f"--upcast-ops '{globs}' names no op (upcast list ops)")
    return found


class Answers:
    """The results of the one `upcast run` about a subject, which the tests of its callables read."""

    def __init__(self, subject, names, config):
        self.subject, self.oracle = subject, config.getoption("--upcast-oracle")
        self.rows, self.records = {}, {}
        with tempfile.TemporaryDirectory(prefix="upcast-pytest-") as folder:
            store, rows, records = (str(pathlib.Path(folder) / name) for name in ("run.db", "rows.csv", "records.ndjson"))
            call("run", "--grid", config.getoption("--upcast-grid"), "--ops", ",".join(names), "--subject", subject, "--oracle",
                 self.oracle, "--out", store, *shlex.split(config.getoption("--upcast-options")))
            call("report", store, "--csv", rows, "--ndjson", records)
            with open(rows, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    counts = self.rows.setdefault(row["schema"], {})
                    for key in ("ran", "agree", "known", "unexplained", "not_judged"):
                        counts[key] = counts.get(key, 0) + int(row[key])
            with open(records, encoding="utf-8") as file:
                for record in map(json.loads, file):
                    if record["type"] == "record":
                        self.records.setdefault(record["line"].partition("(")[0], []).append(record)

    def counts(self, name):
        return self.rows.get(name, {"ran": 0, "agree": 0, "known": 0, "unexplained": 0, "not_judged": 0})

    def why_not_judged(self, name):
        """Why no case of the callable `name` was judged; None if a case was."""
        counts = self.counts(name)
        if counts["ran"] > counts["not_judged"]:
            return None
        reasons = {record["detail"] for record in self.records.get(name, ()) if record["verdict"] == "not_judged"}
        return "not judged: " + ("; ".join(sorted(reasons)[:SHOWN]) or "the subject does not claim it, or the grid has no case of it")

    def failures(self, name):
        """The records of the callable's differences that no known difference explains."""
        return [each for each in self.records.get(name, ()) if each["verdict"].startswith(FAILED)]

    def text(self, name):
        counts = self.counts(name)
        lines = [f"{counts['unexplained']:,} of {counts['ran'] - counts['not_judged']:,} judged cases differ from {self.oracle}"]
        for record in self.failures(name)[:SHOWN]:
            line = shlex.quote(record["line"])
            sides = f"--subject {shlex.quote(self.subject)} --oracle {shlex.quote(self.oracle)}"
            lines += ["", f"{record['verdict']}  {record['line']}", f"  subject  {record['subject']}", f"  oracle   {record['oracle']}",
                      f"  {record['detail']}", f"  again:    upcast run {line} {sides}", f"  program:  upcast repro {line} {sides} --python repro.py"]
        return "\n".join(lines)


class Differs(Exception):
    """Raised by the test of a callable whose answers differ from the oracle's; its text is what pytest shows."""


class Device(pytest.Collector):
    """Collects a test for each callable of one subject."""

    def __init__(self, *, subject, **others):
        super().__init__(**others)
        self.subject, self.answers = subject, None

    def collect(self):
        return []


class Callable(pytest.Item):
    def __init__(self, *, listed, **others):
        super().__init__(**others)
        self.listed = listed  # the dtypes of the callable that the file of expected failures lists; None: the callable is not listed

    def runtest(self):
        why = self.parent.answers.why_not_judged(self.name)
        if why is not None:
            pytest.skip(why)
        text = self.parent.answers.text(self.name)
        failures = self.parent.answers.failures(self.name)
        if self.listed is None:
            if self.parent.answers.counts(self.name)["unexplained"]:
                raise Differs(text)
            return
        if not failures:
            raise Differs("it is listed as an expected failure, but no longer fails: delete its line from the file")
        new = expected.dtypes_of(failures) - self.listed
        if new:
            raise Differs(f"it fails in {', '.join(sorted(new))} too, which is not expected\n{text}")
        pytest.xfail(f"expected: {', '.join(sorted(self.listed))}")

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if isinstance(excinfo.value, Differs) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"{self.parent.name}::{self.name}"


class Plugin:
    def __init__(self, config):
        self.config = config
        self.devices = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session, config, items):
        names = callables(config.getoption("--upcast-ops") or "*")
        file = config.getoption("--upcast-expected-failures")
        try:
            listed = expected.load(file) if file else {}
        except OSError as error:
            raise pytest.UsageError(f"--upcast-expected-failures: {error}") from None
        unknown = sorted(set(listed) - set(callables("*")))
        if unknown:
            raise pytest.UsageError(f"{file} lists '{unknown[0]}', which is not a callable (upcast list ops)")
        for subject in test_devices.subjects(config.getoption("--upcast-subject")):
            name = f"upcast[{test_devices.device_of(subject)}]"
            device = Device.from_parent(session, name=name, nodeid=name, subject=subject)
            self.devices.append(device)
            items.extend(Callable.from_parent(device, name=name, listed=listed.get(name)) for name in names)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        if self.config.getoption("collectonly"):
            return
        for device in self.devices:
            names = [item.name for item in session.items if item.parent is device]
            if names:
                device.answers = Answers(device.subject, names, self.config)

    def pytest_sessionfinish(self, session):
        answers = [device.answers for device in self.devices if device.answers is not None]
        failures = {item.name: item.parent.answers.failures(item.name) for item in session.items
                    if isinstance(item, Callable) and item.parent.answers in answers}
        failures = {name: records for name, records in failures.items() if records}
        for file in self.config.getoption("--upcast-write-expected") if answers else ():
            expected.write(file, failures, ", ".join(each.subject for each in answers))
