"""check_loop_flags.py COMPILE_COMMANDS: checks that our loops are compiled with the options that let GCC vectorise them.

-fno-fast-math undoes the options before it, and without these options exp, sqrt and asin of float32 take 6 to 14 times as long:
no other test notices. Exits 1 where a kernel lacks one of them, or where there is no kernel."""
import json
import sys

WANTED = ("-O3", "-fno-math-errno", "-fno-trapping-math")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = [entry["command"].split() for entry in json.load(file) if "upcast_kernels.dir" in entry["command"]]
    without = [(command[-1], option) for command in commands for option in WANTED
               if option not in command[command.index("-fno-fast-math"):]]
    for source, option in without:
        print(f"{source}: {option} does not come after -fno-fast-math, which would undo it")
    print(f"{len(commands)} kernel files")
    sys.exit(1 if without or not commands else 0)


main()
