"""Tests action.yml and ci/Dockerfile: linters accept them, and the action's steps do what they should when they are run as a runner runs them. No Docker is needed, and none is run.

    action_test.py SOURCE UPCAST TEST_WORKER

Exits with 77 (skipped) where ci/setup.sh has not fetched ci/workflow_linters.txt and ci/readers.txt."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

from workflow_checks import HADOLINT, SCHEMAS, run_step, shellcheck, zizmor

import jsonschema  # noqa: E402, workflow_checks has put the folder of jsonschema on the path
import yaml  # noqa: E402

SOURCE, UPCAST, WORKER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
ACTION, DOCKERFILE = ((SOURCE / name).read_text() for name in ("action.yml", "ci/Dockerfile"))
SCHEMA = json.loads((SCHEMAS / "github-actions.json").read_text())


def lint_action(text):
    action = yaml.safe_load(text)
    found = [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(action)]
    found += zizmor(text, "action.yml")
    for step in action["runs"]["steps"]:
        found += shellcheck(step["run"])
        for group, name in re.findall(r"\$\{\{ (inputs|steps\.judge\.outputs)\.([\w-]+) \}\}", json.dumps(step)):
            known = action["inputs"] if group == "inputs" else {"verdict", "counts", "report"}
            found += [] if name in known else [f"there is no {group}.{name}"]
    return found


def lint_dockerfile(text):
    done = subprocess.run([HADOLINT, "-"], input=text, capture_output=True, text=True)
    return done.stdout + done.stderr


def make_wheel(folder, name):
    """Makes a wheel that holds only a module that prints its name."""
    file = folder / f"{name}-1.0-py3-none-any.whl"
    information = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
                   "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n", "RECORD": ""}
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr(f"{name}.py", f"print('{name}')\n")
        for part, text in information.items():
            wheel.writestr(f"{name}-1.0.dist-info/{part}", text)
    return file


class Lint(unittest.TestCase):
    def test_linters_find_nothing(self):
        self.assertEqual(lint_action(ACTION), [])
        self.assertEqual(lint_dockerfile(DOCKERFILE), "")

    def test_each_check_finds_what_is_planted(self):
        for old, new, said in (
            ("using: composite", "using: composed", "composed"),
            ("inputs.wheel }}", "inputs.weel }}", "there is no inputs.weel"),
            ("outputs.verdict }}\n      run", "outputs.verdikt }}\n      run", "there is no steps.judge.outputs.verdikt"),
            ('echo "upcast: $VERDICT"', "echo upcast: $VERDICT", "SC2086"),
            ('echo "upcast: $VERDICT"', 'echo "upcast: ${{ inputs.subject }}"', "template-injection"),
            ("name: Install\n", "name: Install\n      uses: and/runs@v1\n", "unpinned-uses"),
        ):
            with self.subTest(new):
                self.assertIn(old, ACTION)
                self.assertIn(said, "\n".join(lint_action(ACTION.replace(old, new, 1))))
        for old, new, said in ((":3.11-slim-bookworm", ":latest", "DL3007"), ("--no-cache-dir ", "", "DL3042"),
                               ("USER 1000", "RUN cd /tmp", "DL3003"), ("WORKDIR /work", "WORKDIR work", "DL3000")):
            with self.subTest(new):
                self.assertIn(said, lint_dockerfile(DOCKERFILE.replace(old, new, 1)))

    def test_both_name_the_libtorch_that_is_built_with(self):
        version = re.search(r"^torch==(\S+)", (SOURCE / "ci/libtorch.txt").read_text(), re.M).group(1)
        for text in (ACTION, DOCKERFILE):
            self.assertEqual(re.findall(r"torch==([\w.]+)", text), [version])


class Steps(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="upcast-action-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.action = yaml.safe_load(ACTION)

    def step(self, name, outputs=None, **inputs):
        """Runs a step of action.yml. Its environment has the inputs or their defaults, and the outputs of the step Judge."""
        given = {key: row.get("default", "") for key, row in self.action["inputs"].items()}
        given |= {key.replace("_", "-"): value for key, value in inputs.items()}
        values = {f"inputs.{key}": value for key, value in given.items()}
        values |= {f"steps.judge.outputs.{key}": value for key, value in (outputs or {}).items()}
        step = next(step for step in self.action["runs"]["steps"] if step["name"] == name)
        environment = {key: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found.group(1)], text)
                       for key, text in step["env"].items()}
        return run_step(step["run"], self.folder, environment | {
            "RUNNER_TEMP": str(self.folder), "GITHUB_ACTION_PATH": str(SOURCE), "UPCAST_WORKER": str(WORKER)})

    def judge(self, **inputs):
        """Runs the steps Judge and Gate; checks that Gate's exit code fits the verdict. Returns (verdict, output of Judge, counts)."""
        bin_folder = self.folder / "upcast/bin"
        bin_folder.mkdir(parents=True, exist_ok=True)
        if not (bin_folder / "upcast").exists():
            (bin_folder / "upcast").symlink_to(UPCAST)
        for left in self.folder.glob("out/run.db"):
            left.unlink()
        asked = {"grid": "smoke", "subject": "test:right", "oracle": "test:right", "folder": "out"}
        code, said, outputs = self.step("Judge", **asked | inputs)
        self.assertEqual(code, 2 if outputs["verdict"] == "fault" else 0, said)
        if code == 2:
            return "fault", said, {}
        gate = self.step("Gate", outputs)[0]
        self.assertEqual(gate, 0 if outputs["verdict"] == "as expected" else 1)
        self.assertIn("<html", (self.folder / outputs["report"]).read_text())
        self.assertIn("| planned | ran |", (self.folder / "GITHUB_STEP_SUMMARY").read_text())
        return outputs["verdict"], said, json.loads(outputs["counts"])

    def test_the_programs_are_installed_where_the_other_steps_look(self):
        torch, upcast = (str(make_wheel(self.folder, name)) for name in ("torch", "upcast_conformance"))
        code, said, _ = self.step("Install", torch=torch, wheel=upcast)
        self.assertEqual(code, 0, said)
        printed = subprocess.run([self.folder / "upcast/bin/python", "-c", "import torch, upcast_conformance"], capture_output=True,
                                 text=True, cwd="/")
        self.assertEqual(printed.stdout, "torch\nupcast_conformance\n", printed.stderr)
        self.assertNotEqual(self.step("Install", torch=torch, wheel="no_such_file.whl")[0], 0)

    def test_verdicts(self):
        verdict, said, counts = self.judge()
        self.assertEqual((verdict, counts["unexplained"]), ("as expected", 0))
        self.assertNotIn("::error", said)
        verdict, said, counts = self.judge(subject="test:wrong")
        self.assertEqual(verdict, "differs")
        self.assertGreater(counts["unexplained"], 0)
        self.assertRegex(said, r"(?m)^::error title=upcast differ\(\w+\)::")
        os.rename(self.folder / "out/run.db", self.folder / "before.db")
        self.assertEqual(self.judge(subject="test:wrong", baseline="before.db")[0], "as expected", "no worse than before")
        self.assertEqual(self.judge(subject="test:unable")[0], "incomplete", "nothing was judged")

    def test_too_little_judged_is_no_pass(self):
        judged = self.judge()[2]["ran"]
        self.assertEqual(self.judge(minimum_judged=str(judged))[0], "as expected")
        verdict, said, _ = self.judge(minimum_judged=str(judged + 1))
        self.assertEqual(verdict, "too little judged")
        self.assertIn(f"--min-judged {judged + 1}: {judged:,} cases were judged", said)
        self.assertEqual(self.judge(minimum_judged="100%")[0], "as expected")

    def test_faults_are_annotations_of_one_line(self):
        for inputs, text in (({"grid": "smok"}, "smok"), ({"baseline": "none.db"}, "none.db"), ({"minimum_judged": "all"}, "neither a number")):
            verdict, said, _ = self.judge(**inputs)
            self.assertEqual(verdict, "fault")
            self.assertRegex(said, rf"(?m)^::error title=upcast::.*{re.escape(text)}")

    def test_ops_are_handed_on_or_refused_in_one_line(self):
        verdict, said, counts = self.judge(ops="add.Tensor")
        self.assertEqual(verdict, "as expected", said)
        self.assertLess(counts["ran"], self.judge()[2]["ran"])
        verdict, said, _ = self.judge(ops="ad")
        self.assertEqual(verdict, "fault")
        self.assertIn("did you mean add?", said)


unittest.main(argv=["action_test"] + sys.argv[4:])
