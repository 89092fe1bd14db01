"""Tests the command line as shells and people use it: shell_test.py UPCAST.

Help, completion and the manual name every flag of every command, and --json is the same in all. The flags are read from
`upcast help`, which CLI11 prints; the others are made by our own code."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

UPCAST = pathlib.Path(sys.argv[1]).resolve()


def upcast(*arguments):
    return subprocess.run([UPCAST, *arguments], capture_output=True, text=True, check=False)


def printed(*arguments):
    ended = upcast(*arguments)
    if ended.returncode != 0:
        raise AssertionError(f"{arguments}: {ended.stderr}")
    return ended.stdout


def commands():
    listed = printed("help").partition("Subcommands:")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.M)


def flags_of(command):
    """The names of the flags that `upcast help COMMAND` lists."""
    options = printed("help", command).partition("\nOptions:\n")[2].partition("\n\n")[0]
    return {name for names in re.findall(r"^  (-\S+)", options, re.M) for name in names.split(",")}


FLAGS = {command: flags_of(command) for command in commands()}


def missing(words_of):
    """["COMMAND FLAG"] of each flag that words_of(COMMAND), such as the words of the manual, lacks."""
    return sorted(f"{command} {name}" for command, names in FLAGS.items() for name in names - words_of(command))


class Commands(unittest.TestCase):
    def test_there_are_as_many_as_ever(self):
        self.assertLessEqual({"run", "explain", "sweep", "fuzz", "bench", "minimize", "repro", "completion", "man"}, set(FLAGS))
        for command, flag in {"run": "--grid", "sweep": "--samples", "fuzz": "--target", "bench": "--filter",
                              "minimize": "--as-it-is", "repro": "--python", "report": "-o"}.items():
            self.assertIn(flag, FLAGS[command])

    def test_a_program_of_its_own_has_the_flags_that_upcast_tells(self):
        for command in ("sweep", "fuzz", "bench", "minimize", "repro"):
            program = UPCAST.parent / f"upcast-{command}"
            if program.exists():  # one that was not built has none
                itself = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
                found = {name for names in re.findall(r"^  (-\S+)", itself, re.M) for name in names.split(",")}
                self.assertEqual(found, FLAGS[command])


class Completion(unittest.TestCase):
    def completed(self, script, *words):
        """The words that bash offers as completions of the last word, after it has read the completion script."""
        line = " ".join(f"'{word}'" for word in words)
        text = f"{script}\nCOMP_WORDS=({line}) COMP_CWORD={len(words) - 1}\n_upcast\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        return set(subprocess.run(["bash", "--norc", "-c", text], capture_output=True, text=True, check=True).stdout.split())

    def test_bash(self):
        script = printed("completion", "bash")
        self.assertEqual(missing(lambda command: self.completed(script, "upcast", command, "-")), [])
        self.assertLessEqual(set(FLAGS), self.completed(script, "upcast", ""))
        self.assertEqual(self.completed(script, "upcast", "exp"), {"explain"})
        self.assertEqual(self.completed(script, "upcast", "run", "--gr"), {"--grid"})
        self.assertEqual(self.completed(script, "upcast", "completion", ""), {"bash", "zsh", "fish"})
        self.assertEqual(self.completed(script, "upcast", "help", "swe"), {"sweep"})
        self.assertEqual(self.completed(script, "upcast", "run", "cases"), set(), "files are left to bash")
        without = script.replace(" --samples ", " ")
        self.assertEqual(missing(lambda command: self.completed(without, "upcast", command, "-")), ["sweep --samples"], "a control")

    def zsh(self, script, command):
        part = script.partition(f"\n    {command})\n")[2].partition("\n      ;;")[0]
        return set(re.findall(r"^        '(-[\w-]+)\[", part, re.M))

    def test_zsh(self):
        script = printed("completion", "zsh")
        self.assertTrue(script.startswith("#compdef upcast\n"))
        self.assertEqual(missing(lambda command: self.zsh(script, command)), [])
        self.assertEqual(missing(lambda command: self.zsh(script.replace("'--samples[", "'--sample["), command)), ["sweep --samples"], "a control")
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n"], input=script, text=True, check=True)

    def fish(self, script, command):
        found = set()
        for line in re.findall(rf"^complete -c upcast -n '__fish_seen_subcommand_from {command}'(.*)$", script, re.M):
            flags = line.partition(" -d ")[0]
            found |= {"--" + name for name in re.findall(r"-l (\S+)", flags)} | {"-" + name for name in re.findall(r"-s (\S+)", flags)}
        return found

    def test_fish(self):
        script = printed("completion", "fish")
        self.assertEqual(missing(lambda command: self.fish(script, command)), [])
        self.assertEqual(missing(lambda command: self.fish(script.replace("-l samples", "-l sample"), command)), ["sweep --samples"], "a control")
        if shutil.which("fish"):
            subprocess.run(["fish", "--no-execute", "/dev/stdin"], input=script, text=True, check=True)


class Manual(unittest.TestCase):
    def flags(self, page, command):
        part = page.partition(f'.SS "upcast {command}"\n'.replace("-", "\\-"))[2].partition("\n.SS ")[0].partition("\n.SH ")[0]
        return {name.replace("\\-", "-") for name in re.findall(r"\\fB(\S+?)\\fR", part)}

    def test_every_flag(self):
        page = printed("man")
        self.assertEqual(missing(lambda command: self.flags(page, command)), [])
        self.assertEqual(missing(lambda command: self.flags(page.replace("\\-\\-samples", "\\-\\-sample"), command)), ["sweep --samples"], "a control")

    @unittest.skipUnless(shutil.which("groff"), "groff is not there")
    def test_groff_takes_it(self):
        def warnings(page):
            return subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True)

        ended = warnings(printed("man"))
        self.assertEqual(ended.stderr, "")
        shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", ended.stdout)
        for text in ("UPCAST(1)", "--time-limit", "upcast check-plugin", "upcast explain 'add(int32[3], 5.5)'"):
            self.assertIn(text, shown)
        self.assertNotEqual(warnings(printed("man") + ".nosuchrequest\n").stderr, "", "a control")


class Json(unittest.TestCase):
    ABOUT = "Write the result as JSON to this file; - is standard output, and the text for people then goes to standard error"

    def test_the_flag_says_the_same_everywhere(self):
        having = [command for command, flags in FLAGS.items() if "--json" in flags]
        self.assertGreaterEqual(len(having), 11)
        for command in having:
            words = " ".join(printed("help", command).split())
            self.assertIn(f"--json FILE {self.ABOUT}", words, command)

    def check(self, *arguments):
        """The text for people is on standard output if the JSON goes to a file, and on standard error if the JSON goes to standard output."""
        file = pathlib.Path(self.folder, "result.json")
        file.unlink(missing_ok=True)
        both, piped, alone = upcast(*arguments, "--json", str(file)), upcast(*arguments, "--json", "-"), upcast(*arguments)

        def words(text):  # times differ
            return re.sub(r"\d[\d,.]*", "#", text)

        self.assertTrue(both.stdout.strip())
        self.assertEqual(words(both.stdout), words(alone.stdout))
        self.assertIn(words(both.stdout), words(piped.stderr))
        self.assertEqual(type(json.loads(file.read_text())), type(json.loads(piped.stdout)))
        self.assertEqual(both.returncode, piped.returncode)

    def test_every_command_does_the_same(self):
        with tempfile.TemporaryDirectory() as self.folder:
            line, sides = "add(int32[3], 5.5)", ("--subject", "impl:cpu", "--oracle", "impl:cpu")
            store = str(pathlib.Path(self.folder, "run.db"))
            printed("run", line, *sides, "--out", store)
            for arguments in (("run", line, *sides), ("explain", line), ("explain", line, "--rulebook", "all"), ("list", "ops", "add"),
                              ("audit",), ("diff", store, store), ("laws", "forms", "--side", "impl:cpu", "--ops", "lerp"),
                              ("sweep", "--list"), ("sweep", "exp", "--side", "impl:cpu", "--samples", "100")):
                if arguments[0] == "sweep" and not (UPCAST.parent / "upcast-sweep").exists():
                    continue
                with self.subTest(arguments):
                    self.check(*arguments)
            with self.assertRaises(AssertionError, msg="a control: a manual has no JSON"):
                self.check("man")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
