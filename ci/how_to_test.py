"""Follows docs/how_to/add_an_op.md in a scratch copy of the tree.

usage: how_to_test.py <source folder>

Takes deg2rad out of the catalogue, adds it again from the page's code, builds, and demands that the page's commands
succeed and that audit, run and report know the op. Objects that do not change come from ccache.
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

OP = "Deg2Rad"
FAMILY = "impl/ops/trigonometric.h"


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def copy_tree(source, scratch):
    files = run(["git", "-C", source, "ls-files", "-co", "--exclude-standard", "-z"])
    for name in filter(None, files.split("\0")):
        if (source / name).is_file():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, scratch / name)


def remove_op(family):
    text = family.read_text()
    without = re.sub(rf"struct {OP} {{.*?^}};\n\n", "", text, flags=re.M | re.S)
    without = re.sub(rf",\s*{OP}\b", "", without)
    assert OP not in without and without != text, "the op is in its family, and taken out of it"
    family.write_text(without)


def add_op(family, code):
    text = family.read_text()
    at = text.index("using Trigonometric")
    listed = re.sub(r">;", f", {OP}>;", text[at:], count=1)
    family.write_text(text[:at] + code + "\n" + listed)


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    page = (source / "docs/how_to/add_an_op.md").read_text()
    code = re.search(r"^```cpp\n(.*?)^```", page, re.M | re.S).group(1)
    commands = re.findall(r"^upcast .*$", page, re.M)
    assert len(commands) >= 3, "the page has commands to run"
    with tempfile.TemporaryDirectory(prefix="upcast-how-to-") as folder:
        scratch = pathlib.Path(folder)
        copy_tree(source, scratch)
        remove_op(scratch / FAMILY)
        add_op(scratch / FAMILY, code)
        run(["cmake", "--preset", "ci", "-DBUILD_TESTING=OFF"], cwd=scratch)
        run(["ninja", "-C", "build", "upcast", "upcast-worker"], cwd=scratch)
        upcast = str(scratch / "build/bin/upcast")
        for command in commands:
            run([upcast] + shlex.split(command)[1:], cwd=scratch)
        audit = json.loads(run([upcast, "audit", "--json", "-"]))
        assert "deg2rad" in json.dumps(audit["implemented_overloads"]), "the audit lists the op"
        store, report = scratch / "run.db", scratch / "report.html"
        run([upcast, "run", "deg2rad(int32[3])", "--out", store])
        run([upcast, "report", store, "-o", report])
        assert "deg2rad" in report.read_text(), "the report shows the op"
    print(f"{len(commands)} commands of the page, audit, run and report know {OP}")


main()
