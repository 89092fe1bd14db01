"""Tests how every command writes to a full disk, a closed pipe, closed streams and things that are no files: output_files_test.py UPCAST."""

import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

from asked_commands import CASE, SIDES, Commands

UPCAST = pathlib.Path(sys.argv[1]).resolve()
PROGRESS = re.compile(r"upcast: +\d+%")  # how far a run is
PROGRAMS = ("neighbours", "truth-gaps", "hard-inputs", "sweep", "fuzz", "bench", "minimize", "repro")


def setUpModule():
    global commands, folder
    held = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(held.cleanup)
    folder = pathlib.Path(held.name)
    commands = Commands(UPCAST, folder)


def limited(size):
    """A function for subprocess's preexec_fn: the process cannot write a file larger than `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Outputs(unittest.TestCase):
    def setUp(self):
        before = set(folder.iterdir())
        self.addCleanup(lambda: self.assertEqual([path.name for path in set(folder.iterdir()) - before if path.name.startswith(".upcast")], []))

    def assert_refused(self, ended, *parts):
        self.assertEqual(ended.returncode, 2, ended)
        said = [line for line in ended.stderr.splitlines() if line.startswith("upcast: ") and not PROGRESS.match(line)]
        self.assertEqual(len(said), 1, ended.stderr)
        for part in parts:
            self.assertIn(part, said[0])


class FullStandardOutput(Outputs):
    def test_is_an_error_of_every_command(self):
        for command in commands.asked():
            with self.subTest(command), open("/dev/full", "w") as full:
                self.assertIn(commands.run(command).returncode, (0, 1), "a control")
                self.assert_refused(commands.run(command, stdout=full), "standard output cannot be written", "No space left")

    def test_is_an_error_of_help_and_versions(self):
        with open("/dev/full", "w") as full:
            for arguments in (["--help"], ["--version"], *([command, "--help"] for command in commands.asked())):
                with self.subTest(arguments):
                    self.assert_refused(subprocess.run([UPCAST, *arguments], stdout=full, stderr=subprocess.PIPE, text=True), "standard output")
            for name in PROGRAMS:
                program = UPCAST.parent / f"upcast-{name}"
                if program.exists():
                    with self.subTest(name):
                        self.assert_refused(subprocess.run([program, "--help"], stdout=full, stderr=subprocess.PIPE, text=True), "standard output")

    def test_is_an_error_of_json(self):
        for command in commands.asked():
            if "--json" in commands.flags(command):
                with self.subTest(command), open("/dev/full", "w") as full:
                    self.assert_refused(commands.run(command, "--json", "-", stdout=full), "standard output cannot be written")

    def test_a_full_standard_error_ends_no_run(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(commands.run("run", stderr=full).returncode, 0)


class ClosedPipe(Outputs):
    def test_ends_every_command_quietly(self):
        for command in commands.asked():
            with self.subTest(command):
                reader, writer = os.pipe()
                os.close(reader)
                ended = commands.run(command, stdout=writer)
                os.close(writer)
                self.assertEqual(ended.returncode, -signal.SIGPIPE, ended)
                self.assertNotIn("upcast: ", ended.stderr)

    def test_also_where_the_caller_ignores_the_signal(self):
        reader, writer = os.pipe()
        os.close(reader)
        ended = commands.run("explain", stdout=writer, restore_signals=False)  # the child then ignores SIGPIPE, as Python does
        os.close(writer)
        self.assertEqual((ended.returncode, ended.stderr), (-signal.SIGPIPE, ""))

    def test_a_shell_shows_141(self):
        ended = subprocess.run(["bash", "-c", '{ sleep 0.2; "$0" list ops; } | true; echo ${PIPESTATUS[0]}', UPCAST], capture_output=True, text=True)
        self.assertEqual((ended.stdout.splitlines()[-1], ended.stderr), ("141", ""))

    def test_leaves_no_temporary_folder(self):
        temporary = folder / "pipes"
        temporary.mkdir()
        reader, writer = os.pipe()
        os.close(reader)
        ended = commands.run("run", stdout=writer, stderr=writer, env={**os.environ, "TMPDIR": str(temporary)})
        os.close(writer)
        self.assertEqual(ended.returncode, -signal.SIGPIPE)
        self.assertEqual(list(temporary.iterdir()), [])


class ClosedStreams(Outputs):
    def test_no_file_takes_their_place(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed):
                for name in ("closed.db", "closed.json"):
                    (folder / name).unlink(missing_ok=True)
                script = f'exec "$0" run "$@" --out closed.db --json closed.json {closed}'
                ended = subprocess.run(["bash", "-c", script, UPCAST, CASE, *SIDES], cwd=folder, capture_output=True, text=True)
                self.assertEqual(ended.returncode, 0, ended)
                self.assertEqual(json.loads((folder / "closed.json").read_text())["exit_code"], 0)
                subprocess.run([UPCAST, "report", "closed.db"], cwd=folder, capture_output=True, check=True)

    def test_closed_standard_input_is_empty(self):
        self.assert_refused(subprocess.run(["bash", "-c", '"$0" run - <&-', UPCAST], capture_output=True, text=True), "standard input")

    def test_a_mistake_is_one_with_standard_error_closed(self):
        self.assertEqual(subprocess.run(["bash", "-c", '"$0" list opps 2>&-', UPCAST], capture_output=True).returncode, 2)


class OutputOptions(Outputs):
    """Tests of every option of every command that writes a file."""

    INPUTS = {"report": {"--baseline", "--fuzz", "--sweep", "-h", "--help"}}
    WRITES = {"report": {"-o", "--html", "--junit", "--ctrf", "--step-summary", "--badge", "--csv", "--sarif", "--ndjson"},
              "repro": {"--cpp", "--python"}}

    def options(self):
        for command in commands.asked():
            flags = commands.flags(command)
            for flag in sorted(self.WRITES.get(command, set()) | ({"--json"} & flags)):
                yield command, flag

    def test_those_of_report_are_all(self):
        self.assertEqual(commands.flags("report"), self.INPUTS["report"] | self.WRITES["report"] | {"--markdown"})

    def test_a_device_stays_one_and_its_fault_is_told(self):
        device = os.stat("/dev/full").st_rdev
        link = folder / "link to full"
        link.symlink_to("/dev/full")
        for command, flag in self.options():
            with self.subTest(command=command, flag=flag):
                self.assert_refused(commands.run(command, flag, str(link)), str(link), "No space left")
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode) and os.stat("/dev/full").st_rdev == device)
                self.assertTrue(link.is_symlink())
        self.assertFalse((folder / "link to full.cases").exists())

    def test_a_file_is_replaced_and_a_link_to_it_stays(self):
        target, link = folder / "target", folder / "link"
        link.symlink_to("target")
        for command, flag in self.options():
            with self.subTest(command=command, flag=flag):
                target.write_text("earlier")
                target.chmod(0o640)
                self.assertIn(commands.run(command, flag, str(link)).returncode, (0, 1))
                self.assertNotEqual(target.read_text(), "earlier")
                self.assertTrue(link.is_symlink())
                self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)

    def test_a_link_to_nothing_makes_what_it_names(self):
        link = folder / "dangling"
        link.symlink_to("new file")
        self.assertEqual(commands.run("list", "--json", str(link)).returncode, 0)
        self.assertTrue(link.is_symlink())
        json.loads((folder / "new file").read_text())

    def test_what_was_there_stays_where_the_new_one_is_too_large(self):
        target = folder / "kept"
        for command, flag in self.options():
            if command in ("history", "minimize", "repro", "check-plugin", "fuzz", "sweep", "laws"):
                continue  # these commands share memory as a file, which the limit would also stop
            with self.subTest(command=command, flag=flag):
                target.write_text("earlier")
                self.assert_refused(commands.run(command, flag, str(target), preexec_fn=limited(64)))
                self.assertEqual(target.read_text(), "earlier")

    def test_one_that_cannot_be_written_keeps_the_others(self):
        page = folder / "page.html"
        page.write_text("earlier")
        for other in ("/nowhere/x", "/dev/full", str(folder)):
            self.assert_refused(commands.run("report", "-o", str(page), "--junit", other), other)
            self.assertEqual(page.read_text(), "earlier")
        self.assertEqual(commands.run("report", "-o", str(page)).returncode, 0, "a control")
        self.assertNotEqual(page.read_text(), "earlier")

    def test_a_folder_is_none(self):
        (folder / "a folder").mkdir()
        (folder / "a folder/held").write_text("held")
        self.assert_refused(commands.run("report", "-o", str(folder / "a folder")), "Is a directory")
        self.assertEqual((folder / "a folder/held").read_text(), "held")

    @unittest.skipIf(os.geteuid() == 0, "root may write every file")
    def test_a_file_that_may_not_be_written_is_not_replaced(self):
        locked = folder / "locked"
        locked.write_text("earlier")
        locked.chmod(0o444)
        self.assert_refused(commands.run("list", "--json", str(locked)), "Permission denied")
        self.assertEqual(locked.read_text(), "earlier")

    @unittest.skipIf(os.geteuid() == 0, "root may write every folder")
    def test_a_file_in_a_folder_that_takes_no_new_one_is_written(self):
        locked = folder / "locked folder"
        locked.mkdir()
        (locked / "file").write_text("earlier")
        locked.chmod(0o555)
        self.addCleanup(locked.chmod, 0o755)
        self.assertEqual(commands.run("list", "--json", str(locked / "file")).returncode, 0)
        json.loads((locked / "file").read_text())

    def test_a_fifo_is_written(self):
        fifo = folder / "fifo"
        os.mkfifo(fifo)
        read = []
        reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)  # ends with the test if no one writes
        reader.start()
        self.assertEqual(commands.run("list", "--json", str(fifo)).returncode, 0)
        reader.join(timeout=60)
        json.loads(read[0])
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))

    def test_a_descriptor_is_what_it_stands_for(self):
        plain = commands.run("explain", "--json", "-").stdout
        for path in ("/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
            for kind in ("pipe", "file"):
                with self.subTest(path=path, kind=kind), contextlib.ExitStack() as stack:
                    log = stack.enter_context(open(folder / "log", "w+"))
                    print("before", file=log, flush=True)
                    ended = commands.run("explain", "--json", path, stdout=log if kind == "file" else subprocess.PIPE)
                    text = (folder / "log").read_text() if kind == "file" else ended.stdout
                    self.assertEqual(ended.returncode, 0)
                    self.assertIn(plain, text)
                    self.assertIn("answers\n", text, "words for people follow")
                    self.assertEqual(text.startswith("before\n"), kind == "file", "nothing that was there is lost")


class FullFiles(Outputs):
    def test_a_store_goes_on_after_a_full_disk(self):
        store = folder / "limited.db"
        arguments = [UPCAST, "run", "--grid", "smoke", *SIDES, "--jobs", "1", "--out", store]
        # 200 KiB are enough for the file of the plan, which the worker shares, but not for the store and its journal
        stopped = subprocess.run(arguments, capture_output=True, text=True, preexec_fn=limited(200 << 10))
        self.assert_refused(stopped, str(store), "full")
        self.assertTrue(store.exists())
        ended = subprocess.run(arguments, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended)
        whole = subprocess.run([*arguments[:-1], folder / "whole.db", "--json", "-"], capture_output=True, text=True, check=True)
        again = subprocess.run([*arguments, "--json", "-"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(again.stdout)["agree"], json.loads(whole.stdout)["agree"])

    def test_memory_that_is_shared_names_the_limit(self):
        ended = subprocess.run([UPCAST, "run", "--grid", "smoke", *SIDES], capture_output=True, text=True, preexec_fn=limited(4096))
        self.assert_refused(ended)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
