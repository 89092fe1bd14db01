#!/usr/bin/env python3
"""Reads the machine code of hot kernels: check_sass.py CUOBJDUMP OBJECT...

Every contiguous kernel of the ops in HOT must have 128-bit loads and stores (256-bit ones for compute capability 10.0 and
above), no local memory, and few enough registers that a multiprocessor is filled with threads. Every general kernel of a real dtype must have no local
memory (groups of complex numbers are handed to the conversions on the stack). Prints one line a kernel that
breaks a rule, then how many were read; exit code 1 where any does, or none was read.
"""
import re
import subprocess
import sys

HOT = ("Add", "Sub", "Mul", "Eq", "Lt", "Neg", "Abs")
FULL_OCCUPANCY = 32  # the most registers of a thread: a multiprocessor has 65,536 for 2,048 threads
# The most registers of a thread for elements of one byte. It holds 16 results in registers, so half as many threads fit.
HALF_OCCUPANCY = 64
# From compute capability 10.0 on, a thread loads twice as many bytes at once. So half as many threads are enough to keep
# the same number of bytes in flight, and each may have twice the registers.
WIDE_FROM = 100


def arch_of(line):
    """The architecture that a line of cuobjdump announces: 90 for "arch = sm_90"; None for other lines."""
    found = re.match(r"arch = sm_(\d+)", line)
    return int(found[1]) if found else None


def kernels_of(sass):
    """The machine code of each kernel in cuobjdump's output: {(architecture, mangled name): lines}."""
    kernels, lines, arch = {}, None, 0
    for line in sass.splitlines():
        arch = arch_of(line) or arch
        name = re.search(r"Function : (\S+)", line)
        if name:
            lines = kernels.setdefault((arch, name[1]), [])
        elif lines is not None and re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+\S", line):
            lines.append(line)
    return kernels


def registers_of(usage):
    """The registers that a thread of each kernel takes, by cuobjdump: {(architecture, mangled name): registers}."""
    registers, arch, name = {}, 0, None
    for line in usage.splitlines():
        arch = arch_of(line) or arch
        function = re.search(r"Function (\S+?):", line)
        name = function[1] if function else name
        count = re.search(r"\bREG:(\d+)", line)
        if name and count:
            registers[arch, name] = int(count[1])
    return registers


def faults_of(arch, name, lines, registers):
    code = "\n".join(lines)
    contiguous = "contiguous_kernel" in name
    if (contiguous or "Complex" not in name) and re.search(r"\b(LDL|STL)\b", code):
        yield "uses local memory"
    if not contiguous:
        return
    bytes_of = re.search(r"contiguous_kernelINS_\d+[A-Za-z]+?E([a-z])", name)
    is_small = bytes_of is not None and bytes_of[1] in "bah"
    is_wide = arch >= WIDE_FROM
    limit = (HALF_OCCUPANCY if is_small else FULL_OCCUPANCY) * (2 if is_wide else 1)
    bits, width = (256, r"ENL2\.256") if is_wide else (128, "128")
    if registers > limit:
        yield f"{registers} registers, more than {limit}"
    if not re.search(rf"\bLDG\.E\.{width}\b", code):
        yield f"no {bits}-bit load"
    is_comparison = re.search(r"_kernelINS_2(Eq|Lt)E", name)
    if not is_comparison and not re.search(rf"\bSTG\.E\.{width}\b", code):
        yield f"no {bits}-bit store"


def check(sass, usage):
    """(kernels read, complaints)"""
    registers = registers_of(usage)
    read, complaints = 0, []
    for (arch, name), lines in kernels_of(sass).items():
        op = re.search(r"(?:contiguous|general)_kernelINS_\d+([A-Za-z]+?)E", name)
        # Leaves out the absolute value of complex numbers: the limits are for short functions, and it is a long one.
        if op is None or op[1] not in HOT or (op[1] == "Abs" and "Complex" in name):
            continue
        read += 1
        if (arch, name) not in registers:
            complaints.append(f"sm_{arch} {name}: no resource usage")
            continue
        complaints += [f"sm_{arch} {name}: {fault}" for fault in faults_of(arch, name, lines, registers[arch, name])]
    return read, complaints


def main(cuobjdump, objects):
    read, complaints = 0, []
    for path in objects:
        run = lambda option: subprocess.run([cuobjdump, option, path], capture_output=True, text=True, check=True)
        sass, usage = run("-sass"), run("-res-usage")
        more, found = check(sass.stdout, usage.stdout + usage.stderr)
        read += more
        complaints += found
    print("\n".join(complaints + [f"{read} kernels read, {len(complaints)} faults"]))
    return 1 if complaints or read == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
