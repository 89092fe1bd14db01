"""Tests commands with odd names of files, missing or full folders, and a clock that jumps: odd_places_test.py UPCAST JUMPING_CLOCK.so."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

UPCAST = pathlib.Path(sys.argv[1]).resolve()
CLOCK = pathlib.Path(sys.argv[2]).resolve()
PLUGIN = UPCAST.parent.parent / "plugins/libupcast_impl_plugin.so"
PYTHON = UPCAST.parent.parent / "share/upcast/python"
CASE = "add(int32[3], 5.5)"
SIDES = ("--subject", "impl:cpu", "--oracle", "impl:cpu")
NAMES = ("with space", "'", '"', "two\nlines", "größe", "percent %s {}", "back\\slash", "*?[a]", "$(touch made)", "a;b&c", "#", "-dash", "=", ":memory:", "file:x")


def has_namespaces():
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0


class Places(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def upcast(self, *arguments, code=0, **how):
        ended = subprocess.run([UPCAST, *arguments], **{"cwd": self.folder, "capture_output": True, "text": True, "check": False, **how})
        self.assertEqual(ended.returncode, code, ended)
        if code == 2:
            self.assertEqual((ended.stderr.count("\n"), ended.stderr[:8]), (1, "upcast: "), ended.stderr)
        return ended

    def in_namespace(self, script, *arguments, **how):
        """Runs a shell script in a mount namespace of its own, so that its mounts end with the script."""
        return subprocess.run(["unshare", "-rm", "bash", "-ec", script, UPCAST, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, **how)


class OddNames(Places):
    def paths(self):
        for name in NAMES:
            place = self.folder / "names" / name
            place.mkdir(parents=True)
            yield name, lambda suffix, place=place, name=name: str(place / f"{name}{suffix}")

    def test_in_every_path_option(self):
        for name, path in self.paths():
            with self.subTest(name):
                pathlib.Path(path(".cases")).write_text(CASE + "\n")
                pathlib.Path(path(".toml")).write_text("")
                self.upcast("run", "--cases", path(".cases"), *SIDES, "--known", path(".toml"), "--out", path(".db"), "--json", path(".json"))
                self.assertEqual(json.loads(pathlib.Path(path(".json")).read_text())["agree"], 1)
                outputs = ("-o", "--junit", "--ctrf", "--step-summary", "--badge", "--csv", "--sarif", "--ndjson")
                self.upcast("report", path(".db"), *(word for flag in outputs for word in (flag, path(flag))))
                for flag in outputs:
                    self.assertGreater(pathlib.Path(path(flag)).stat().st_size, 0)
                self.upcast("merge", path(".db"), "-o", path("-merged.db"))
                self.upcast("diff", path(".db"), path("-merged.db"))
                self.upcast("run", CASE, *SIDES, "--baseline", path("-merged.db"))
        self.assertFalse((self.folder / "made").exists())

    def test_that_begin_with_a_dash_or_are_relative(self):
        for name in NAMES:
            with self.subTest(name):
                place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                self.upcast("run", CASE, *SIDES, f"--out={name}", f"--json={name}.json", cwd=place)
                self.upcast("report", f"--html={name}.html", "--", name, cwd=place)
                self.assertEqual(sorted(os.listdir(place)), sorted([name, f"{name}.json", f"{name}.html"]))

    def test_of_stores_that_are_not_there(self):
        for name in NAMES:
            if "\n" in name:
                continue
            with self.subTest(name):
                self.assertIn(name, self.upcast("report", "--", name + ".none", code=2).stderr)

    @unittest.skipUnless(PLUGIN.exists(), "the plug-in is not built")
    def test_of_plugins_and_processes(self):
        for name, path in self.paths():
            if "?" in name:  # begins the settings of a side
                continue
            with self.subTest(name):
                shutil.copy(PLUGIN, path(".so"))
                if "\n" in name:  # a side's name is a line
                    refused = subprocess.run([UPCAST, "run", CASE, "--subject", "plugin:" + path(".so")], capture_output=True, text=True)
                    self.assertEqual((refused.returncode, refused.stdout), (2, ""))
                    self.assertIn("names no side", refused.stderr)
                    continue
                ended = self.upcast("run", CASE, "--subject", "plugin:" + path(".so"), "--oracle", "impl:cpu", "--json", "-")
                self.assertEqual(json.loads(ended.stdout)["agree"], 1)
                program = pathlib.Path(path(".py"))
                program.write_text((PYTHON / "template/backend.py").read_text())
                command = f"{shlex.quote(sys.executable)} {shlex.quote(str(program))}"
                self.upcast("run", CASE, "--subject", "process:" + command, "--oracle", "impl:cpu",
                            env={**os.environ, "PYTHONPATH": str(PYTHON)})
        self.assertFalse((self.folder / "made").exists())


class OddFolders(Places):
    def test_no_home(self):
        for home in ({}, {"HOME": ""}, {"HOME": "/nowhere"}):
            with self.subTest(home):
                environment = {"PATH": os.environ["PATH"], **home}
                self.upcast("run", CASE, *SIDES, env=environment)
                self.upcast("list", "subjects", env=environment)
                self.assertIn("has no environment", self.upcast("run", CASE, "--oracle", "python:numpy", code=2, env=environment).stderr)

    def test_no_home_runs_nothing_of_the_current_folder(self):
        planted = self.folder / ".cache/upcast/frameworks/numpy/bin"
        planted.mkdir(parents=True)
        (planted / "python").write_text("#!/bin/sh\ntouch ran\n")
        (planted / "python").chmod(0o755)
        self.upcast("run", CASE, "--oracle", "python:numpy", code=2, env={"PATH": os.environ["PATH"]})
        self.assertFalse((self.folder / "ran").exists())
        self.upcast("run", CASE, "--oracle", "python:numpy", code=2, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        self.assertTrue((self.folder / "ran").exists(), "a control")

    @unittest.skipUnless(has_namespaces(), "no namespaces")
    def test_a_home_that_is_read_only(self):
        script = 'mkdir home; mount -t tmpfs -o ro none home; if touch home/x 2>&-; then exit 9; fi; HOME=$PWD/home "$0" run "$@" --out run.db; "$0" report run.db -o r.html'
        ended = self.in_namespace(script, CASE, *SIDES)
        self.assertEqual(ended.returncode, 0, ended)

    def test_no_temporary_folder(self):
        nowhere = {**os.environ, "TMPDIR": "/nowhere"}
        self.assertIn("TMPDIR", self.upcast("run", CASE, *SIDES, code=2, env=nowhere).stderr)
        self.upcast("run", CASE, *SIDES, "--out", "run.db", env=nowhere)
        self.upcast("report", "run.db", "-o", "r.html", env=nowhere)
        self.upcast("merge", "run.db", "-o", "merged.db", env=nowhere)

    @unittest.skipUnless(has_namespaces(), "no namespaces")
    def test_no_tmp(self):
        # What lies in /tmp, perhaps this checkout, stays readable.
        script = 'mount --bind /tmp /tmp; mount -o remount,bind,ro /tmp; if touch /tmp/x 2>&-; then exit 9; fi; unset TMPDIR; exec "$0" run "$@"'
        where = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, where)
        ended = subprocess.run(["unshare", "-rm", "bash", "-ec", script, UPCAST, CASE, *SIDES], cwd=where, capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr.count("\n")), (2, 1), ended)
        self.assertIn("TMPDIR", ended.stderr)
        ended = subprocess.run(["unshare", "-rm", "bash", "-ec", script, UPCAST, CASE, *SIDES, "--out", "run.db"], cwd=where, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended)

    @unittest.skipUnless(has_namespaces(), "no namespaces")
    def test_a_temporary_folder_that_is_full(self):
        """TMPDIR is a file system of 100 kB, other than that of the output."""
        mounted = 'mkdir small; mount -t tmpfs -o size=100k none small; export TMPDIR=$PWD/small; '
        ended = self.in_namespace(mounted + 'exec "$0" run --grid smoke "$@"', *SIDES)
        self.assertEqual((ended.returncode, ended.stderr.count("\n")), (2, 1), ended)
        self.assertIn("full", ended.stderr)
        script = mounted.replace("small", "tiny") + '"$0" run "$@" --out run.db --json run.json; "$0" merge run.db -o m.db; "$0" report m.db -o r.html; ls tiny'
        ended = self.in_namespace(script, CASE, *SIDES)
        self.assertEqual(ended.returncode, 0, ended)
        self.assertGreater((self.folder / "r.html").stat().st_size, 0)

    @unittest.skipUnless(has_namespaces(), "no namespaces")
    def test_an_output_folder_that_is_full(self):
        script = 'mkdir small; mount -t tmpfs -o size=100k none small; echo earlier > small/r.html; "$0" report run.db -o small/r.html && exit 9; cat small/r.html; ls -A small'
        self.upcast("run", CASE, *SIDES, "--out", "run.db")
        ended = self.in_namespace(script)
        self.assertEqual(ended.stdout, "earlier\nr.html\n", ended)
        self.assertIn("No space left", ended.stderr)


class JumpingClock(Places):
    """Tests with a time of day that jumps: time limits must hold, because they use a clock that cannot be set."""

    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "LD_PRELOAD": str(CLOCK)}

    def test_it_jumps(self):
        script = "import time; print(max(time.time() for _ in range(20)) - min(time.time() for _ in range(20)) > 80000)"
        ended = subprocess.run([sys.executable, "-c", script], env=self.environment, capture_output=True, text=True, check=True)
        self.assertEqual(ended.stdout, "True\n", "a control")

    def test_ends_and_delays_no_run(self):
        ended = self.upcast("run", "--grid", "smoke", *SIDES, "--time-limit", "30", "--out", "run.db", "--json", "-", env=self.environment, timeout=300)
        summary = json.loads(ended.stdout)
        self.assertEqual(summary["agree"], summary["ran"])
        self.assertGreater(summary["ran"], 10000)

    def test_ends_and_delays_no_plugin_process_or_sweep(self):
        for arguments in (("laws", "forms", "--side", "impl:cpu", "--ops", "lerp"), ("check-plugin", str(PLUGIN)),
                          ("sweep", "exp", "--side", "impl:cpu", "--samples", "1000")):
            if (arguments[0] == "sweep" and not (UPCAST.parent / "upcast-sweep").exists()) or (str(PLUGIN) in arguments and not PLUGIN.exists()):
                continue
            with self.subTest(arguments):
                self.upcast(*arguments, env=self.environment, timeout=300)

    def test_a_side_that_hangs_is_still_found(self):
        environment = {**self.environment, "UPCAST_WORKER": str(UPCAST.parent / "upcast-test-worker")}
        (self.folder / "none.toml").write_text("")
        sides = ("--subject", "test:hang", "--oracle", "test:right", "--known", "none.toml")
        ended = self.upcast("run", "add(float32[1], float32[1])", *sides, "--time-limit", "0.5", "--json", "-", code=3, env=environment, timeout=120)
        self.assertEqual(json.loads(ended.stdout)["timeout"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
