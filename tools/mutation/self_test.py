"""Tests the tools of mutation testing on a header of a few functions, its unit test, and mutants with known results.

usage: self_test.py [C++ compiler]
"""

import os
import pathlib
import shutil
import sys
import tempfile

import capabilities
import mutants as tables
import mutate
import report

HEADER = """#pragma once
namespace toy {
constexpr int sum(int a, int b) { return a + b; }
inline int difference(int a, int b) { return a - b; }
inline int product(int a, int b) {
  const int swapped = b * a;
  return swapped;
}
inline int never_called(int a) { return a * 2; }
inline int nor_this(int a, int b) { return a * 3 + b; }
inline int count(int n) {
  int i = 0;
  while (i < n) ++i;
  return i;
}
inline bool among(int x, int low, int high) { return x >= low && x <= high; }
#define UPCAST_TARGET_V4 inline
UPCAST_TARGET_V4 int wide(int a) {
  return a + 8;
}
}
"""

TEST = """#include <cstdio>
#include "impl/toy.h"
static_assert(toy::sum(1, 2) == 3);  // no mutant at compile time
static int failed(const char* name) { return std::printf("[  FAILED  ] %s\\n", name), 1; }
int main() {
  if (toy::sum(2, 3) != 5) return failed("Sum");
  if (toy::difference(7, 3) != 4) return failed("Difference");
  if (toy::product(2, 3) != 6) return failed("Product");
  if (toy::count(3) != 3) return failed("Count");
  if (!toy::among(5, 1, 9) || toy::among(0, 1, 9) || toy::among(10, 1, 9)) return failed("Among");
  if (toy::wide(1) != 9) return failed("Wide");
}
"""

TABLE = (pathlib.Path(__file__).parent / "testing/toy.toml").read_text()
# the expected result of each mutant, in the order of the table, `each` one by one
EXPECTED = [("a + b + 1", "killed", "failed"), ("a + b + 0", "survived", ""), ("a + b + b - b", "survived", ""),
            ("(__builtin_trap(), 0)", "killed", "crash"), ("a * b", "survived", ""), ("a * 3", "never reached", ""),
            ("for (volatile bool more = true; more;) i = n;", "killed", "timeout"),
            ("x >= low || x <= high", "killed", "failed"), ("x > low && x <= high", "survived", ""),
            ("x > low - 1", "survived", ""), ("(MUTANT || x <= high)", "killed", "failed"), ("a + 9", "killed", "failed")]


def expect(condition, claim):
    if not condition:
        sys.exit(f"self_test: not so: {claim}")


def load(root, table):
    (root / "tables").mkdir(exist_ok=True)
    (root / "tables/toy.toml").write_text(table)
    return tables.load(root, root / "tables")


def error_of(root, table):
    try:
        tables.mutated_files(root, load(root, table))
    except tables.MutantError as error:
        return str(error)
    return ""


def check_errors(root):
    """Checks that wrong tables are refused, and says how many."""
    row = 'area = "toy"\n[[file]]\npath = "impl/toy.h"\nmutants = [%s]\n'
    wrong = (
        ('["a / b", "a"]', "impl/toy.h: no 'a / b'"),
        ('["int a", "long a"]', "times 'int a'"),
        ('{old = "a + b", new = "b", at = "int a"}', "it must occur once"),
        ('["a + b", "b"], ["a + b", "b"]', "twice the mutant"),
        ('["3 + b", "b"]', "not the whole expression"),
        ('["a + 8", "a + 9"]', "say needs = \"x86-64-v4\""),
        ('{old = "a - b", new = "b", needs = "x86-64-v4"}', "it needs nothing"),
        ('["sum(int a, int b) { return", "x"]', "is neither an expression nor a statement"),
        ('["return a + b", "return b"]', "is neither an expression nor a statement"),
        ('["a * 3 +", "a +"]', "is neither an expression nor a statement"),
        ('["b * a;", "b;"]', "is the end of a statement"),
        ('["int x, int low", "x"]', "is neither an expression nor a statement"),
        ('["sum", "product"]', "ends within a call"),
        ('["i < n", "i > n"], ["n) ++i;", "MUTANT"]', "overlap"))
    for mutants, wanted in wrong:
        found = error_of(root, row % mutants)
        expect(found.startswith("impl/toy.h: ") and wanted in found, f"{mutants} is the error '{wanted}', and not '{found}'")
    broken = error_of(root, "area = toy")
    expect("toy.toml" in broken, f"a table that is no TOML is named, and not '{broken}'")
    return len(wrong) + 1


def build(root, mutants, cxx):
    scratch = root / "scratch"
    for path, text in tables.mutated_files(root, mutants).items():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).write_text(text)
    shutil.copy(root / "toy_test.cc", scratch)
    mutate.run([cxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{scratch}", str(scratch / "toy_test.cc"), "-o", str(scratch / "toy")])
    return scratch


def check_fates(root, cxx):
    mutants = load(root, TABLE)
    programs = build(root, mutants, cxx)
    table = {"area": {"toy": ["toy"]}, "detector": {"toy": ["toy"]}}
    found = mutate.judge_all(mutate.Detectors(programs, table, lambda one: None, patience=1), mutants, 2)
    for one, (new, status, how) in zip(found, EXPECTED, strict=True):
        expect((one.mutant.new, one.status, one.how) == (new, status, how),
               f"'{one.mutant}' is {status} {how}, and not {one.status} {one.how} {one.evidence}")
    expect("Sum" in found[0].evidence, "the test that failed is named")
    areas = report.summary_of(found)
    expect(areas["toy"] == dict(mutants=12, killed=6, crash=1, timeout=1, survived=4, never_reached=1, equivalent=1, score=0.5455),
           f"the counts are right, and not {areas['toy']}")
    text = report.report_text(found, areas)
    for line in ("impl/toy.h:3: a + b -> a + b + 0", "impl/toy.h:9: a * 2 -> a * 3", "declared equivalent, but killed:"):
        expect(line in text.replace("  ->  ", " -> "), f"the report has '{line}':\n{text}")
    wrong = {"area": {"toy": ["wrong"]}, "detector": {"wrong": ["false_program"]}}
    (programs / "false_program").symlink_to("/bin/false")
    try:
        mutate.judge_all(mutate.Detectors(programs, wrong, lambda one: None), mutants[:1], 1)
        expect(False, "a detector that fails without a mutant is an error")
    except tables.MutantError as error:
        expect("fails without a mutant" in str(error), "and the error says so")


def check_skips(root, cxx):
    """Checks that mutants which a machine cannot run are skipped, counted and named, and that no others are."""
    mutants = load(root, TABLE)
    for has in (True, False):
        machine = {"baseline": has, "x86-64-v3": has, "x86-64-v4": has}
        ran, skipped = capabilities.split(mutants, machine)
        expect([one.new for one in skipped] == ([] if has else ["a + 9"]), f"{machine} skips {[str(one) for one in skipped]}")
        expect(ran + skipped == mutants, "the others run")
    text = report.report_text([], {}, skipped)
    expect("1 mutant skipped" in text and "a + 8  ->  a + 9 (needs x86-64-v4)" in text, f"the report counts and names it: {text}")
    expect("skipped" not in report.report_text([], {}, []), "and says nothing where none is")
    mutants[-1].needs = "x86-64-v9"
    try:
        capabilities.split(mutants, machine)
        expect(False, "an unknown capability is an error")
    except tables.MutantError as error:
        expect("none of baseline, x86-64-v3, x86-64-v4" in str(error), f"and the error says so, not {error}")
    os.environ["UPCAST_CAPABILITY"] = "baseline"
    asked = capabilities.of_machine(mutate.ROOT, cxx)
    expect(asked == {"baseline": True, "x86-64-v3": False, "x86-64-v4": False}, f"impl says what a machine has, and not {asked}")


def main(cxx):
    with tempfile.TemporaryDirectory(prefix="upcast-mutation-") as folder:
        root = pathlib.Path(folder)
        (root / "impl").mkdir()
        (root / "impl/toy.h").write_text(HEADER)
        (root / "toy_test.cc").write_text(TEST)
        wrong = check_errors(root)
        check_fates(root, cxx)
        check_skips(root, cxx)
    print(f"{len(EXPECTED)} mutants have the expected results, {wrong} wrong tables were refused, and 1 mutant was skipped where it cannot run")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "c++")
