"""Tests that the reproducers of the known differences still show them.

    tools/findings/reproducers.py BIN LIBTORCH cpp          writes, builds and runs the C++ programs of all, in one program
    tools/findings/reproducers.py BIN LIBTORCH python       the Python scripts; exits 77, with a reason, where torch has no Python
    tools/findings/reproducers.py BIN LIBTORCH standalone   single programs, built by the command in their own comment
    tools/findings/reproducers.py BIN LIBTORCH codes        their exit codes if they cannot decide: 2, and 3 without a torch
    tools/findings/reproducers.py BIN LIBTORCH probe        cases of every kind (tools/findings/testing/reproducers.cases), told that LibTorch's
                                                answer is wrong: each must say so, and know the answer again
    ... --control                               one of them is told that LibTorch's answer is right: it must be noticed

BIN holds upcast and upcast-repro, LIBTORCH the torch/ folder. Exits 1 where a difference no longer shows, or where one
that Python is said not to show does.
"""

import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWS, UNREACHABLE = 1, 3
SINGLE = [
    "pow.Tensor_Scalar_out(float32[2,2]:permuted{-inf,-0.0,1,2}, 0.5, out=float32[2,2]:strides(1,3)+offset(1))",
    'div_.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode="trunc")',
]
# (case, its operator and its dtype as its script writes them). A test replaces one or the other by a name that torch lacks.
SINGLE_EDITS = [
    ("mul.Tensor(float8_e5m2[1]{1}, 2.5)", "aten.mul.Tensor", "torch.float8_e5m2"),
    (SINGLE[1], "aten.div_.Tensor_mode", "torch.int32"),
]


def run(command, **options):
    return subprocess.run([str(word) for word in command], text=True, **options)


class Reproducers:
    def __init__(self, binaries, libtorch, folder):
        self.upcast, self.libtorch, self.folder = pathlib.Path(binaries) / "upcast", pathlib.Path(libtorch), folder
        self.environment = dict(os.environ)
        libraries = run(["ldd", pathlib.Path(binaries) / "upcast-repro"], check=True, capture_output=True).stdout
        folders = {os.path.dirname(path) for path in re.findall(r"=> (\S*/libcu(?:dart|pti)\S*)", libraries)}
        self.environment["LD_LIBRARY_PATH"] = ":".join(sorted(folders))

    def write(self, arguments, file):
        option = "--cpp" if file.suffix == ".cc" else "--python"
        run([self.upcast, "repro", *arguments, "--time-limit", "3", option, file], check=True)
        return file

    def build(self, source):
        """Builds a C++ program by the command in the program's first comment."""
        command = ("g++ -std=c++20 -w $0 -I$T/include -I$T/include/torch/csrc/api/include -L$T/lib "
                   "-Wl,-rpath,$T/lib -Wl,--no-as-needed -ltorch_cpu -lc10 -o reproduce")
        found = re.search(r"//   (g\+\+ .*?) && ./reproduce", source.read_text().replace(" \\\n//     ", " "), re.S)
        command = found.group(1) if found else command.replace("$0", source.name)
        run(["bash", "-c", command], check=True, cwd=self.folder, env=self.environment | {"T": str(self.libtorch)})
        return [self.folder / "reproduce"]

    def python(self):
        found = run([sys.executable, ROOT / "ci/torch_python.py", self.libtorch, self.upcast.with_name("upcast-repro")],
                    capture_output=True)
        if found.returncode != 0:
            print(found.stderr.strip())
            sys.exit(found.returncode)
        self.environment["PYTHONPATH"] = found.stdout.strip()
        return [sys.executable, "-W", "ignore"]

    def run(self, command):
        """Runs a command. Returns its exit code and what it printed."""
        done = run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)
        return done.returncode, done.stdout


def take_for_right(file):
    """Changes a program for the control, so that it takes LibTorch's wrong answer for right."""
    pattern = r'((?:\{|\()0, \d+, )("[0-9a-f]+", "[^"]*"), ("[0-9a-f]+", "[^"]*")'
    text, count = re.subn(pattern, r"\1\3, \3", file.read_text(), count=1)
    assert count == 1, "a value to change"
    file.write_text(text)


def judge_all(output, silent):
    """A line for each program that does not show its difference, and for each in `silent` that does although it should not."""
    trouble = []
    codes = {name: int(code) for name, code in re.findall(r"^(\w+): exit (-?\d+)$", output, re.M)}
    for name, code in codes.items():
        part = output.split(f"\n{name}\n")[-1].split(f"\n{name}: exit")[0]
        if name in silent and code == SHOWS:
            trouble.append(f"{name}: Python shows it, and the row says why it does not ({silent[name]})")
        elif name not in silent and code != SHOWS:
            trouble.append(f"{name}: the difference no longer shows (exit {code})\n    " + part.replace("\n", "\n    "))
    return codes, trouble


def version_of(libtorch):
    """The version of a LibTorch, from its headers. The header that has it differs between versions."""
    for folder in ("headeronly", "csrc/api/include/torch"):
        header = libtorch / "include/torch" / folder / "version.h"
        found = re.findall(r"#define TORCH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read_text() if header.exists() else "")
        if len(found) == 3:
            return ".".join(found)
    sys.exit(f"reproducers.py: {libtorch}/include/torch says no version")


def parts(version):
    """The parts of a version, always four: [2, 15, 0, 0] for "2.15"."""
    numbers = [int(number) for number in version.split(".")]
    return numbers + [0] * (4 - len(numbers))


def in_range(version, conditions):
    holds = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
    pairs = re.findall(r"([<>=!]+)([\d.]+)", conditions)
    return all(holds[sign](parts(version), parts(bound)) for sign, bound in pairs)


def known_differences(version):
    """{name: entry} of the known differences about a LibTorch version. The name is that of a part of the C++ program."""
    entries = tomllib.loads((ROOT / "cases/known_differences.toml").read_text())["difference"]
    return {entry["id"].replace("-", "_"): entry for entry in entries if in_range(version, entry["libtorch"])}


def without_vector_paths(entries, reproducers):
    """The entries that this machine can show. Without AVX2, entries about LibTorch's vector paths are left out and printed."""
    if run([reproducers.upcast.with_name("upcast-needs"), "x86-64-v3", "true"], stdout=subprocess.DEVNULL).returncode == 0:
        return entries
    skipped = [name for name, entry in entries.items() if "capability=native" in entry.get("subject", "")]
    print(f"skipped: {len(skipped)} known differences of vector paths; this machine has no AVX2: {', '.join(skipped)}")
    return {name: entry for name, entry in entries.items() if name not in skipped}


def all_known(language, control, reproducers):
    entries = without_vector_paths(known_differences(version_of(reproducers.libtorch)), reproducers)
    file = reproducers.write(["--all-known"], reproducers.folder / ("known.cc" if language == "cpp" else "known.py"))
    if control:
        take_for_right(file)
        entries["a_part_that_is_missing"] = {}
    command = reproducers.build(file) if language == "cpp" else [*reproducers.python(), file]
    code, output = reproducers.run([*command, "--all"])
    silent = {name: entry["python"] for name, entry in entries.items() if "python" in entry and language == "python"}
    codes, trouble = judge_all("\n" + output, silent)
    if code != 0:
        trouble.append(f"the program ended with exit code {code}:\n{output[-2000:]}")
    trouble += [f"{name}: the program has no such part, or did not come to its end" for name in entries if name not in codes]
    trouble += [f"{name}: no difference of this LibTorch in the file" for name in codes if name not in entries]
    print(f"{len(codes)} of {len(entries)} known differences of this LibTorch were tried; "
          f"{sum(code == SHOWS for code in codes.values())} show, {len(silent)} are not for {language}")
    return trouble


def probe(reproducers):
    """Checks programs that say LibTorch's own answers are wrong: each must run, and say that the difference is there."""
    files = [reproducers.folder / "probe.cc", reproducers.folder / "probe.py"]
    run([reproducers.upcast.with_name("upcast-repro-probe"), ROOT / "tools/findings/testing/reproducers.cases",
         "--cpp", files[0], "--python", files[1]], check=True)
    has_python = (reproducers.libtorch / "lib/libtorch_python.so").exists()
    if not has_python:
        print("skipped: the Python scripts; this LibTorch has no Python half")
    trouble = []
    for file in files if has_python else files[:1]:
        command = reproducers.build(file) if file.suffix == ".cc" else [*reproducers.python(), file]
        code, output = reproducers.run([*command, "--all"])
        codes, found = judge_all("\n" + output, {})
        trouble += [f"{file.name} {line}" for line in found]
        trouble += [f"{file.name}: {line}" for line in output.splitlines() if "another wrong value" in line]
        print(f"{file.name}: {len(codes)} cases")
        if code != 0 or not codes:
            trouble.append(f"{file.name} ended with exit code {code}:\n{output[-2000:]}")
    return trouble


def standalone(reproducers):
    trouble = []
    python = reproducers.python() if (reproducers.libtorch / "lib/libtorch_python.so").exists() else None
    for case in SINGLE:
        for suffix in (".cc", ".py"):
            if suffix == ".py" and python is None:
                print("skipped: the Python script; this LibTorch has no Python half")
                continue
            file = reproducers.write([case], reproducers.folder / ("reproduce" + suffix))
            command = reproducers.build(file) if suffix == ".cc" else [*python, file]
            code, output = reproducers.run(command)
            print(f"{case} {suffix}: exit {code}")
            if code != SHOWS:
                trouble.append(f"{case} {suffix}: exit {code}\n{output}")
    return trouble


def codes(reproducers):
    """Checks that a program which cannot decide ends with exit code 2, and a script without a torch with 3."""
    trouble = []
    python = reproducers.python() if (reproducers.libtorch / "lib/libtorch_python.so").exists() else None
    without = {name: value for name, value in reproducers.environment.items() if name != "PYTHONPATH"}

    def expect(code, what, command, environment):
        done = run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=reproducers.folder)
        print(f"{what}: exit {done.returncode}")
        if done.returncode != code:
            trouble.append(f"{what}: exit {done.returncode}, not {code}\n{done.stdout}")

    for case, operator_, dtype in SINGLE_EDITS:
        file = reproducers.write([case], reproducers.folder / "reproduce.py")
        text = file.read_text()
        expect(3, f"{case} without a torch", [sys.executable, "-S", file], without)
        if python is None:
            print("skipped: the Python script; this LibTorch has no Python half")
            continue
        for code, what, edited in ((SHOWS, "as it is", text), (2, "no such operator", text.replace(operator_, "no_such")),
                                   (2, "no such dtype", text.replace(dtype, "torch.no_such"))):
            assert code == SHOWS or edited != text, what
            file.write_text(edited)
            expect(code, f"{case} {what}", [*python, file], reproducers.environment)
    file = reproducers.write([SINGLE[1]], reproducers.folder / "reproduce.cc")
    text = file.read_text()
    file.write_text(text.replace('"Tensor_mode"', '"no_such"'))
    assert file.read_text() != text
    expect(2, "C++, no such operator", reproducers.build(file), reproducers.environment)
    return trouble


def main():
    binaries, libtorch, what = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        reproducers = Reproducers(binaries, libtorch, pathlib.Path(folder))
        parts = {"standalone": standalone, "codes": codes, "probe": probe}
        if what in parts:
            trouble = parts[what](reproducers)
        else:
            trouble = all_known(what, "--control" in sys.argv, reproducers)
    for line in trouble:
        print(line)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
