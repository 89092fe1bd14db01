"""Tests that the programs of docs/compiler_findings.md show their differences, and print what the page says.

    tools/findings/run_programs.py PAGE             exits 77, with the reason, where the environment of torch is missing
    tools/findings/run_programs.py PAGE --control   one program claims what is not so, another prints another value: both must be noticed

All programs run in a few processes, because to import torch and to warm Inductor takes seconds. Exits 1 where a program
no longer shows its difference."""
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from compiler_sections import parsed

PYTHON = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "upcast/frameworks/torch/bin/python")
MISSING = f"{PYTHON} is missing; run: ci/frameworks.sh torch"
# Matches errors that are not refusals of operands: Python does not know the call, or the op has no decomposition.
NO_CALL = re.compile(r"KeyError\(<Op|NameError|eager: .*(AttributeError|invalid combination of arguments|unexpected keyword|positional argument)")
SECONDS, LINE = 900, 300


def run_one(text):
    """Runs a program in this process. Returns (what it printed, how it failed); "" if it did not fail."""
    import torch
    printed, failed, process = io.StringIO(), "", os.getpid()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(text, "program", "exec"), {"__name__": "__main__"})  # noqa: S102
        except BaseException as why:  # noqa: BLE001
            failed = f"{type(why).__name__}: {why}"
    if os.getpid() != process:
        os._exit(1)  # the program forked, and this process is its child
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    torch._dynamo.reset()
    same = re.sub(r"0x[0-9a-f]{8,}", "0x...", re.sub(r"[^\s']*/upcast-programs-[^\s']*", "FILE", printed.getvalue()))
    same = re.sub(r"\\n\\nCommand:.*", "...", same)  # drops the C++ compiler's command, which differs between machines
    return "\n".join(line[:LINE].rstrip() for line in same.splitlines()), failed  # the text has no folders or addresses, so that all runs print the same


def child():
    """Reads {name: program} as JSON from standard input, runs each, and prints a line of JSON for each result."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not be read as a result
    for name, text in json.load(sys.stdin).items():
        print(json.dumps({"starts": name}), file=answers, flush=True)
        printed, failed = run_one(text)
        print(json.dumps({"name": name, "printed": printed, "failed": failed}), file=answers, flush=True)


def run_programs(programs):
    """Runs programs in a child process: {name: (what it printed, how it failed)}. If one kills the child, it has failed, and the rest run in a new child."""
    answers, left = {}, dict(programs)
    if not left:
        return answers
    with tempfile.TemporaryDirectory(prefix="upcast-programs-") as folder:
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": folder, "TORCHINDUCTOR_COMPILE_THREADS": "1", "OMP_NUM_THREADS": "1"}
        while left:
            try:
                done = subprocess.run([PYTHON, "-W", "ignore", __file__, "--child"], input=json.dumps(left), text=True, env=environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
                output, end = done.stdout, f"the process ended with exit code {done.returncode}: {done.stderr[-500:]}"
            except subprocess.TimeoutExpired as why:
                output, end = (why.stdout or b"").decode(), f"it took more than {SECONDS} s"
            began = None
            for message in map(json.loads, output.splitlines()):
                began = message.get("starts")
                if "name" in message:
                    answers[message["name"]] = message["printed"], message["failed"]
                    del left[message["name"]]
            if left and began is None:
                sys.exit(f"run_programs.py: {end}")
            if began in left:
                answers[began] = "", end
                del left[began]
    return answers


def fault_of(printed, failed):
    """Why a program does not show its difference; "" if it does. The arguments are what run_one() returned."""
    return failed or ("torch has no such call" if NO_CALL.search(printed) else "")


def trouble_of(programs, outputs):
    """Runs the programs. Returns a text for each that fails, or that prints something else than outputs[name]."""
    trouble = []
    for name, (printed, failed) in run_programs(programs).items():
        if fault_of(printed, failed):
            trouble.append(f"{name}: {fault_of(printed, failed)}\n{printed}")
        elif printed != outputs[name]:
            trouble.append(f"{name} prints\n{printed}\nand the page has\n{outputs[name]}")
    return trouble


def old_names():
    """The fault, in a list, if fuzz/findings/torch_names.json does not fit the installed torch; else an empty list."""
    folder = pathlib.Path(__file__).resolve().parent
    fuzz = folder.parents[1] / "fuzz"
    done = subprocess.run([PYTHON, "-W", "ignore", folder / "torch_names.py", fuzz / "callable_ids.txt", fuzz / "findings/torch_names.json", "--check"],
                          capture_output=True, text=True)
    return [done.stderr.strip()] if done.returncode else []


def spoiled(programs, outputs):
    """Wrong programs for the control: one makes the eager call twice, and another prints a value other than the page's."""
    compiled = [name for name, text in programs.items() if "torch.compile(f)(" in text]
    assert len(compiled) >= 2, "programs to spoil"
    first, second = compiled[0], compiled[1]
    return ({first: programs[first].replace("torch.compile(f)(", "f("), second: programs[second]},
            {first: "", second: outputs[second].replace("compiled: ", "compiled: 0")})


def main():
    if sys.argv[1] == "--child":
        child()
        return 0
    if not PYTHON.exists():
        print(f"skipped: {MISSING}")
        return 77
    sections = parsed(pathlib.Path(sys.argv[1]).read_text())
    programs = {name: each.program for name, each in sections.items() if each.language == "python"}
    outputs = {name: sections[name].printed for name in programs}
    if "--control" in sys.argv:
        programs, outputs = spoiled(programs, outputs)
    trouble = trouble_of(programs, outputs) + old_names()
    for line in trouble:
        print(line)
    showing = len(programs) - sum(name in "\n".join(trouble) for name in programs)
    print(f"{len(programs)} programs ran; {showing} show their difference as the page says; "
          f"{len(sections) - len(programs)} causes have no program")
    return 1 if trouble or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
