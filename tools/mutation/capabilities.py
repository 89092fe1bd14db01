"""Finds the mutants that this machine can run. impl itself reports its vector instructions (UPCAST_CAPABILITY limits them).

A mutant says `needs = "x86-64-v4"` if it stands in code that only such a machine runs, between UPCAST_TARGET_V4 and the
end of that function. mutants.py checks the two against each other. A mutant without `needs` runs on every machine.
"""

import pathlib
import shutil
import subprocess
import tempfile

from mutants import MutantError

SOURCES = ["impl/core/testing/needs.cc", "impl/core/capability.cc"]


def of_machine(root, cxx):
    """{name of a capability: whether this machine has it}. Compiles and runs a small program that asks impl."""
    with tempfile.TemporaryDirectory(prefix="upcast-capabilities-") as folder:
        program = pathlib.Path(folder) / "capabilities"
        launcher = [tool] if (tool := shutil.which("ccache")) else []
        built = subprocess.run([*launcher, cxx, "-std=c++20", f"-I{root}", *(str(root / source) for source in SOURCES), "-o", str(program)],
                               capture_output=True, text=True)
        if built.returncode != 0:
            raise MutantError(f"{SOURCES[0]} does not compile:\n{built.stderr[:2000]}")
        asked = subprocess.run([program], capture_output=True, text=True)
        if asked.returncode != 0:
            raise MutantError(asked.stderr.strip())
    return {name: has == "1" for name, has in (line.split() for line in asked.stdout.splitlines())}


def split(mutants, machine):
    """(mutants that this machine can run, mutants that it cannot). Raises MutantError for a `needs` that is no capability."""
    for mutant in mutants:
        if mutant.needs and mutant.needs not in machine:
            raise MutantError(f"{mutant}\n  needs '{mutant.needs}', which is none of {', '.join(machine)}")
    return ([mutant for mutant in mutants if not mutant.needs or machine[mutant.needs]],
            [mutant for mutant in mutants if mutant.needs and not machine[mutant.needs]])
