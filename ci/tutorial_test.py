"""Follows docs/tutorial.md word by word: ci/check_docs.py writes its files, runs its commands and compares every line.

usage: tutorial_test.py [--control] <source folder> <build folder>

The page has to show each kind of bug. --control changes steps 1 to 3 of the page, and demands that each change is noticed: a
bug that the toy or the cases lose, a kind that is no longer shown, output that is other, and a line that is left out.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ["differ(dtype)", "differ(shape)", "differ(strides)", "differ(refusal)", "differ(accepts)", "differ(value)", "crash"]
FIRST_MEND = "## 4. "


def shown_kinds(page):
    consoles = re.findall(r"^```console\n(.*?)^```", page, re.M | re.S)
    return {line.split(" ", 1)[0] for console in consoles for line in console.splitlines()}


def followed(page, source, build):
    """Runs the page by ci/check_docs.py. Returns (whether all is as the page says, what check_docs.py printed)."""
    missing = [kind for kind in KINDS if kind not in shown_kinds(page)]
    if missing:
        return False, f"the page shows no {', no '.join(missing)}"
    with tempfile.TemporaryDirectory(prefix="upcast-tutorial-") as folder:
        copy = pathlib.Path(folder) / "tutorial.md"
        copy.write_text(page)
        ended = subprocess.run([sys.executable, source / "ci/check_docs.py", "--every-line", build, copy], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
    return ended.returncode == 0, ended.stdout


def changed(text, old, new):
    assert text.count(old) == 1, f"the page holds {text.count(old)} times: {old}"
    return text.replace(old, new)


def changes(page):
    """Wrong variants of the page: (what is wrong, the changed page, a text that the check must print)."""
    (cases,) = re.findall(r"^```text first.cases\n(.*?)^```", page, re.M | re.S)
    with_bugs = cases.splitlines(keepends=True)[1:]
    assert len(with_bugs) == len(KINDS), "a case a kind, after one that agrees"
    for kind, case in zip(KINDS, with_bugs):
        yield f"no case of {kind}", changed(page, cases, cases.replace(case, "")), f"or not in this place:\n{kind}"
    for kind in KINDS:
        yield f"{kind} not shown", re.sub(rf"^{re.escape(kind)} .*\n", "", page, flags=re.M), f"the page shows no {kind}"
    right = "elementwise(lambda a, b: a + b if math.isnan(a + b) else max(a, b))"
    yield ("a toy whose maximum is right", changed(page, '"maximum": elementwise(max)', f'"maximum": {right}'),
           "or not in this place:\ndiffer(value)")
    yield "other output", changed(page, "  [2,1] against [2,2]", "  [2,1] against [2,3]"), "or not in this place:\n  [2,1] against [2,3]"
    yield "a line left out", changed(page, "  float64 against float32\n", ""), "  float64 against float32    (not shown)"


def control(page, source, build):
    first_steps = page[:page.index(FIRST_MEND)]
    holds, said = followed(first_steps, source, build)
    assert holds, said
    count = 0
    for wrong, other, expected in changes(first_steps):
        holds, said = followed(other, source, build)
        assert not holds and expected in said, f"{wrong}: not noticed, or not as such:\n{said}"
        count += 1
    print(f"{count} changes of the page, each noticed")


def main():
    *options, source, build = sys.argv[1:]
    source, build = pathlib.Path(source).resolve(), pathlib.Path(build).resolve()
    page = (source / "docs/tutorial.md").read_text()
    if options == ["--control"]:
        control(page, source, build)
    else:
        holds, said = followed(page, source, build)
        print(said)
        sys.exit(0 if holds else 1)


main()
