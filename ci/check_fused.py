"""check_fused.py OBJECT...: checks that no kernel fuses a complex product, whose bits would then depend on the processor.

GCC 12.2 makes vfmaddsub of a complex product in spite of -ffp-contract=off (GCC bug 107647). Exits 1 where an object holds
the instruction, or where no object holds a kernel."""
import re
import subprocess
import sys

FUSED = re.compile(r"\bvfm(addsub|subadd)\w*")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def functions_of(path):
    """Yields (name of a function, its disassembled lines) for each function of an object file."""
    text = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    for block in text.split("\n\n"):
        first, *lines = block.strip().splitlines() or [""]
        if match := FUNCTION.match(first):
            yield match[1], lines


def main():
    kernels = 0
    fused = []
    for path in sys.argv[1:]:
        for name, lines in functions_of(path):
            kernels += "run_v" in name
            if any(FUSED.search(line) for line in lines):
                fused.append(name)
    for name in fused:
        print(f"{name.split('(')[0]} fuses a complex product: compile it for the baseline")
    print(f"{kernels} kernels")
    sys.exit(1 if fused or not kernels else 0)


main()
