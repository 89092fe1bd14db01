"""check_loop_flags.py COMPILE_COMMANDS: checks that our loops are compiled with the options by which GCC vectorises and flattens them.

-fno-fast-math undoes the options before it, and without these options exp, sqrt and asin of float32 take 6 to 14 times as long.
Where GCC has cloned a function, it does not flatten the loop that calls it: the loop of complex exp then calls glibc's fma.
No other test notices. Exits 1 where a kernel lacks one of them, or where there is no kernel."""
import json
import sys

WANTED = ("-O3", "-fno-math-errno", "-fno-trapping-math")
WANTED_OF_GCC = ("-fno-ipa-sra", "-fno-ipa-cp")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = [entry["command"].split() for entry in json.load(file) if "upcast_kernels.dir" in entry["command"]]
    without = [(command[-1], option) for command in commands
               for option in WANTED + (() if "clang" in command[0] else WANTED_OF_GCC)
               if option not in command[command.index("-fno-fast-math"):]]
    for source, option in without:
        print(f"{source}: {option} does not come after -fno-fast-math, which would undo it")
    print(f"{len(commands)} kernel files")
    sys.exit(1 if without or not commands else 0)


main()
