"""Tests the programs about a wrong subject: they call that subject, show the difference, and end with 0 once the subject is mended.

    tools/findings/subject_programs.py BIN LIBTORCH PLUGINS plugin     C++ programs, built as their own comment says
    tools/findings/subject_programs.py BIN LIBTORCH PLUGINS process    Python programs that ask a process
    tools/findings/subject_programs.py BIN LIBTORCH PLUGINS torch      Python programs of another torch, of modules that
                                                            spoil torch, and of kernels; exits 77, with a reason, where there is none

BIN holds upcast and upcast-repro, LIBTORCH the torch/ folder, PLUGINS the plug-ins of oracle/plugin/testing. Each program is
run a second time with a subject that is right, which is the control: it says that both are equal, and ends with 0.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from reproducers import ROOT, Reproducers

EQUAL, DIFFERS, CANNOT_SAY = 0, 1, 2
PYTHON_FOLDER = ROOT / "oracle/frameworks/python"

# {fault of a broken plug-in: what the program about it must print}. The plug-ins fail at calls of four elements.
DEEDS = {
    "other_dtype": "the plug-in gives int32[4]",
    "wrong_shape": "the plug-in gives float32[2]",
    "wrong_value": "the plug-in gives float32[4]",
    "segfault": "the plug-in dies: Segmentation fault",
    "exit": "the plug-in ends the process with exit code 3",
    "endless_loop": "the plug-in dies: it gave no answer in time",
}
PLUGIN_CASE = "add.Tensor(float32[4]{1,2,3,4}, float32[4]{5,6,7,8})"

# Faults of a process, by name: the text in the template of a backend, what replaces it, the case that then differs, and what the
# program about it prints.
SPOILED = {
    "dtype": ('return "float32" if found', 'return "int32" if found', "add.Tensor(int32[2]{1,2}, 2.5)", "gives int32[2]"),
    "value": ("lambda a, b: a + b", "lambda a, b: a + 2 * b", "add.Tensor(float64[2]{1,2}, float64[2]{3,4})", "{7.0,10.0}"),
    "shape": ("return Tensor.of(dtype, shape,", "return Tensor.of(dtype, [1, *shape],", "neg(int32[2]{1,2})", "[1, 2]"),
    "refusal": ("dtype, count = dtype_of(operands), len(", "raise ValueError('no'); dtype, count = 0, len(",
                "neg(float32[2]{1,2})", "gives a refusal: "),
    "death": ("dtype, count = dtype_of(operands), len(", "__import__('os')._exit(3); dtype, count = 0, len(",
              "neg(float32[2]{1,2})", "it ended with exit code 3"),
}

# A call that torch 2.5 refuses, and that this LibTorch answers.
TORCH_CASE = "pow.Tensor_Scalar_out(uint8[2]{7,5}, 3, out=int32[2])"
SPOILS_TORCH = """import torch
library = torch.library.Library("aten", "IMPL")
def refuse(*_, **__):
    raise RuntimeError("no")


library.impl("pow.Tensor_Scalar_out", refuse, "CPU")
"""


def run(command, folder, environment=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment or os.environ, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout

# A module of kernels, and the change that makes it wrong.
KERNELS = """def add(self, other, alpha=1):
    return self + alpha * other


kernels = {"add": add}
"""
SPOILS_KERNELS = ("alpha * other\n", "alpha * other.double()\n")


class Trouble(list):
    def expect(self, what, code, said, done):
        print(f"{what}: exit {done[0]}")
        if done[0] != code or not all(words in done[1] for words in said):
            self.append(f"{what}: exit {done[0]}, not {code}, or no {said}:\n{done[1]}")


def program(reproducers, case, subject, file, time_limit="3", search=PYTHON_FOLDER):
    option = "--cpp" if file.suffix == ".cc" else "--python"
    code, output = run([reproducers.upcast, "repro", case, "--subject", subject, "--time-limit", time_limit, option, file],
                       reproducers.folder, reproducers.environment | {"PYTHONPATH": str(search)})
    if code != 0:
        sys.exit(f"upcast repro {case} --subject {subject}: exit {code}\n{output}")
    text = file.read_text()
    if not any(words in text for words in ("is wrong here", "is undecided: ", "which does not count as a wrong answer")):
        sys.exit(f"{case} of {subject}: the program does not say who is wrong:\n{text}")
    return text


def plugin(reproducers, plugins, trouble):
    folder = reproducers.folder
    installed = folder / "installed/include"
    installed.mkdir(parents=True)
    (installed / "upcast").symlink_to(ROOT)
    environment = os.environ | {"U": str(installed.parent)}

    def build_and_run(text):
        (folder / "reproduce.cc").write_text(text)
        command = text.split("//   g++ ")[1].split("\n")[0]
        return run(["bash", "-c", f"g++ -Wall -Werror {command}"], folder, environment)

    for deed, told in DEEDS.items():
        broken, right = (str(plugins / f"libbroken_{name}.so") for name in (deed, "none"))
        text = program(reproducers, PLUGIN_CASE, f"plugin:{broken}", folder / "reproduce.cc", "1")
        trouble.expect(deed, DIFFERS, [told], build_and_run(text))
        assert broken in text
        trouble.expect(f"{deed}, mended", EQUAL, ["PyTorch ", " gives float32[4]{6,8,10,12}", "they are equal"], build_and_run(text.replace(broken, right)))
    gone = text.replace(broken, "/nowhere/libmine.so")
    trouble.expect("a plug-in that is not there", CANNOT_SAY, ["/nowhere/libmine.so"], build_and_run(gone))


def process(reproducers, _, trouble):
    folder = reproducers.folder
    environment = os.environ | {"PYTHONPATH": str(PYTHON_FOLDER)}
    template = (PYTHON_FOLDER / "template/backend.py").read_text()
    for name, (right, wrong, case, told) in SPOILED.items():
        backend = folder / f"{name}.py"
        assert right in template
        backend.write_text(template.replace(right, wrong))
        file = folder / "reproduce.py"
        program(reproducers, case, f"process:{sys.executable} {backend}", file)
        trouble.expect(name, DIFFERS, ["PyTorch ", "they differ", told], run([sys.executable, file], folder, environment))
        backend.write_text(template)
        trouble.expect(f"{name}, mended", EQUAL, ["they are equal"], run([sys.executable, file], folder, environment))
    assert right in template
    backend.write_text(template.replace(right, f"raise Skipped('not yet'); {right}"))
    trouble.expect("what the process does not do", CANNOT_SAY, ["does not answer"], run([sys.executable, file], folder, environment))


def torch(reproducers, _, trouble):
    python = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "upcast/frameworks/torch-2.5.1/bin/python")
    if not python.exists():
        print("skipped: no torch 2.5.1 here; run: ci/frameworks.sh torch==2.5.1")
        sys.exit(77)
    own = reproducers.python()  # an interpreter with this LibTorch; ends with 77 if there is none
    folder = reproducers.folder
    file = folder / "reproduce.py"
    text = program(reproducers, TORCH_CASE, "python:torch==2.5.1", file)
    trouble.expect("torch 2.5.1", DIFFERS, ["PyTorch ", "gives int32[2]{87,125}", "it refuses"], run([python, file], folder))
    trouble.expect("this torch", EQUAL, ["as expected"], run([*own, file], folder, reproducers.environment))
    imported = text.replace('start_on("cpu", []', 'start_on("cpu", ["my_backend", ]')
    assert imported != text
    file.write_text(imported)
    for what, module, told in (("a module that is imported", "", "as expected"),
                               ("a module that spoils torch", SPOILS_TORCH, "it refuses" )):
        (folder / "my_backend.py").write_text(module)
        code = EQUAL if not module else DIFFERS
        trouble.expect(what, code, [told], run([*own, file], folder, reproducers.environment))

    # The environment of a user: modules of the interpreter's own torch.
    environment = os.environ | {"PYTHONPATH": str(folder)}
    for subject, case, module, right, wrong in (
            (f"python:torch?python={python}&import=my_backend&device=cpu",
             "pow.Tensor_Scalar_out(int32[2]{7,5}, 3, out=int32[2])", "my_backend.py", "", SPOILS_TORCH),
            (f"python:functions?python={python}&module=my_kernels", "add.Tensor(int32[2]{1,2}, int32[2]{3,4}, alpha=2)",
             "my_kernels.py", KERNELS, KERNELS.replace(*SPOILS_KERNELS))):
        (folder / module).write_text(wrong)
        text = program(reproducers, case, subject, file, search=folder)
        assert "is wrong here: LibTorch, the oracle, and our own rules give" in text, text
        trouble.expect(module, DIFFERS, ["the difference is there"], run([python, file], folder, environment))
        (folder / module).write_text(right)
        trouble.expect(f"{module}, mended", EQUAL, ["as expected"], run([python, file], folder, environment))


def main():
    binaries, libtorch, plugins, part = sys.argv[1:5]
    trouble = Trouble()
    with tempfile.TemporaryDirectory() as folder:
        reproducers = Reproducers(binaries, libtorch, pathlib.Path(folder))
        {"plugin": plugin, "process": process, "torch": torch}[part](reproducers, pathlib.Path(plugins), trouble)
    for line in trouble:
        print(line)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
