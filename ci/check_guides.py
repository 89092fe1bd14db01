"""Checks that a guide of docs/how_to names every place that its task touches, in the tree of the working directory.

A guide says `<!-- places: REGEX -->` above a table whose first column has a path in backticks, or a pattern such as `cases/*.cases`.
REGEX matches the name of something that was added earlier, such as a dtype or a rule book. Every file with a match must be in the
table, and every place in the table must have a match. A table has at most six places. Tests, docs, the change log and the patterns in
the guide's `<!-- not: PATTERN... -->` are not counted. Prints one line a fault; exits 1 if there is one, or if no guide has places.
"""

import fnmatch
import pathlib
import re
import sys

LIMIT = 6
NEVER = [".*", "build/*", "*/__pycache__/*", "*_test.cc", "*_test.py", "*/testing/*", "docs/*", "CHANGELOG.md", "tools/mutation/mutants/*"]
PLACES = re.compile(r"<!-- places: (.*?) -->\s*\n(?:<!-- not: (.*?) -->\s*\n)?\s*((?:\|.*\n)+)")


def files_with(regex):
    pattern = re.compile(regex)
    for path in sorted(pathlib.Path().rglob("*")):
        name = path.as_posix()
        if path.is_file() and not any(fnmatch.fnmatch(name, never) for never in NEVER):
            if pattern.search(path.read_text(encoding="utf-8", errors="ignore")):
                yield name


def faults(guide):
    for regex, excluded, table in PLACES.findall(guide.read_text(encoding="utf-8")):
        places = [row.group(1) for row in re.finditer(r"^\|\s*`([^`]+)`", table, re.M)]
        found = [name for name in files_with(regex) if not any(fnmatch.fnmatch(name, one) for one in excluded.split())]
        if not places:
            yield f"{guide}: no place under '{regex}'"
        if len(places) > LIMIT:
            yield f"{guide}: {len(places)} places for '{regex}', at most {LIMIT}: derive one, or regenerate it"
        for name in found:
            if not any(fnmatch.fnmatch(name, place) for place in places):
                yield f"{guide}: {name} holds '{regex}', and the guide does not name it"
        for place in places:
            if not any(fnmatch.fnmatch(name, place) for name in found):
                yield f"{guide}: the place {place} does not hold '{regex}'"


def main():
    guides = [guide for guide in sorted(pathlib.Path("docs/how_to").glob("*.md")) if PLACES.search(guide.read_text(encoding="utf-8"))]
    found = [fault for guide in guides for fault in faults(guide)]
    for fault in found:
        print(fault)
    print(f"check_guides: {len(guides)} guides with places, {len(found)} faults")
    sys.exit(1 if found or not guides else 0)


main()
