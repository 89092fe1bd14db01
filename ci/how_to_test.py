"""Follows docs/how_to/add_an_op.md in a scratch copy of the tree.

usage: how_to_test.py <source folder>

Adds the page's op from the page's code, which the catalogue does not have: struct, truth, case line. Builds with the tests on, regenerates
what is derived, and demands that the tests which look at every op pass, that the page's commands succeed, and that the report knows the op.
The control: before anything is regenerated, the tests name what is missing. Objects that do not change come from ccache.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

STRUCT, OP = "MultipleDispatch", "_test_autograd_multiple_dispatch"
FAMILY, LIST = "impl/ops/copies.h", "using Copies"
TRUTH = ["oracle/truth/integers.cc", "oracle/truth/selection.cc", "oracle/truth/complex_arithmetic.cc"]
CASES = "cases/ops/copies.cases"
PROGRAMS = ["cases.audit", "cases.grid", "cases.notation", "fuzz.codec", "impl.ops", "oracle.case_files", "oracle.truth", "properties.impl", "tools.run"]
TESTS = r"^(cases\.(audit|grid|notation)|fuzz\.codec|impl\.ops|oracle\.(case_files|truth)|accuracy\.(bounds|page)|tools\.run\.Catalogue|docs\.findings)"


def run(command, wanted=0, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != wanted:
        sys.exit(f"{shlex.join(map(str, command))}: exit code {result.returncode}, not {wanted}\n{result.stdout}{result.stderr}")
    return result.stdout


def copy_tree(source, scratch):
    files = run(["git", "-C", source, "ls-files", "-co", "--exclude-standard", "-z"])
    for name in filter(None, files.split("\0")):
        if (source / name).is_file():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, scratch / name)


def insert(file, at, text):
    """Inserts `text` into the file, before the one line that holds `at`."""
    whole = file.read_text()
    assert whole.count(at) == 1, f"{file} holds {at} {whole.count(at)} times"
    start = whole.rindex("\n", 0, whole.index(at)) + 1
    file.write_text(whole[:start] + text + whole[start:])


def add_op(scratch, page):
    struct, *truth = re.findall(r"^```cpp\n(.*?)^```", page, re.M | re.S)
    insert(scratch / FAMILY, LIST, struct + "\n")
    family = (scratch / FAMILY).read_text()
    at = family.index(LIST)
    (scratch / FAMILY).write_text(family[:at] + family[at:].replace(">;", f", {STRUCT}>;", 1))
    assert len(truth) == len(TRUTH), "the page has a row for each kind of numbers"
    for file, row in zip(TRUTH, truth):
        insert(scratch / file, '("clone",', row)
    with open(scratch / CASES, "a") as cases:
        cases.write(re.search(r"^```text\n(.*?)^```", page, re.M | re.S).group(1))


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    page = (source / "docs/how_to/add_an_op.md").read_text()
    commands = re.findall(r"^upcast .*$", page, re.M)
    assert len(commands) >= 3, "the page has commands to run"
    with tempfile.TemporaryDirectory(prefix="upcast-how-to-") as folder:
        scratch = pathlib.Path(folder)
        copy_tree(source, scratch)
        for other in scratch.rglob("*"):
            if other.suffix in (".h", ".cc", ".txt", ".json") and OP in other.read_text():
                sys.exit(f"{other}: holds {OP} before it is added")
        add_op(scratch, page)
        run(["cmake", "--preset", "ci"], cwd=scratch)
        run(["ninja", "-C", "build", "upcast-worker", "upcast-repro", *PROGRAMS], cwd=scratch)
        missing = run(["build/bin/fuzz.codec", "--gtest_filter=CallableIds.*"], wanted=1, cwd=scratch)
        assert f"{OP}.fullcoverage: " in missing, missing
        run(["tools/regenerate.sh"], cwd=scratch)
        run(["ninja", "-C", "build", *PROGRAMS], cwd=scratch)
        tested = run(["ctest", "--test-dir", "build", "-R", TESTS, "--output-on-failure"], cwd=scratch)
        upcast = str(scratch / "build/bin/upcast")
        for command in commands:
            run([upcast] + shlex.split(command)[1:], cwd=scratch)
        store, report = scratch / "run.db", scratch / "report.html"
        run([upcast, "run", f"{OP}(int32[3])", "--out", store])
        run([upcast, "report", store, "-o", report])
        assert OP in report.read_text(), "the report shows the op"
    ran = re.search(r"out of (\d+)", tested).group(1)
    print(f"{OP}: {ran} tests that look at every op pass, and so do {len(commands)} commands of the page")


main()
