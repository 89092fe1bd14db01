"""Tests one target as ClusterFuzz runs it: ci/oss-fuzz/build.sh packs the target. Then the engine code of PyPI's `clusterfuzz` prepares
it, fuzzes, parses the output, reproduces a crash and minimises it.

    clusterfuzz_test.py BUILD PINS

The target is `kernel`. Both of its sides are our implementation, so that ClusterFuzz's random seed finds no new bug of LibTorch by chance.
BUILD holds the engines and upcast; PINS is ci/clusterfuzz.txt, whose packages ci/setup.sh unpacks. Exits with 77 (skipped)
where they are not there, or where this build has no engine."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD, PINS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
PACKAGES = CACHE / ("clusterfuzz-" + re.search(r"^[^#=\n]*==(\S*)", PINS.read_text(), re.M).group(1))
# ClusterFuzz's packages contain machine code for one version of Python.
if not PACKAGES.is_dir() or sys.version_info[:2] != (3, 11):
    print(f"skipped: no {PACKAGES} for this Python; ci/setup.sh scale fetches it, for Python 3.11")
    sys.exit(77)
if not (BUILD / "bin/fuzz-kernel").exists():
    print("skipped: this build has no engine for the target kernel (libFuzzer, LibTorch)")
    sys.exit(77)
import bad_build  # noqa: E402

sys.path.insert(0, str(PACKAGES))
import clusterfuzz.environment  # noqa: E402
import clusterfuzz.fuzz  # noqa: E402
from clusterfuzz import stacktraces  # noqa: E402
from clusterfuzz._internal.crash_analysis.crash_comparer import CrashComparer  # noqa: E402

SECONDS = 8
MINIMISE = 60  # seconds, a generous limit, because other tests run at the same time
# A planted bug that any case of an op such as lt shows, so that fuzzing finds it within SECONDS.
PLANTED = "planted?bug=comparison-keeps-its-dtype"
LINE = re.compile(r"^ASSERTION FAILED: (FuzzerHash=[a-p]{8} .*)$", re.M)


def pack(folder):
    environment = {**os.environ, "SRC": str(folder / "src"), "OUT": str(folder / "out"), "WORK": str(folder / "work"),
                   "UPCAST_BUILD": str(BUILD)}
    subprocess.run([HERE / "build.sh"], env=environment, check=True)
    return folder / "out"


def parse(output):
    return stacktraces.StackParser(symbolized=True, detect_ooms_and_hangs=True).parse(output)


class Packed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.out = pack(cls.folder)
        cls.target = str(cls.out / "kernel")
        os.environ["FAIL_RETRIES"] = "1"
        os.environ["FUZZ_INPUTS_DISK"] = os.environ["FUZZ_INPUTS"] = str(cls.folder)
        os.environ["BOT_TMPDIR"] = str(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        os.environ.pop("UPCAST_FUZZ_SUBJECT", None)

    def corpus(self, name):
        folder = self.folder / name
        folder.mkdir()
        with zipfile.ZipFile(self.out / "kernel_seed_corpus.zip") as seeds:
            for member in seeds.namelist()[:40]:
                seeds.extract(member, folder)
        return folder

    def session(self, name):
        """Fuzzes the target for SECONDS. Returns the engine, its options, and its result."""
        crashes = self.folder / f"{name}-crashes"
        crashes.mkdir()
        with clusterfuzz.environment.Environment("libFuzzer", "address", self.target, interactive=True):
            engine = clusterfuzz.fuzz.get_engine("libFuzzer")
            options = engine.prepare(str(self.corpus(name)), self.target, str(self.out))
            self.assertIn("-max_len=64", options.arguments)  # of kernel.options
            options.merge_back_new_testcases = False
            options.analyze_dictionary = False
            result = engine.fuzz(self.target, options, str(crashes), SECONDS)
        return engine, options, result

    def test_it_is_a_good_build(self):
        edges = "UPCAST_FUZZ_COVERAGE:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text()  # edges are asked for only if the compiler has coverage for libFuzzer, which GCC lacks
        self.assertEqual(list(bad_build.faults(self.out, "none", edges)), [])

    def test_what_is_right_has_no_crash(self):
        _, _, result = self.session("right")
        self.assertEqual([crash.stacktrace[-400:] for crash in result.crashes], [])

    def test_a_planted_bug_is_found_reproduced_and_grouped_by_its_signature(self):
        os.environ["UPCAST_FUZZ_SUBJECT"] = PLANTED
        engine, options, result = self.session("planted")
        self.assertEqual(len(result.crashes), 1)
        crash = result.crashes[0]
        signature = LINE.search(crash.stacktrace).group(1)
        found = parse(crash.stacktrace)
        self.assertEqual(found.crash_type, "ASSERT")
        self.assertEqual(found.crash_state.splitlines()[0], signature)
        with clusterfuzz.environment.Environment("libFuzzer", "address", self.target, interactive=True):
            again = engine.reproduce(self.target, crash.input_path, ["-runs=1"], 60)
            self.assertEqual(LINE.search(again.output).group(1), signature)
            smaller = str(self.folder / "minimal")
            engine.minimize_testcase(self.target, ["-runs=1"], crash.input_path, smaller, MINIMISE)
            self.assertGreater(pathlib.Path(smaller).stat().st_size, 0)

    def test_signatures_are_told_apart(self):
        def state(line):
            text = f"INFO: Seed: 1\nASSERTION FAILED: {line}\n==1== ERROR: libFuzzer: deadly signal\n"
            return parse(text + "    #0 0x1 in upcast::fuzz::FindingLog::add /s/f.cc:1\n    #1 0x2 in main /s/m.cc:2\n").crash_state

        def alike(one, other):
            return CrashComparer(state(one), state(other)).is_similar()

        first = "FuzzerHash=fhfjfaed value add.Tensor(f16@dim,f16@dim) 0->inf"
        self.assertTrue(alike(first, first))
        self.assertFalse(alike(first, first.replace("fhfjfaed", "fhfjfaee")))
        # The control: where the hash is written in digits, ClusterFuzz takes two bugs for one.
        self.assertTrue(alike(first.replace("fhfjfaed", "57595043"), first.replace("fhfjfaed", "57595044")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
