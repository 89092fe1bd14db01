"""Tests the workflow files of docs/how_to: what linters say to them, whether each flag of upcast and each script in them exists, and what their steps do when they are run as a runner runs them.

    workflows_test.py SOURCE UPCAST TEST_WORKER

Exits with 77 (skipped) where ci/setup.sh has not fetched ci/workflow_linters.txt and ci/readers.txt."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from workflow_checks import SCHEMAS, run_step, shellcheck, zizmor

import jsonschema  # noqa: E402, workflow_checks has put the folder of jsonschema on the path
import yaml  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "slurm"))
from workflow import workflow_of  # noqa: E402

SOURCE, UPCAST, WORKER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
GITHUB = json.loads((SCHEMAS / "github-workflows.json").read_text())


def parsed(text):
    workflow = yaml.safe_load(text)
    workflow["on"] = workflow.pop(True)  # in YAML 1.1 the key `on` means true
    return workflow


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def unknown_flags(script):
    """The flags and subcommands of `upcast` in a script that `upcast --help` does not list."""
    unknown = []
    for command, rest in re.findall(r"bin/upcast (\w+)(.*)", script):
        told = subprocess.run([UPCAST, command, "--help"], capture_output=True, text=True)
        if told.returncode != 0:
            unknown.append(command)
        for flag in re.findall(r"(?<![\w-])-{1,2}[a-z][\w-]*", rest):
            if not re.search(rf"(?<![\w-]){flag}(?![\w-])", told.stdout):
                unknown.append(flag)
    return unknown


def lint(text):
    """The faults of a workflow file that the linters and this test find, one line for each."""
    found = []
    workflow = parsed(text)
    found += [error.message for error in jsonschema.Draft7Validator(GITHUB).iter_errors(workflow)]
    found += zizmor(text, "workflow.yml")
    for job in workflow["jobs"].values():
        outputs = {f"{step['id']}.{name}" for step in job["steps"] if "id" in step
                   for name in re.findall(r'echo "(\w+)=.*>> "\$GITHUB_OUTPUT"', step.get("run", "")) or ["cache-hit"]}
        for used in re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", json.dumps(job)):
            if ".".join(used) not in outputs:
                found.append(f"no step sets {'.'.join(used)}")
        for script in [step["run"] for step in job["steps"] if "run" in step]:
            found += shellcheck(script)
            found += [f"upcast has no {flag}" for flag in unknown_flags(script)]
            found += [f"no {path}" for path in re.findall(r"\bupcast/(ci/\S+\.sh)", script) if not (SOURCE / path).is_file()]
    return found


class Workflows(unittest.TestCase):
    texts = {name: (SOURCE / "docs/how_to" / name).read_text() for name in ("conformance.yml", "shards.yml")}

    def test_linters_find_nothing(self):
        for name, text in self.texts.items():
            with self.subTest(name):
                self.assertEqual(lint(text), [])

    def test_each_check_finds_what_is_planted(self):
        good = self.texts["conformance.yml"]
        for old, new, said in (
            ("runs-on: ubuntu-24.04", "run-on: ubuntu-24.04", "runs-on"),
            ("steps.run.outputs.code <= 1", "steps.run.outputs.code <= && 1", "couldn't parse expression"),
            ("id: wheel", "id: weel", "no step sets wheel.cache-hit"),
            ("actions/cache@v4", "and/runs@v1", "unpinned-uses"),
            ("steps.run.outputs.code }}", "steps.run.outputs.kode }}", "no step sets run.kode"),
            ("id: run", "id: rerun", "no step sets run.code"),
            ('exit "$CODE"', "exit $CODE", "SC2086"),
            ("; fi", "; if", "SC1"),
            ("--step-summary", "--summary", "upcast has no --summary"),
            ("upcast report", "upcast rapport", "upcast has no rapport"),
            ("ci/wheel.sh", "ci/wheels.sh", "no ci/wheels.sh"),
        ):
            with self.subTest(new):
                self.assertIn(old, good)
                self.assertIn(said, "\n".join(lint(good.replace(old, new, 1))))


class Runner:
    """Runs the steps of a workflow's jobs in a temporary folder, with the environment that GitHub would give them."""

    def __init__(self, text):
        self.temporary = tempfile.TemporaryDirectory(prefix="upcast-job-")
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "venv/bin").mkdir(parents=True)
        (self.folder / "venv/bin/upcast").symlink_to(UPCAST)
        self.workflow = parsed(text)
        self.environment = {}

    def run(self, job, name, event="push", **more):
        """Runs a step of a job. Returns its exit code and what it printed; the outputs that it sets are in self.outputs."""
        job = self.workflow["jobs"][job]
        step = next(step for step in job["steps"] if step.get("name") == name)
        code, said, self.outputs = run_step(step["run"], self.folder, self.environment | {
            "GITHUB_EVENT_NAME": event, "UPCAST_WORKER": str(WORKER)} | more)
        return code, said


class TheGate(unittest.TestCase):
    """Tests the steps of conformance.yml as on several days, for a backend that does not pass yet."""

    def setUp(self):
        self.runner = Runner(Workflows.texts["conformance.yml"])
        self.addCleanup(self.runner.temporary.cleanup)

    def day(self, event, subject):
        """Runs the steps of conformance.yml as on one day. Returns (exit code of the gate, whether the run becomes the baseline)."""
        (self.runner.folder / "run.db").unlink(missing_ok=True)
        sides = {"SUBJECT": subject, "ORACLE": "test:right", "GRID": "smoke"}
        code, said = self.runner.run("upcast", "Run", event, **sides)
        outputs = self.runner.outputs
        self.assertEqual(code, 2 if outputs["code"] == "2" else 0, said)
        if code == 2:
            return 2, False
        code, said = self.runner.run("upcast", "Report", event)
        self.assertEqual(code, 0, said)
        self.assertIn("| planned | ran |", (self.runner.folder / "GITHUB_STEP_SUMMARY").read_text())
        gate, said = self.runner.run("upcast", "Gate", event, CODE=outputs["code"], BASELINES=outputs["baselines"])
        # The condition of the step Baseline, which the test evaluates itself.
        kept = event == "push" and int(outputs["code"]) <= 1
        if kept:
            self.assertEqual(self.runner.run("upcast", "Baseline", event)[0], 0)
        return gate, kept

    def test_a_backend_that_fails_gets_a_baseline_and_is_gated_by_it(self):
        self.assertEqual(self.day("pull_request", "test:wrong"), (1, False), "nothing to be compared with")
        self.assertEqual(self.day("push", "test:wrong"), (0, True), "the first baseline")
        self.assertEqual(self.day("pull_request", "test:wrong"), (0, False), "no worse")
        self.assertEqual(self.day("pull_request", "test:unable"), (3, False), "nothing judged")
        self.assertEqual(self.day("push", "test:right"), (0, True), "mended")
        self.assertEqual(self.day("pull_request", "test:wrong"), (1, False), "worse")
        self.assertEqual(self.day("push", "test:wrong"), (1, True), "worse, and what main is now")
        self.assertEqual(self.day("push", "test:wrong"), (0, True))
        self.assertEqual(self.day("push", "no-such-side"), (2, False))

    def test_the_conditions_are_those_that_the_days_take(self):
        conditions = {step.get("name", step.get("uses")): step.get("if") for step in steps(self.runner.workflow)}
        for name in ("Baseline", "actions/cache/save@v4"):
            self.assertEqual(conditions[name], "github.event_name == 'push' && steps.run.outputs.code <= 1")
        for name in ("Run", "Report", "Gate"):
            self.assertIsNone(conditions[name])
        names = list(conditions)
        self.assertLess(names.index("actions/cache/save@v4"), names.index("Gate"), "a gate that fails ends the job")


class Shards(unittest.TestCase):
    def setUp(self):
        self.runner = Runner(Workflows.texts["shards.yml"])
        self.addCleanup(self.runner.temporary.cleanup)
        self.runner.environment = {"SUBJECT": "test:right", "ORACLE": "test:right", "GRID": "smoke", "SHARDS": "2"}

    def test_the_matrix_is_the_number_of_shards(self):
        matrix = self.runner.workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"]
        self.assertEqual(matrix, list(range(1, self.runner.workflow["env"]["SHARDS"] + 1)))

    def test_a_plan_makes_the_workflow(self):
        plan = {"kind": "grid", "arguments": ["--grid", "full", "--subject", "impl:cpu"], "tasks": 4, "minutes": 180}
        shipped = Workflows.texts["shards.yml"]
        self.assertEqual(workflow_of(plan, shipped), shipped, "the page's own")
        other = workflow_of({**plan, "tasks": 3, "arguments": ["--grid", "smoke", "--oracle", "impl:emulated"], "minutes": 15}, shipped)
        self.assertEqual(lint(other), [])
        made = parsed(other)
        self.assertEqual(made["jobs"]["shard"]["strategy"]["matrix"]["shard"], [1, 2, 3])
        self.assertEqual(made["jobs"]["shard"]["timeout-minutes"], 15)
        self.assertEqual({name: made["env"][name] for name in ("GRID", "ORACLE", "SHARDS")},
                         {"GRID": "smoke", "ORACLE": "impl:emulated", "SHARDS": 3})
        for wrong in ({"tasks": 1000}, {"minutes": 1000}, {"kind": "sweep"}):
            with self.subTest(wrong), self.assertRaises(SystemExit):
                workflow_of({**plan, **wrong}, shipped)

    def test_two_shards_are_merged_and_a_missing_one_is_named(self):
        for shard in ("1", "2"):
            code, said = self.runner.run("shard", "Run", SHARD=shard)
            self.assertEqual(code, 0, said)
        second = self.runner.folder / "shard-2.db"
        kept = second.rename(self.runner.folder / "elsewhere.db")
        code, said = self.runner.run("merge", "Merge")
        self.assertEqual((code, self.runner.outputs["code"]), (0, "3"), said)
        self.assertIn("missing: shard 2/2", said)
        self.assertEqual(self.runner.run("merge", "Gate", CODE=self.runner.outputs["code"])[0], 3)
        kept.rename(second)
        (self.runner.folder / "run.db").unlink()
        code, said = self.runner.run("merge", "Merge")
        self.assertEqual((code, self.runner.outputs["code"]), (0, "0"), said)
        self.assertEqual(self.runner.run("merge", "Report")[0], 0)
        (self.runner.folder / "shard-1.db").unlink()
        code, said = self.runner.run("shard", "Run", SHARD="1", SHARDS="1")  # undivided
        self.assertEqual(code, 0, said)
        done = subprocess.run([UPCAST, "diff", "shard-1.db", "run.db", "--json", "-"], cwd=self.runner.folder,
                              capture_output=True, text=True)
        found = json.loads(done.stdout)
        self.assertEqual(sum(found[key] for key in ("changed", "added", "removed", "worse")), 0)
        self.assertGreater(found["same"], 10000)


unittest.main(argv=["workflows_test"] + sys.argv[4:])
