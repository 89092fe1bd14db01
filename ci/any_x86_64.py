"""Tests that upcast is right on other x86-64 processors than this one (docs/how_to/other_processors.md).

    ci/any_x86_64.py BIN levels     with fewer vector instructions than this machine has (UPCAST_CAPABILITY)
    ci/any_x86_64.py BIN emulated   on a CPU with AVX2 only and on one without AVX (qemu-user)
    ci/any_x86_64.py BIN vendor     where LibTorch's MKL takes the CPU for Intel's, and for another vendor's

Each part runs some test programs and a slice of the grid `ops`, and begins with a control, which shows that the part
changes what it claims to change. Exit codes: 0, 1 if something failed, 77 with a reason if the part cannot run here.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

# The test programs to run, with their arguments. oracle.known_truth runs as two processes, because LibTorch has one CPU
# capability in each process.
PROGRAMS = [["impl.core"], ["impl.ops"], ["oracle.judge"], ["oracle.case_files"],
            ["oracle.known_truth", "--gtest_filter=*Scalar*"], ["oracle.known_truth", "--gtest_filter=*Vector*"]]
GRID = ["--grid", "ops", "--jobs", "1", "--json", "-"]
NATIVE = "libtorch:cpu?capability=native"
NO_FMA = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"  # for GLIBC_TUNABLES: glibc then chooses its functions for CPUs without FMA
MODELS = {"Haswell-noTSX": "x86-64-v3", "Nehalem": "baseline"}  # qemu's CPU model: upcast's capability on it
# C source for LD_PRELOAD: the functions by which MKL asks whether the CPU is Intel's. MKL chooses its kernels by the answer.
VENDOR = "int mkl_serv_intel_cpu_true(void) { return %d; }\nint mkl_serv_intel_cpu(void) { return %d; }\n"
AVX512 = 'int main() { __asm__ volatile("vpxord %%zmm0, %%zmm0, %%zmm0" ::: "xmm0"); return 0; }\n'
ILLEGAL_INSTRUCTION = (-4, 132)
SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failure(Exception):
    """Raised when a check fails. Its text has one line or more."""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


class Bench:
    """Runs programs of the build with other environment variables, or under an emulator, and collects failures."""

    def __init__(self, options, folder):
        self.bin, self.cxx, self.folder = options.bin.resolve(), options.cxx, folder
        self.failures = []

    def run(self, command, variables=(), emulator=()):
        command = [*emulator, str(self.bin / command[0]), *command[1:]]
        return subprocess.run(command, env=os.environ | dict(variables), capture_output=True, text=True)

    def compile(self, source, name, *options):
        file = self.folder / (name + ".c")
        file.write_text(source)
        subprocess.run([self.cxx, "-x", "c", *options, str(file), "-o", str(self.folder / name)], check=True)
        return self.folder / name

    def check_programs(self, what, programs, variables=(), emulator=()):
        for program in programs:
            if not (self.bin / program[0]).exists():
                raise Failure(f"{self.bin / program[0]} is missing: build it, or correct PROGRAMS in ci/any_x86_64.py")
            done = self.run(program, variables, emulator)
            passed = re.search(r"\[  PASSED  \] (\d+) test", done.stdout)
            skipped = re.findall(r"^\S+:\d+: Skipped\n(.*)$", done.stdout, re.M)
            count = int(passed.group(1)) if passed else 0
            print(f"  {what}: {' '.join(program)}: {count} passed" +
                  (f", {len(skipped)} skipped: {'; '.join(sorted(set(skipped)))}" if skipped else ""), flush=True)
            if done.returncode != 0 or count + len(skipped) == 0:
                self.failures.append(f"{what}: {' '.join(program)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def check_grid(self, what, shard, variables=(), subject="impl:cpu", **expected):
        """Runs a shard of the grid `ops`, which must have no unexplained case. `expected`: the versions that the run must report; `_` in a key stands for a dot."""
        done = self.run(["upcast", "run", *GRID, "--time-limit", "120", "--shard", shard, "--subject", subject, "--oracle", "libtorch:cpu"], variables)
        try:
            found = json.loads(done.stdout)
        except json.JSONDecodeError:
            self.failures.append(f"{what}: upcast run {subject}: exit code {done.returncode}\n{done.stderr[-2000:]}")
            return
        print(f"  {what}: {subject} against libtorch:cpu: {found['ran']} cases, {found['values_judged']} values, "
              f"{found['known']} known differences, {found['unexplained']} unexplained", flush=True)
        versions = {key: found["versions"].get(key.replace("_", ".")) for key in expected}
        if done.returncode != 0 or not found["values_judged"] or versions != expected:
            self.failures.append(f"{what}: upcast run {subject}: exit code {done.returncode}, {versions} where {expected} is right\n"
                                 f"{done.stderr[-2000:]}")


def capabilities(bench, emulator=()):
    done = bench.run(["upcast-needs"], emulator=emulator)
    return [name for name, has in (line.split() for line in done.stdout.splitlines()) if has == "1"]


def libm_digest():
    """A digest of values of this C library's math functions. It differs if glibc chose other functions."""
    digest = hashlib.sha256()
    for i in range(1, 60000):
        x = i / 4099
        digest.update(repr((math.sin(x), math.exp(x), math.atan(x), math.expm1(x))).encode())
    print(digest.hexdigest())


def check_accuracy(bench, glibc_differs):
    """Checks that the accuracy table accepts the larger errors that glibc's pow has without FMA. The control: on a machine with FMA it refuses them."""
    check = [sys.executable, str(ROOT / "tools/accuracy/accuracy.py"), "check", str(bench.bin / "upcast"), str(ROOT / "cases/accuracy.json"),
             "--op", "float_power", "--dtype", "float8_e5m2"]
    for variables, code in (({"UPCAST_CAPABILITY": "baseline"}, 0), ({}, 1 if glibc_differs else 0)):
        done = subprocess.run(check, env=os.environ | variables | {"GLIBC_TUNABLES": NO_FMA}, capture_output=True, text=True)
        print(f"  accuracy of float_power with glibc's pow for CPUs without FMA, {variables or 'on this machine'}: exit code {done.returncode}")
        if done.returncode != code:
            bench.failures.append(f"tools/accuracy/accuracy.py: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")


def levels(bench):
    lower = capabilities(bench)[:-1]
    if not lower:
        skip("this machine has no vector instructions that could be switched off")
    wrong = bench.run(["upcast", "run", "neg(int8[1])"], {"UPCAST_CAPABILITY": "avx2"})
    if wrong.returncode != 2 or wrong.stderr.count("\n") != 1 or "unknown capability 'avx2'" not in wrong.stderr:
        raise Failure(f"control: an unknown UPCAST_CAPABILITY must be one line and exit code 2: {wrong.returncode} {wrong.stderr}")
    ask = [sys.executable, __file__, "--libm-digest", str(bench.bin), "levels"]
    digests = {subprocess.run(ask, env=os.environ | {"GLIBC_TUNABLES": tunables}, capture_output=True, text=True, check=True).stdout
               for tunables in ("", NO_FMA)}
    print("control: without FMA the C library gives " + ("other bits" if len(digests) == 2 else "the same bits: this C library shows nothing"))
    check_accuracy(bench, len(digests) == 2)
    for level in lower:
        variables = {"UPCAST_CAPABILITY": level}
        if level == "baseline":
            variables["GLIBC_TUNABLES"] = NO_FMA
        bench.check_programs(level, PROGRAMS, variables)
        bench.check_grid(level, "7/50", variables, impl_capability=level, libtorch_capability="DEFAULT")
        if level == "baseline":
            print(f"  {level}: skipped: {NATIVE}: LibTorch has no vector paths there")
        else:
            bench.check_grid(level, "7/50", variables, NATIVE, libtorch_capability_subject="AVX2")


def emulated(bench):
    qemu = shutil.which("qemu-x86_64")
    if qemu is None:
        skip("qemu-x86_64 is not installed (Debian: qemu-user)")
    program = bench.compile(AVX512, "avx512")
    for model, level in MODELS.items():
        emulator = [qemu, "-cpu", model]
        died = subprocess.run([*emulator, str(program)], capture_output=True).returncode
        if died not in ILLEGAL_INSTRUCTION:
            raise Failure(f"control: an AVX-512 instruction must die with SIGILL on {model}; it ended with {died}")
        if capabilities(bench, emulator)[-1:] != [level]:
            raise Failure(f"control: {model} must have {level} at best; it has {capabilities(bench, emulator)}")
        print(f"control: an AVX-512 instruction dies with SIGILL on {model}, whose best capability is {level}")
        bench.check_programs(model, [one for one in PROGRAMS if level != "baseline" or "*Vector*" not in one[-1]], emulator=emulator)
        worker = bench.folder / f"worker-{model}"
        worker.write_text(f'#!/bin/sh\nexec {qemu} -cpu {model} {bench.bin / "upcast-worker"} "$@" 2>/dev/null\n')
        worker.chmod(0o755)
        bench.check_grid(model, "77/400", {"UPCAST_WORKER": str(worker)}, impl_capability=level)


def vendor(bench):
    variables = {}
    for name, intel in (("Intel", 1), ("another vendor", 0)):
        library = bench.compile(VENDOR % (intel, intel), f"vendor{intel}.so", "-shared", "-fPIC")
        variables[name] = {"LD_PRELOAD": str(library)}
    sweep = ["upcast", "sweep", "tan", "--dtype", "float32", "--shard", "4065/16384", "--side", "libtorch:cpu", "--json", "-"]
    shares = []
    for name in variables:
        done = bench.run(sweep, variables[name])
        if done.returncode != 0:
            raise Failure(f"control: upcast sweep as {name}: exit code {done.returncode}\n{done.stderr}")
        shares.append(json.loads(done.stdout)["sides"]["libtorch:cpu"]["correctly_rounded"])
    if shares[0] == shares[1]:
        skip("this LibTorch has no MKL that asks for the vendor: tan of float32 is the same for all")
    print(f"control: tan of float32 is correctly rounded in {shares[0]:.4%} for Intel, in {shares[1]:.4%} for another vendor")
    variables["Intel without AVX-512"] = variables["Intel"] | {"MKL_ENABLE_INSTRUCTIONS": "AVX2"}
    for name, own in variables.items():
        bench.check_programs(name, [one for one in PROGRAMS if one[0] in ("oracle.case_files", "oracle.known_truth")], own)
        bench.check_grid(name, "7/50", own)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="the build's folder of programs")
    parser.add_argument("part", choices=["levels", "emulated", "vendor"])
    parser.add_argument("--cxx", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--libm-digest", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.libm_digest:
        return libm_digest()
    with tempfile.TemporaryDirectory(prefix="upcast-x86-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        try:
            {"levels": levels, "emulated": emulated, "vendor": vendor}[options.part](bench)
        except Failure as failure:
            bench.failures.append(str(failure))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("\n".join([*bench.failures, f"{options.part}: {len(bench.failures)} failures, {usage.ru_utime + usage.ru_stime:.0f} s of processors"]))
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
