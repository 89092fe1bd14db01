"""Tests that bad_build.py passes a good build and notices each fault.

    bad_build_test.py CLANG      exits with 77 (skipped) where CLANG has no libFuzzer"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bad_build

CLANG = sys.argv[1]
# Source of a fuzz target with so many memory accesses that bad_build.py takes it for a real one.
READS = "".join(f"  if (size > {i}) total += data[{i}];\n" for i in range(300))
TARGET = f"""#include <cstddef>
#include <cstdint>
#include <cstdlib>
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {{
  volatile unsigned total = 0;
{READS}  return 0;
}}
"""


def compiles(source, program, *flags):
    command = [CLANG, "-x", "c++", "-", "-o", str(program), *flags]
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0


class BadBuild(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.out = pathlib.Path(scratch.name)
        for companion in (".options", "_seed_corpus.zip"):
            (self.out / f"small{companion}").write_text("")

    def faults(self, source, *flags, sanitizer="address"):
        self.assertTrue(compiles(source, self.out / "small", *flags))
        return "\n".join(bad_build.faults(self.out, sanitizer))

    def test_a_good_build(self):
        self.assertEqual(self.faults(TARGET, "-fsanitize=fuzzer,address"), "")
        self.assertEqual(self.faults(TARGET, "-fsanitize=fuzzer", sanitizer="none"), "")

    def test_another_sanitizer(self):
        self.assertIn("calls of ASan's", self.faults(TARGET, "-fsanitize=fuzzer"))
        self.assertIn("calls of ASan's", self.faults(TARGET, "-fsanitize=fuzzer,address", sanitizer="undefined"))

    def test_no_coverage(self):
        bare = self.out / "bare.o"
        self.assertTrue(compiles(TARGET, bare, "-c"))
        code = subprocess.run([CLANG, bare, "-o", self.out / "small", "-fsanitize=fuzzer"]).returncode
        bare.unlink()
        self.assertEqual(code, 0)
        self.assertIn("no edges", "\n".join(bad_build.faults(self.out, "none")))

    def test_a_target_that_ends(self):
        self.assertIn("four runs end", self.faults(TARGET.replace("  return 0;\n}", "  std::abort();\n}"), "-fsanitize=fuzzer,address"))

    def test_what_is_missing(self):
        (self.out / "small.options").unlink()
        self.assertIn("small.options is missing", self.faults(TARGET, "-fsanitize=fuzzer,address"))
        (self.out / "small").unlink()
        self.assertIn("holds no target", "\n".join(bad_build.faults(self.out)))

    def test_another_machine(self):
        self.faults(TARGET, "-fsanitize=fuzzer")
        program = bytearray((self.out / "small").read_bytes())
        program[18] = 183  # AArch64
        (self.out / "small").write_bytes(program)
        self.assertIn("not an ELF program for x86-64", "\n".join(bad_build.faults(self.out)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as probe:
        if not compiles(TARGET, f"{probe}/probe", "-fsanitize=fuzzer,address"):
            print(f"skipped: {CLANG} has no libFuzzer with AddressSanitizer (libclang-rt)")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])
