"""Runs the examples of the documents, and compares the output that they show.

usage: check_docs.py [--every-line] <build folder> <document>...

- ```case: every line is judged.
- ```sh: every `upcast` command must succeed.
- ```console: every command after `$ ` runs, and the lines below it must stand in its output, in that order. `...` stands for
  any lines, or for any part of a line. `# exits with N` after a command names another exit code than 0. With --every-line,
  no line of the output may be left out without a `...`. Standard error comes after standard output.
- ```LANGUAGE FILE: the block is written to the file. ```diff FILE: each run of `-` lines in the file becomes the `+` lines.

The examples of a page run in its order and in one folder, with the build's programs and Python package at hand.

A backend with a wrong value lies in the folder as libmine.so, where the build has one. Examples of `upcast fuzz` that need a
fuzz engine are left out, and counted, where the build has none.
Exits with 1 if an example fails, or if there was none to run; else with 77 if one was left out.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing

PYTHON = "share/upcast/python"
BACKEND = "plugins/libbroken_wrong_value.so"
FUZZ_ENGINE = "bin/fuzz-elementwise"


class Example(typing.NamedTuple):
    command: list[str]
    stdin: str | None = None
    exit_code: int = 0
    shown: list[str] = []
    is_shown: bool = False  # whether the page shows the output of these commands


class File(typing.NamedTuple):
    """A file that a page lets its reader write. `text` is the whole file or, with is_diff, the lines that change."""
    name: str
    text: str
    is_diff: bool

    def write(self, folder):
        path = folder / self.name
        path.write_text(self.changed(path.read_text()) if self.is_diff else self.text)

    def changed(self, text):
        for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", self.text, re.M):
            old, new = (re.sub(r"^.", "", lines, flags=re.M) for lines in (old, new))
            if text.count(old) != 1:
                sys.exit(f"{self.name} holds {text.count(old)} times what the page changes:\n{old}")
            text = text.replace(old, new)
        return text


def console_examples(block):
    for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = example.splitlines()
        exits = re.search(r"# exits with (\d+)", command)
        yield Example(shlex.split(command, comments=True), None, int(exits.group(1)) if exits else 0, shown, True)


def parts(text):
    """The examples and files of a page, in the order of the page."""
    for tag, name, block in re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", text, re.M | re.S):
        if name:
            yield File(name, block, tag == "diff")
        elif tag == "sh":
            yield from (Example(shlex.split(line)) for line in block.splitlines() if line.startswith("upcast "))
        elif tag == "console":
            yield from console_examples(block)
        elif tag == "case":
            yield Example(["upcast", "run", "-"], block)


def first_missing(shown, output, every_line):
    """The first line of `shown` that `output` does not have at that place; None if it has all. With `every_line` also the first
    line of `output` that `shown` leaves out."""
    lines = output.splitlines()
    at, may_skip = 0, not every_line
    for line in shown:
        if line.strip() == "...":
            may_skip = True
            continue
        pattern = re.compile(".*".join(map(re.escape, line.rstrip().split("..."))))
        found = next((i for i in range(at, len(lines)) if pattern.fullmatch(lines[i].rstrip())), None)
        if found is None:
            return line
        if found > at and not may_skip:
            return f"{lines[at]}    (not shown)"
        at, may_skip = found + 1, not every_line
    return None if may_skip or at == len(lines) else f"{lines[at]}    (not shown)"


def failure(example, result, every_line):
    """Why an example of a page is wrong, by the result of its command; None if it is right."""
    output = result.stdout + result.stderr
    # If a case kills LibTorch, as a known difference says, no value is judged, and exit code 3 is right.
    if result.returncode != example.exit_code and not (result.returncode == 3 and "known " in result.stdout):
        return f"exit code {result.returncode}\n{output}"
    missing = first_missing(example.shown, output, every_line and example.is_shown)
    return None if missing is None else f"its output has no line, or not in this place:\n{missing}\n--- the output:\n{output}"


def needs_engine(example):
    """Whether an example needs a fuzzing engine. A campaign with a process as its subject needs none."""
    return example.command[1:2] == ["fuzz"] and "--subject" not in example.command


def run(example, build, folder):
    program, *arguments = example.command
    built = build / "bin" / program
    environment = os.environ | {"PYTHONPATH": str(build / PYTHON), "PATH": f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run([str(built) if built.exists() else program, *arguments], input=example.stdin or "", capture_output=True,
                          text=True, cwd=folder, env=environment, check=False)


def main():
    options = argparse.ArgumentParser(description="Runs the examples of the documents.")
    options.add_argument("--every-line", action="store_true")
    options.add_argument("build", type=lambda folder: pathlib.Path(folder).resolve())
    options.add_argument("documents", nargs="+", type=pathlib.Path)
    given = options.parse_args()
    build = given.build
    if not (build / "bin/upcast").exists():
        sys.exit(f"{build}/bin/upcast is missing")
    ran = failed = left_out = 0
    for document in given.documents:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="upcast-docs-"))  # all examples of a page share a folder: one may read what an earlier one wrote
        if (build / BACKEND).exists():
            shutil.copy(build / BACKEND, folder / "libmine.so")
        for part in parts(document.read_text()):
            if isinstance(part, File):
                part.write(folder)
                continue
            if needs_engine(part) and not (build / FUZZ_ENGINE).exists():
                left_out += 1
                continue
            ran += 1
            why = failure(part, run(part, build, folder), given.every_line)
            if why is not None:
                failed += 1
                print(f"{document}: {shlex.join(part.command)}: {why}")
        shutil.rmtree(folder)
    print(f"{ran} examples, {failed} failed" +
          (f"; {left_out} of upcast fuzz left out: {FUZZ_ENGINE} is missing, run ci/setup.sh fuzz and build all" if left_out else ""))
    if failed or not ran:
        sys.exit(1)
    sys.exit(77 if left_out else 0)


main()
