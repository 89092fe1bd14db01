"""Follows docs/how_to/judge_your_pytorch_device.md and judge_kernels_as_functions.md literally: every line of their ```sh blocks,
and the files of their ```python blocks. It runs a twentieth of the grid `promotion`.

usage: device_guides_test.py <bin folder> <source folder> <libupcast_device.so> <torch folder>

The user's backend is the device "upcast" under the name my_device. Exits with 77, and the reason, where torch or pytest is
missing.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

BIN, SOURCE, LIBRARY, TORCH = sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:5]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
BACKEND = """import sys
sys.path.insert(0, {folder!r})
import upcast_device
upcast_device.load({library!r}, "my_device")
"""


def skipped(why):
    print(f"skipped: {why}", file=sys.stderr)
    sys.exit(77)


def blocks(page, tag):
    return re.findall(rf"^```{tag}\n(.*?)^```", (SOURCE / "docs/how_to" / page).read_text(), re.M | re.S)


def follow(page, folder, environment):
    """Runs the commands of a page in order, and fails at the first that fails. Each has the exports of the lines before it."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines() if line.strip()]
    assert lines, f"{page} has commands to follow"
    for line in lines:
        shard = " --shard 1/20 --block 256" if "--grid promotion" in line and line.startswith("upcast run ") else ""
        began = time.monotonic()
        exports = [each for each in lines[:lines.index(line)] if each.startswith("export ")]
        ended = subprocess.run(["bash", "-ec", "\n".join([*exports, line + shard])], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        seconds = time.monotonic() - began
        print(f"{seconds:6.1f} s  {line[:100]}", flush=True)
        if ended.returncode != 0:
            sys.exit(f"{page}: exit code {ended.returncode} of: {line}\n{ended.stdout[-4000:]}")


def main():
    ended = subprocess.run([sys.executable, SOURCE / "ci/torch_python.py", TORCH, LIBRARY], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        skipped(ended.stderr.strip())
    pin = re.search(r"^pytest==(\S*)", (SOURCE / "ci/pytest.txt").read_text(), re.M).group(1)
    pytest = CACHE / f"pytest-{pin}"
    if not (pytest / ".complete").exists():
        skipped(f"{pytest} is not there; ci/setup.sh fetches it")
    with tempfile.TemporaryDirectory(prefix="upcast-device-") as name:
        folder = pathlib.Path(name)
        (folder / "my_backend.py").write_text(BACKEND.format(folder=str(SOURCE / "oracle/frameworks/privateuse1"), library=LIBRARY))
        (folder / "my_kernels.py").write_text(blocks("judge_kernels_as_functions.md", "python")[0])
        programs = folder / "programs"
        programs.mkdir()
        for program, command in {"pytest": f"{sys.executable} -m pytest -p upcast_conformance.pytest_plugin", "python3": sys.executable}.items():
            (programs / program).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (programs / program).chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{BIN}:{os.environ['PATH']}",
                       "PYTHONPATH": f"{ended.stdout.strip()}:{pytest}:{SOURCE / 'ci/wheel'}"}
        for page in ("judge_your_pytorch_device.md", "judge_kernels_as_functions.md"):
            follow(page, folder, environment)
        for report in ("promotion.html", "kernels.html"):
            assert (folder / report).stat().st_size > 10000, report


main()
