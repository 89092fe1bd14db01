#!/usr/bin/env python3
"""Checks that tests cover the functions which tell a GPU thread its elements: index_coverage.py SOURCE CXX [HEADER...]

Compiles impl/cuda/indexing_test.cc with gcov's counters, runs it, and demands that every line and every branch of the index
headers ran. Prints those that did not run, and exits with 1 if there are any. HEADER: headers to test instead, for a control.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

INDEX_HEADERS = ("fast_division.h", "offset_calculator.h", "element_groups.h", "launch_index.h")


def faults_of(report):
    """What did not run in a file of gcov's JSON: ([(line, fault)], how many lines the file has, how many branches)."""
    faults, lines, branches = [], 0, 0
    for line in report["lines"]:
        lines += 1
        if line["count"] == 0:
            faults.append((line["line_number"], "did not run"))
            continue
        for branch in line["branches"]:
            if branch["throw"]:
                continue
            branches += 1
            if branch["count"] == 0:
                faults.append((line["line_number"], "a branch was not taken"))
    return faults, lines, branches


def coverage(source, cxx, folder):
    """{name of a file: gcov's report on it}."""
    test = source / "impl/cuda/indexing_test.cc"
    compiled = subprocess.run(
        [cxx, "-std=c++20", "-O0", "--coverage", "-fno-exceptions", "-DGTEST_HAS_EXCEPTIONS=0", f"-I{source}",
         str(test), "-o", "indexing", "-lgtest", "-lgtest_main", "-lpthread"], cwd=folder)
    if compiled.returncode != 0:
        sys.exit("the test does not compile")
    subprocess.run(["./indexing", "--gtest_brief=1"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["gcov", "--json-format", "--branch-probabilities", "indexing-indexing_test.gcda"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    reports = {}
    for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
        for file in json.loads(gzip.open(path).read())["files"]:
            reports[pathlib.Path(file["file"]).name] = file
    return reports


def main(source, cxx, headers):
    with tempfile.TemporaryDirectory() as folder:
        reports = coverage(pathlib.Path(source).resolve(), cxx, folder)
    failed = False
    for header in headers:
        if header not in reports:
            print(f"{header}: no line of it ran")
            failed = True
            continue
        faults, lines, branches = faults_of(reports[header])
        for number, what in faults:
            print(f"{header}:{number}: {what}")
        print(f"{header}: {lines} lines and {branches} branches, {len(faults)} faults")
        failed = failed or bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:] or INDEX_HEADERS))
