"""Tests batch.py, coverage.py and corpora.py on a small target: its corpus grows, a crash is found, lines are reached, and inputs
are exchanged between ClusterFuzz's engine and upcast fuzz --exchange.

    batch_test.py CLANG BUILD [CLASS]...

BUILD holds upcast and its engines. Exits with 77 (skipped) where CLANG has no libFuzzer, or where a test was skipped."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import bad_build_test
import batch
import corpora

CLANG = sys.argv[1]
BUILD = pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
TARGET = """#include <cstddef>
#include <cstdint>
#include <cstdlib>
int deep(int depth) {
  return depth + 1;
}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  volatile int depth = 0;
  if (size > 0 && data[0] == 'u') depth = deep(depth);
  if (size > 1 && data[0] == 'u' && data[1] == 'p') {
    depth = 2;
    if (std::getenv("PLANTED")) std::abort();
  }
  return 0;
}
"""
NO_PACKAGE = not batch.packages().is_dir() or sys.version_info[:2] != (3, 11)


def run(script, *arguments, **environment):
    return subprocess.run([sys.executable, HERE / script, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **environment})


class Small(unittest.TestCase):
    FLAGS = ["-fsanitize=fuzzer"]

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.out, self.corpora = self.folder / "out", self.folder / "corpora"
        self.out.mkdir()
        self.assertTrue(bad_build_test.compiles(TARGET, self.out / "small", *self.FLAGS))
        self.corpus = self.corpora / "small"
        self.corpus.mkdir(parents=True)
        (self.corpus / "first").write_bytes(b"x")

    def texts(self, folder):
        return {path.read_bytes() for path in folder.iterdir() if path.is_file()}


class Corpora(Small):
    def test_inputs_go_to_and_fro(self):
        shared, other = self.folder / "shared", self.folder / "other"
        self.assertEqual(corpora.give(self.corpus, shared), 1)
        self.assertEqual(corpora.give(self.corpus, shared), 0, "it is there")
        (shared / "inputs/seed-1").write_bytes(b"no name of an engine")
        self.assertEqual(corpora.take(shared, other), 1)
        self.assertEqual([path.name for path in other.iterdir()], [corpora.name_of(b"x")])
        self.assertEqual(list((shared / "inputs").glob(".*")), [], "no draft is left")


@unittest.skipIf(NO_PACKAGE, f"no {batch.packages()} for this Python: ci/setup.sh scale, for Python 3.11")
class Batch(Small):
    def test_a_corpus_grows_and_stays(self):
        done = run("batch.py", self.out, self.corpora, "--seconds", 5, "--json", self.folder / "told.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        row = json.loads((self.folder / "told.json").read_text())[0]
        self.assertGreater(row["runs"], 1000)
        self.assertGreater(row["inputs"], row["inputs_before"])
        self.assertTrue(any(text.startswith(b"up") for text in self.texts(self.corpus)), self.texts(self.corpus))

    def test_a_planted_crash_is_kept(self):
        done = run("batch.py", self.out, self.corpora, "--seconds", 5, PLANTED="1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(any(text.startswith(b"up") for text in self.texts(self.corpora / "small.crashes")))

    def test_a_target_that_is_not_there(self):
        done = run("batch.py", self.out, self.corpora, "--seconds", 5, "--target", "none")
        self.assertIn("does not hold the targets none", done.stderr)

    def test_a_campaigns_inputs_come_first_and_ours_go_there(self):
        shared = self.folder / "shared"
        (shared / "inputs").mkdir(parents=True)
        corpora.copy_into(shared / "inputs", b"of a campaign")
        done = run("batch.py", self.out, self.corpora, "--seconds", 5, "--target", "small", "--exchange", shared)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(b"of a campaign", self.texts(self.corpus))
        self.assertTrue(any(text.startswith(b"up") for text in self.texts(shared / "inputs")))

    @unittest.skipUnless((BUILD / "bin/fuzz-notation").exists(), "no engine for the target notation")
    def test_with_upcast_fuzz(self):
        """What a campaign gives is taken, and what the engine code finds reaches the next campaign."""
        out, shared = self.folder / "build", self.folder / "shared"
        out.mkdir()
        shutil.copy(BUILD / "bin/fuzz-notation", out / "notation")
        (out / "lib").symlink_to(BUILD / "bin/lib")

        def campaign(name):
            done = subprocess.run([BUILD / "bin/upcast", "fuzz", "--target", "notation", "--runs", "3000", "--exchange", shared, "--follow-up", "0",
                                   "--corpus", self.folder / name], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

        campaign("one")
        given = self.texts(shared / "inputs")
        self.assertGreater(len(given), 10)
        done = run("batch.py", out, self.corpora, "--seconds", 8, "--target", "notation", "--exchange", shared)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertLessEqual(given, self.texts(self.corpora / "notation"))
        new = self.texts(shared / "inputs") - given
        self.assertGreater(len(new), 0)
        campaign("two")
        self.assertTrue(new & self.texts(self.folder / "two"))


@unittest.skipUnless(shutil.which("llvm-cov"), "no llvm-cov: ci/setup.sh scale installs it")
class Coverage(Small):
    FLAGS = ["-fsanitize=fuzzer", "-fprofile-instr-generate", "-fcoverage-mapping"]

    def functions(self):
        done = run("coverage.py", self.out, self.corpora, self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "report/linux/index.html").exists())
        whole = json.loads((self.folder / "report/linux/summary.json").read_text())
        alone = json.loads((self.folder / "report/fuzzer_stats/small.json").read_text())
        self.assertEqual(whole["data"][0]["totals"], alone["data"][0]["totals"])
        return whole["data"][0]["totals"]["functions"]

    def test_what_a_corpus_reaches(self):
        self.assertEqual(self.functions()["covered"], 1, "the control: deep() needs another input")
        (self.corpus / "second").write_bytes(b"u")
        self.assertEqual(self.functions()["covered"], 2)

    def test_a_build_without_coverage(self):
        self.assertTrue(bad_build_test.compiles(TARGET, self.out / "small", "-fsanitize=fuzzer"))
        done = run("coverage.py", self.out, self.corpora, self.folder / "report")
        self.assertEqual(done.returncode, 1)
        self.assertIn("was made without coverage", done.stderr)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as probe:
        if not bad_build_test.compiles(TARGET, f"{probe}/probe", "-fsanitize=fuzzer"):
            print(f"skipped: {CLANG} has no libFuzzer (libclang-rt)")
            sys.exit(77)
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2, exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
