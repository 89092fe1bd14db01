"""Processes as sides of `upcast run`: process_test.py UPCAST SOURCE runs|schema [READERS].

runs: tests with the template, the echo and broken processes. schema: tests that every line which either side sends
fits docs/schemas/process.schema.json; exits 77 without jsonschema (ci/readers.txt, fetched by ci/setup.sh).
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

UPCAST, SOURCE, WHAT = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
PYTHON = sys.executable
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE / "oracle/frameworks/python")}
TEMPLATE = f"process:{PYTHON} {SOURCE}/oracle/frameworks/python/template/backend.py"
ECHO = f"process:{PYTHON} {SOURCE}/oracle/protocol/testing/echo.py"
HAS_CHAINS = (pathlib.Path(UPCAST).parent / "upcast-fuzz-chains").exists()  # a build without LibTorch has none
sys.path.insert(0, ENVIRONMENT["PYTHONPATH"])
from upcast_protocol.tensor import DTYPES  # noqa: E402


def pids(part):
    """The numbers of the processes whose command line holds `part`."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if part in command and "process:" not in command:  # upcast's own
            found.append(int(folder.name))
    return found


def eventually(holds, seconds=10):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def run(*arguments, prefix=()):
    """Runs `upcast run`. Returns (exit code, counts by --json, standard error)."""
    ended = subprocess.run([*prefix, UPCAST, "run", *arguments, "--json", "-"], env=ENVIRONMENT, capture_output=True, text=True,
                           check=False)
    return ended.returncode, json.loads(ended.stdout) if ended.stdout.strip() else {}, ended.stderr


def check_plugin(side, *arguments):
    return subprocess.run([UPCAST, "check-plugin", side.removeprefix("process:"), *arguments], env=ENVIRONMENT, capture_output=True,
                          text=True, check=False)


class Runs(unittest.TestCase):
    def agree(self, lines, subject, oracle):
        code, counts, errors = run(*lines, "--subject", subject, "--oracle", oracle)
        self.assertEqual((code, counts.get("agree")), (0, len(lines)), errors)

    def test_the_template_is_right_on_either_side(self):
        lines = ["add.Tensor(float32[3], 2.5)", "add(int32[2,3], int32[2,3]:permuted)", "neg(float64[])",
                 "add(int32[3], 1.5)", "add(float64[2], int32[])", "add(float32[0], float32[0])"]
        self.agree(lines, TEMPLATE, "impl:cpu")
        self.agree(lines, "impl:cpu", TEMPLATE)

    def test_the_template_is_short(self):
        text = (SOURCE / "oracle/frameworks/python/template/backend.py").read_text()
        self.assertLessEqual(len(text.splitlines()), 60)

    def test_the_template_passes_check_plugin(self):
        ended = check_plugin(TEMPLATE)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertEqual(check_plugin(ECHO).returncode, 1, "a control: the echo is wrong")

    def test_every_dtype_and_layout_gets_through(self):
        self.agree([f"clone({dtype}{shape}, values=special)" for dtype in DTYPES
                    for shape in ("[7]", "[]", "[0]", "[2,3]:permuted", "[3000]", "[100,40]:permuted")], ECHO, "impl:cpu")

    def test_what_a_call_writes_is_its_own(self):
        """A case that writes an operand does not change it for the other cases of the same request."""
        lines = ["copy_(float32[4], float32[4]:shares(0))", "clone(float32[4])"] * 3
        self.agree(lines, ECHO, "impl:cpu")

    def test_an_alias_is_asked_by_the_name_that_there_is(self):
        """A function "mul" also answers multiply.Tensor. A function with an alias's name answers that alias only."""
        for names, agree in {"mul": 2, "multiply": 1, "mul multiply": 2}.items():
            side = f"process:{PYTHON} {SOURCE}/oracle/protocol/testing/product.py {names}"
            _, counts, errors = run("multiply.Tensor(int32[3], int32[3])", "mul.Tensor(int32[3], int32[3])", "--subject", side,
                                    "--oracle", "impl:cpu")
            self.assertEqual((counts["agree"], counts["not_judged"], counts["crash"]), (agree, 2 - agree, 0), errors)

    def test_a_default_dtype_that_it_lacks_is_not_judged(self):
        _, counts, _ = run("clone(int8[2])", "clone(int8[2]) @default=bfloat16", "clone(int8[2]) @default=float64",
                           "--subject", ECHO, "--oracle", "impl:cpu")
        self.assertEqual((counts["agree"], counts["not_judged"]), (2, 1))

    def broken(self, deed, cases=40, wrapper="", prefix=(), time_limit=4):
        lines = [f"{'sub' if i == 17 else 'add'}.Tensor(float32[1], float32[1], seed={i})" for i in range(cases)]
        side = f"process:{wrapper}{PYTHON} {SOURCE}/oracle/protocol/testing/broken.py {deed}"
        return run(*lines, "--subject", side, "--oracle", side, "--time-limit", str(time_limit), "--jobs", "1",
                   prefix=prefix)

    def wrapped(self, wrapper, deeds=("right", "hang", "ignore-signals", "exit", "become-a-daemon"), prefix=()):
        """Tests a command that `wrapper` starts: right answers arrive, a hang or death becomes a verdict, and no
        process is left."""
        verdicts = {"exit": "crash", "become-a-daemon": "crash"}
        for deed in deeds:
            with self.subTest(deed):
                wrong = int(deed != "right")
                _, counts, errors = self.broken(deed, wrapper=wrapper, prefix=prefix)
                self.assertEqual((counts.get("ran"), counts.get("agree"), counts.get(verdicts.get(deed, "timeout"))),
                                 (40, 40 - wrong, wrong), errors)
                self.assertTrue(eventually(lambda: not pids(f"{SOURCE}/oracle/protocol/testing/broken.py {deed}")),
                                "nothing is alive after the run")

    @unittest.skipUnless(HAS_CHAINS, "a build without LibTorch has no upcast-fuzz-chains")
    def test_chains_have_only_what_the_manifest_claims(self):
        narrow = f"process:{PYTHON} {SOURCE}/oracle/protocol/testing/narrow.py"
        chains = [UPCAST, "fuzz", "--target", "chain", "--subject", narrow, "--oracle", "impl:cpu"]
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([*chains, "--runs", "100", "--corpus", f"{folder}/corpus", "--follow-up", "0", "--json", "-"],
                                   env=ENVIRONMENT, capture_output=True, text=True, check=False)
            counts = json.loads(ended.stdout)
            self.assertGreaterEqual(counts["cases"], 100, ended.stderr)
            self.assertEqual(counts["not_judged"], 0, ended.stderr)
        replayed = subprocess.run([*chains, "--replay", "clone(float32[2]); [takes 1] neg(float32[2])"], env=ENVIRONMENT,
                                  capture_output=True, text=True, check=False)
        self.assertEqual((replayed.returncode, replayed.stdout), (3, "neg(float32[2])\nnot_judged no such op\n"))

    def test_nothing_of_a_process_is_alive_after_the_run(self):
        self.wrapped("")

    def test_a_process_in_namespaces_of_its_own(self):
        wrapper = "unshare -r --pid --fork "
        if subprocess.run([*wrapper.split(), "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no user namespaces here")
        self.wrapped(wrapper)

    def test_a_process_of_another_user_that_may_not_be_killed(self):
        """upcast runs as the user nobody. The side runs as root, because a program like sudo starts it."""
        if os.geteuid() != 0:
            self.skipTest("needs root, to make a program that changes the user")
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            switch = shutil.copy(shutil.which("setpriv"), folder)
            os.chmod(switch, 0o4755)
            nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={folder}",
                      # A worker without LibTorch, because the user nobody may not read the LibTorch that root has
                      # installed.
                      f"UPCAST_WORKER={pathlib.Path(UPCAST).parent}/upcast-test-worker")
            if subprocess.run([*nobody, UPCAST, "--version"], capture_output=True, check=False).returncode != 0:
                self.skipTest("another user may not execute this build")
            side = f"{switch} --reuid=0 --clear-groups "
            self.wrapped(side, deeds=("right", "exit"), prefix=nobody)
            # A process that hangs outlives the run, because the user nobody may not kill it. So this test kills it.
            _, counts, errors = self.broken("hang", wrapper=side, prefix=nobody, time_limit=5)
            left = pids("testing/broken.py hang")
            for pid in left:
                with contextlib.suppress(ProcessLookupError):  # it may have ended with its parent
                    os.kill(pid, signal.SIGKILL)
            self.assertEqual((counts.get("ran"), counts.get("agree"), counts.get("timeout")), (40, 39, 1), errors)
            self.assertGreater(len(left), 0, "a control: it could not be killed")

    def test_a_run_with_a_broken_process_ends_whole(self):
        for deed, verdict in {"segfault": "crash", "exit": "crash", "hang": "timeout", "garbage": "crash", "null": "crash",
                              "wrong-shape": "crash", "one-gigabyte": "crash", "close-output": "crash"}.items():
            with self.subTest(deed):
                code, counts, errors = self.broken(deed)
                self.assertEqual(code, 1, errors)
                self.assertEqual((counts["planned"], counts["ran"], counts["agree"], counts[verdict]), (40, 40, 39, 1))

    def test_a_process_that_cannot_start_is_one_line(self):
        for deed in ("wrong-proto", "not-json", "dies-at-once", "bad-manifest"):
            with self.subTest(deed):
                code, _, errors = self.broken(deed)
                self.assertEqual(code, 2)
                self.assertRegex(errors, r"\Aupcast: process:[^\n]*\n\Z")

    def test_a_framework_that_is_not_there_says_how_to_get_it(self):
        for name, text in {"numpy==0.0.1": r"run: ci/frameworks.sh numpy==0\.0\.1, or name your own interpreter: python:numpy\?python=python3\n\Z", "": "names no side: write python:numpy"}.items():
            code, _, errors = run("neg(int8[1])", "--subject", f"python:{name}", "--oracle", "impl:cpu")
            self.assertEqual(code, 2)
            self.assertRegex(errors, text)


class Schema(unittest.TestCase):
    def test_both_sides_say_what_the_schema_allows(self):
        import jsonschema  # pylint: disable=import-outside-toplevel,import-error
        schema = json.loads((SOURCE / "docs/schemas/process.schema.json").read_text())
        checks = {side: jsonschema.Draft7Validator({**schema, "oneOf": [{"$ref": f"#/definitions/{side}"}]})
                  for side in ("request", "reply")}
        with tempfile.TemporaryDirectory() as folder:
            command = ECHO.removeprefix("process:")
            # Runs one job, because two processes would overwrite each other's file.
            run("--jobs", "1", "--grid", "smoke", "--shard", "1/12", "--subject",
                f"process:sh -c 'tee {folder}/request | {command} | tee {folder}/reply'", "--oracle", "impl:cpu")
            run("--jobs", "1", "clone(float32[5000])", "promote_types(int8, int8)", "add_.Tensor(int8[4], int8[4]:shares(0), alpha=2)", "add(int32[2]:offset(3), 1+2j)",
                "frexp.Tensor_out(float32[2], out=float32[2], second_out=int32[2])", "neg(int8[1]) @default=float64",
                "div.Tensor_mode(int32[2], int32[2], rounding_mode=\"floor\")", "clamp(float32[2], None, 18446744073709551615)",
                "--subject", f"process:sh -c 'tee -a {folder}/request | {command} | tee -a {folder}/reply'", "--oracle",
                "impl:cpu")
            if HAS_CHAINS:
                subprocess.run([UPCAST, "fuzz", "--target", "chain", "--subject", f"process:sh -c 'tee -a {folder}/request | {command} | "
                                f"tee -a {folder}/reply'", "--oracle", "impl:cpu", "--replay",
                                "clone(float32[2]); [takes 1] clone(float32[2])"], env=ENVIRONMENT, check=True, capture_output=True)
            seen = set()
            for side, check in checks.items():
                lines = pathlib.Path(folder, side).read_text().splitlines()
                self.assertGreater(len(lines), 10)
                for line in lines:
                    check.validate(json.loads(line))
                    seen |= set(re.findall(r'"([a-z_]+)":', line))
            # Checks that the recorded lines contain every feature of the protocol.
            self.assertLessEqual({"hex", "at", "offset", "named", "writes", "out", "complex", "int", "none", "text", "skipped",
                                  "refused", "room", "default_dtype", *(["before", "result", "chains"] if HAS_CHAINS else [])}, seen)
        for side, line in {"request": {"cmd": "run", "seq": 1}, "reply": {"seq": 1, "answers": [{"id": 1, "ok": None}]}}.items():
            self.assertFalse(checks[side].is_valid(line), f"a control: {line}")

    def test_what_check_plugin_writes(self):
        import jsonschema  # pylint: disable=import-outside-toplevel,import-error
        schema = json.loads((SOURCE / "docs/schemas/check_plugin.schema.json").read_text())
        for side, ok in ((TEMPLATE, True), (ECHO, False)):
            found = json.loads(check_plugin(side, "--json", "-").stdout)
            jsonschema.validate(found, schema)
            self.assertEqual(found["$schema"], schema["$id"])
            self.assertEqual(found["ok"], ok)
        self.assertTrue(any(step["faults"] for step in found["steps"]))
        del found["steps"][0]["cases"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(found, schema)


if __name__ == "__main__":
    if WHAT == "schema":
        version = re.search(r"^[^#=]*==(\S*)", pathlib.Path(sys.argv[4]).read_text(), re.M).group(1)
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
        sys.path.insert(0, str(cache / f"readers-{version}"))
        try:
            import jsonschema  # noqa: F401
        except ImportError:
            print("skipped: jsonschema is not there; ci/setup.sh fetches it", file=sys.stderr)
            sys.exit(77)
    unittest.main(argv=sys.argv[:1], defaultTest={"runs": "Runs", "schema": "Schema"}[WHAT], verbosity=1)
