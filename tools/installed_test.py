"""Tests that installed programs say how to install LibTorch again if it was deleted: installed_test.py UPCAST BUILD."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

UPCAST, BUILD = sys.argv[1], sys.argv[2]
# A stand-in for the worker, which prints the folders where it would look for LibTorch.
WORKER = "#!/bin/sh\necho \"looks in [$LD_LIBRARY_PATH]\" >&2\nexit 9\n"


class Installed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="upcast-installed-")
        self.addCleanup(folder.cleanup)
        self.prefix = pathlib.Path(folder.name)
        subprocess.run(["cmake", "--install", BUILD, "--component", "linked", "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)
        self.linked = self.prefix / "share/upcast/libtorch_linked"
        self.version, self.root, self.restore = self.linked.read_text().splitlines()
        (self.prefix / "bin").mkdir(exist_ok=True)
        shutil.copy(UPCAST, self.prefix / "bin/upcast")
        (self.prefix / "bin/upcast-worker").write_text(WORKER)
        (self.prefix / "bin/upcast-worker").chmod(0o755)

    def test_completion_and_the_manual_are_installed(self):
        subprocess.run(["cmake", "--install", BUILD, "--component", "package", "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)
        for file, words in {"share/bash-completion/completions/upcast": "completion bash", "share/zsh/site-functions/_upcast": "completion zsh",
                            "share/fish/vendor_completions.d/upcast.fish": "completion fish", "share/man/man1/upcast.1": "man"}.items():
            made = subprocess.run([UPCAST, *words.split()], check=True, capture_output=True, text=True).stdout
            self.assertEqual((self.prefix / file).read_text(), made)

    def said(self, **variables):
        environment = {key: value for key, value in os.environ.items() if key not in ("LIBTORCH", "LD_LIBRARY_PATH")}
        ended = subprocess.run([self.prefix / "bin/upcast", "run", "add(int32[3], 5.5)"], env={**environment, **variables},
                               capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr.count("\n")), (2, 1), ended.stderr)
        return ended.stderr

    def delete_libtorch(self):
        self.linked.write_text(f"{self.version}\n{self.prefix}/gone\n{self.restore}\n")

    def test_one_line_says_what_brings_it_back(self):
        self.delete_libtorch()
        said = self.said()
        self.assertIn(f"needs LibTorch {self.version}, and {self.prefix}/gone has no lib/libtorch_cpu.so", said)
        self.assertIn(f"run: {self.restore}, or name another", said)
        command = pathlib.Path(self.restore.split()[0])
        self.assertTrue(command.name == "pip" or os.access(command, os.X_OK), "a command that there is")

    def test_another_one_may_be_named(self):
        self.delete_libtorch()
        self.assertIn(f"looks in [{self.root}/lib", self.said(LIBTORCH=self.root))
        self.assertIn(f"LIBTORCH={self.prefix} has no lib/libtorch_cpu.so", self.said(LIBTORCH=str(self.prefix)))

    def test_while_it_is_there_nothing_is_looked_for(self):
        self.assertIn("looks in []", self.said(), "a control")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
