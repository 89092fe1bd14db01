"""Runs the examples of the documents, and compares the output that they show.

usage: check_docs.py <build folder> <document>...

- ```case: every line is judged.
- ```sh: every `upcast` command must succeed.
- ```console: every command after `$ ` runs, and the lines below it must stand in its output, in that order. `...` stands for
  any lines, or for any part of a line. `# exits with N` after a command names another exit code than 0.

A backend with a wrong value lies in the folder as libmine.so, where the build has one. Examples of `upcast fuzz` are left
out, and counted, where the build has no fuzz engine.
Exits with 1 if an example fails, or if there was none to run; else with 77 if one was left out.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing

BACKEND = "plugins/libbroken_wrong_value.so"
FUZZ_ENGINE = "bin/fuzz-elementwise"


class Example(typing.NamedTuple):
    command: list[str]
    stdin: str | None = None
    exit_code: int = 0
    shown: list[str] = []


def blocks(text, tag):
    return re.findall(rf"^```{tag}\n(.*?)^```", text, re.M | re.S)


def console_examples(block):
    for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = example.splitlines()
        exits = re.search(r"# exits with (\d+)", command)
        yield Example(shlex.split(command, comments=True), None, int(exits.group(1)) if exits else 0, shown)


def examples(text):
    for block in blocks(text, "sh"):
        yield from (Example(shlex.split(line)) for line in block.splitlines() if line.startswith("upcast "))
    for block in blocks(text, "console"):
        yield from console_examples(block)
    for block in blocks(text, "case"):
        yield Example(["upcast", "run", "-"], block)


def first_missing(shown, output):
    """The first line of `shown` that does not follow in `output`; None if all do."""
    lines = iter(output.splitlines())
    for line in shown:
        pattern = re.compile(".*".join(map(re.escape, line.rstrip().split("..."))))
        if line.strip() != "..." and not any(pattern.fullmatch(found.rstrip()) for found in lines):
            return line
    return None


def failure(example, result):
    """Why the example does not hold; None if it does."""
    output = result.stdout + result.stderr
    # 3: the line that kills LibTorch judges no value
    if result.returncode != example.exit_code and not (result.returncode == 3 and "known " in result.stdout):
        return f"exit code {result.returncode}\n{output}"
    missing = first_missing(example.shown, output)
    return None if missing is None else f"its output has no line, or not in this place:\n{missing}\n--- the output:\n{output}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    ran = failed = left_out = 0
    for document in sys.argv[2:]:
        folder = tempfile.mkdtemp(prefix="upcast-docs-")  # what one example writes, the next may read
        if (build / BACKEND).exists():
            shutil.copy(build / BACKEND, pathlib.Path(folder) / "libmine.so")
        for example in examples(pathlib.Path(document).read_text()):
            program, *arguments = example.command
            if arguments[:1] == ["fuzz"] and not (build / FUZZ_ENGINE).exists():
                left_out += 1
                continue
            result = subprocess.run([str(build / "bin" / program), *arguments], input=example.stdin, capture_output=True,
                                    text=True, cwd=folder, check=False)
            ran += 1
            why = failure(example, result)
            if why is not None:
                failed += 1
                print(f"{document}: {shlex.join(example.command)}: {why}")
        shutil.rmtree(folder)
    print(f"{ran} examples, {failed} failed" +
          (f"; {left_out} of upcast fuzz left out: {FUZZ_ENGINE} is missing, run ci/setup.sh fuzz and build all" if left_out else ""))
    if failed or not ran:
        sys.exit(1)
    sys.exit(77 if left_out else 0)


main()
