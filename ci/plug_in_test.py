"""Follows docs/how_to/plug_in_a_backend.md literally, every line of its ```sh blocks in order. The control takes an op
out of the manifest that the guide put in: the guide's gate must then fail.

usage: plug_in_test.py <source folder> <build folder>

Runs in a scratch folder that looks like a checkout: `build` and `oracle` lead to the real ones, and `upcast` is on
the path. Each line must succeed; the report must name the plug-in; the template stays within its 150 lines.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAX_TEMPLATE_LINES = 150


def shrinks(scratch, call):
    """The control: takes an op, which the guide added, out of the manifest again. The guide's gate must then fail, with a reason."""
    grown = json.loads(call("upcast diff main.db next.db --json -").stdout)
    assert grown["newly_judged"] > 0 and grown["worse"] == 0, f"the op that was added is newly judged: {grown}"
    source = scratch / "mine/mine.cc"
    text = source.read_text()
    source.write_text(text.replace('"ops": ["add.Tensor", "mul.Tensor"]', '"ops": ["add.Tensor"]'))
    assert source.read_text() != text, "the manifest names both ops"
    call("cmake --build mine/build")
    gate = call("upcast run --cases mine.cases --subject plugin:mine/build/libmine.so --baseline next.db --json -", expected=1)
    lost = json.loads(gate.stdout)["baseline"]
    assert lost["no_longer_judged"] == lost["worse"] == grown["newly_judged"], lost
    return lost["worse"]


def main():
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    page = (source / "docs/how_to/plug_in_a_backend.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)
    commands = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert len(commands) >= 8, "the page has commands to follow"
    template = source / "oracle/plugin/template"
    lines = sum(len(file.read_text().splitlines()) for file in template.iterdir())
    assert lines <= MAX_TEMPLATE_LINES, f"the template has {lines} lines, more than {MAX_TEMPLATE_LINES}"
    path = f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory(prefix="upcast-plug-in-") as folder:
        scratch = pathlib.Path(folder)
        (scratch / "build").symlink_to(build)
        (scratch / "oracle").symlink_to(source / "oracle")
        # Runs the lines in one shell, as a reader does, so that an export holds for later lines. The shell prints each
        # line before it runs it.
        result = subprocess.run(["bash", "-exc", "\n".join(commands)], cwd=scratch, env=os.environ | {"PATH": path},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(result.stdout)
        if result.returncode != 0:
            sys.exit(f"the last line printed with a + failed: exit code {result.returncode}")
        assert "libmine.so" in (scratch / "mine.html").read_text(), "the report names the plug-in"

        def call(command, expected=0):
            ended = subprocess.run(command.split(), cwd=scratch, env=os.environ | {"PATH": path}, capture_output=True, text=True,
                                   check=False)
            assert ended.returncode == expected, f"{command}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}"
            return ended

        lost = shrinks(scratch, call)
    print(f"{len(commands)} commands followed, a template of {lines} lines; {lost} cases of an op taken out are no longer judged")


main()
