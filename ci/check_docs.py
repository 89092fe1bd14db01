"""Runs the examples of the documents: every line of a ```case block, every `upcast` command of a ```sh block.

usage: check_docs.py <build folder> <document>...
Exits 1 if one fails, or if there was none to run.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


def blocks(text, tag):
    return re.findall(rf"^```{tag}\n(.*?)^```", text, re.M | re.S)


def main():
    upcast = str((pathlib.Path(sys.argv[1]) / "bin" / "upcast").resolve())
    ran = failed = 0
    for document in sys.argv[2:]:
        folder = tempfile.mkdtemp(prefix="upcast-docs-")  # what one example writes, the next may read
        text = pathlib.Path(document).read_text()
        commands = [
            ([upcast] + shlex.split(line)[1:], None)
            for block in blocks(text, "sh")
            for line in block.splitlines()
            if line.startswith("upcast ")
        ]
        commands += [([upcast, "run", "-"], block) for block in blocks(text, "case")]
        for command, stdin in commands:
            result = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=folder)
            # 3: the line that kills LibTorch judges no value
            good = result.returncode == 0 or (result.returncode == 3 and "known " in result.stdout)
            ran += 1
            if not good:
                failed += 1
                print(f"{document}: {shlex.join(command)}: exit code {result.returncode}")
                print(result.stdout + result.stderr)
        shutil.rmtree(folder)
    print(f"{ran} examples, {failed} failed")
    sys.exit(1 if failed or not ran else 0)


main()
