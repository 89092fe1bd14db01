"""Has arguments for every command of upcast that make it print something, for tests that hold all commands to one rule.

The commands are read from `upcast help`. `asked()` fails if one of them has no arguments here, so that every new command is
tested."""

import pathlib
import re
import subprocess

CASE = "add(int32[3], 5.5)"
DIFFERS = "mul.Tensor(float8_e5m2[2], 2.5)"  # a known difference: minimize and repro need one
SIDES = ("--subject", "impl:cpu", "--oracle", "impl:cpu")


class Commands:
    """The commands of one build. They run in `folder`, which the caller deletes."""

    def __init__(self, upcast, folder):
        self.upcast, self.folder = pathlib.Path(upcast).resolve(), pathlib.Path(folder)
        self.store = str(self.folder / "run.db")
        subprocess.run([self.upcast, "run", CASE, *SIDES, "--out", self.store], capture_output=True, check=True)

    def names(self):
        listed = self.help().partition("Subcommands:")[2].partition("\n\n")[0]
        return re.findall(r"^  (\S+)", listed, re.M)

    def help(self, *command):
        return subprocess.run([self.upcast, "help", *command], capture_output=True, text=True, check=True).stdout

    def flags(self, command):
        """The names of the flags that `upcast help COMMAND` lists."""
        options = self.help(command).partition("\nOptions:\n")[2].partition("\n\n")[0]
        return {name for names in re.findall(r"^  (-\S+)", options, re.M) for name in names.split(",")}

    def is_built(self, command):
        """Whether the command's own program is built; otherwise upcast would build it."""
        own = {"sweep", "fuzz", "bench", "minimize", "repro"}
        return command not in own or (self.upcast.parent / f"upcast-{command}").exists()

    def asked(self):
        """{command: arguments}"""
        plugin = self.upcast.parent.parent / "plugins/libupcast_impl_plugin.so"
        rows = {
            "run": (CASE, *SIDES),
            "explain": (CASE,),
            "report": (self.store,),
            "merge": (self.store, "-o", str(self.folder / "merged.db")),
            "diff": (self.store, self.store),
            "history": (CASE,),
            "list": ("ops",),
            "audit": (),
            "sweep": ("exp", "--side", "impl:cpu", "--samples", "100"),
            "fuzz": ("--target", "notation", "--runs", "200", "--follow-up", "0", "--corpus", str(self.folder / "corpus")),
            "bench": ("gpu", "--predict", "H200"),
            "minimize": (DIFFERS,),
            "repro": (DIFFERS,),
            "check-plugin": (str(plugin),),
            "laws": ("forms", "--side", "impl:cpu", "--ops", "lerp"),
            "findings": ("list",),
            "help": ("run",),
            "completion": ("bash",),
            "man": (),
        }
        names = set(self.names())
        if set(rows) != names:
            raise AssertionError(f"commands without arguments here, or the other way round: {names ^ set(rows)}")
        return {command: arguments for command, arguments in rows.items() if self.is_built(command)}

    def run(self, command, *more, **how):
        """Runs the command with its arguments from asked(), then `more`. `how` is for subprocess.run."""
        (self.folder / "merged.db").unlink(missing_ok=True)
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True, "check": False, **how}
        return subprocess.run([self.upcast, command, *self.asked()[command], *more], cwd=self.folder, **how)
