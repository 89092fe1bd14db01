"""count_tests.py <junit.xml>: prints the slowest tests, what was skipped, with the reason, and what failed; 'N passed, N failed[, N
skipped]' as its last line.

Exits 1 if a test failed or if none ran: nothing passes by accident.
"""

import sys
import xml.etree.ElementTree as ElementTree

SLOWEST = 10


def print_slowest(cases):
    """Prints the slowest tests. Times are wall times: a test that shares the machine takes longer than it does alone."""
    timed = sorted(((float(case.get("time", 0)), case.get("name")) for case in cases), reverse=True)
    print(f"{sum(seconds for seconds, _ in timed):.0f} s of tests, several at a time; the slowest of {len(timed)}:")
    for seconds, name in timed[:SLOWEST]:
        print(f"{seconds:8.1f} s  {name}")


def reason_of(case):
    """The reason that a skipped test printed: the line after GoogleTest's "Skipped", or a line that has the word skipped."""
    lines = case.findtext("system-out", "").splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        if line.endswith(": Skipped"):
            return after
        if line.startswith("skipped: "):
            return line.removeprefix("skipped: ")
    return "no reason was printed"


def main():
    try:
        cases = ElementTree.parse(sys.argv[1]).getroot().findall("testcase")
    except (OSError, ElementTree.ParseError) as error:
        sys.exit(f"count_tests.py: ctest left no results: {error}")
    passed, failed, skipped = [], [], []
    for case in cases:
        status, skip = case.get("status"), case.find("skipped")
        if status == "run":
            passed.append(case)
        # ctest also calls a test "skipped" if it could not start the test's command. Such a test failed.
        elif status == "disabled" or skip is not None and skip.get("message", "").startswith("SKIP_"):
            skipped.append(case)
        else:
            failed.append(case)
    print_slowest(cases)
    for word, group in (("skipped", skipped), ("failed", failed)):
        for case in group:
            print(f"{word}: {case.get('name')}" + (f": {reason_of(case)}" if group is skipped else ""))
    line = f"{len(passed)} passed, {len(failed)} failed"
    print(line + (f", {len(skipped)} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


main()
