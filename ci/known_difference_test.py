"""Follows docs/how_to/declare_a_known_difference.md: takes its entry out of a copy of the file, and adds it again.

usage: known_difference_test.py <source folder> <build folder>

Without the entry its case is a failure, with it a known difference. The controls are entries that must explain nothing:
one with another answer, and one that selects an op which its model does not know.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def without(text, entry):
    """The text of a file of known differences without the entry that has this id."""
    parts = re.split(r"^(?=\[\[difference\]\])", text, flags=re.M)
    others = [part for part in parts if f'id = "{entry["id"]}"' not in part]
    assert len(others) == len(parts) - 1, "the file has the entry, and once"
    return "".join(others)


def main():
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    page = (source / "docs/how_to/declare_a_known_difference.md").read_text()
    declared = (source / "cases/known_differences.toml").read_text()
    (block,) = blocks(page, "toml")
    (entry,) = tomllib.loads(block)["difference"]
    assert entry in tomllib.loads(declared)["difference"], "the page's entry is the file's"
    sources = "".join(file.read_text() for file in (source / "oracle/known").glob("*_models.cc"))
    code = blocks(page, "cpp")
    assert len(code) == 2 and all(part in sources for part in code), "the page's model and its row are those of oracle/known"
    commands = [shlex.split(line) for block in blocks(page, "sh") for line in block.splitlines()]
    assert ["upcast", "run", entry["case"]] in commands, "the page runs the entry's case"

    with tempfile.TemporaryDirectory(prefix="upcast-known-") as folder:
        file = pathlib.Path(folder) / "known.toml"

        def call(*arguments):
            return subprocess.run([build / "bin/upcast", *arguments], capture_output=True, text=True)

        def run_with(text):
            file.write_text(text)
            return call("run", entry["case"], "--known", file, "--json", "-")

        def counts(text, expected):
            done = run_with(text)
            assert done.returncode == expected, f"exit code {done.returncode}, not {expected}: {done.stdout}{done.stderr}"
            return json.loads(done.stdout)

        rest = without(declared, entry)
        assert counts(rest, 1)["known"] == 0, "without the entry the case is a failure"
        assert counts(rest + block, 0)["known"] == 1, "with the entry it is known"
        other_answer = block.replace(f'"{entry["oracle"]}"', '"0"')
        assert other_answer != block and counts(rest + other_answer, 1)["known"] == 0, "another answer explains nothing"
        other_op = block.replace("'special_log_ndtr*(", "'{special_log_ndtr,special_ndtr}*(")
        assert other_op != block
        refused = run_with(rest + other_op)
        assert refused.returncode == 2 and f"{entry['id']}: its selectors name the op special_ndtr" in refused.stderr, refused.stderr
        for command in commands:
            done = call(*command[1:])
            assert done.returncode == 0, f"{shlex.join(command)}: {done.stdout}{done.stderr}"
    print(f"{entry['id']}: declared, explained, and two controls explain nothing")


main()
