"""Measures how much faster one build is than another. Both take turns, so that changes of the machine's load affect both.

    ci/compare_commits.py BASE_BUILD HEAD_BUILD [--rounds N] [--filter TEXT] [--all] [--grid NAME...] [--json FILE]

Each round runs both builds, and the next round in the other order. It takes
  rows    upcast bench elementwise: the nanoseconds of our side. Each is divided by LibTorch's in the same run: that cancels
          the machine's load and clock frequency, for LibTorch is the same in both.
  grids   upcast run --grid NAME --jobs 1: the seconds of processor time.
A speed-up is BASE's over HEAD's: above 1 where HEAD is faster. It is the geometric mean over the rounds, with its 95 %
confidence interval by Student's t of the logarithms. One interval in twenty misses the truth by chance: measure a row that
stands out among many again, alone. Exit codes: 1 a whole interval lies below --least (0: never),
2 a mistake in the command, or a build that cannot be measured.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

# The 97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom (NIST, Engineering Statistics Handbook, 1.3.6.7.2).
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
     2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def interval(logarithms):
    """The geometric mean of ratios, and its 95 % confidence interval: (mean, low, high)."""
    mean = statistics.fmean(logarithms)
    half = T[min(len(logarithms) - 1, len(T)) - 1] * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return tuple(math.exp(value) for value in (mean, mean - half, mean + half))


def give_up(why):
    print(f"compare_commits: {why}", file=sys.stderr)
    sys.exit(2)


def run(command):
    """Runs a command. Returns the seconds of processor time that it and its children took."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            log.seek(0)
            give_up(f"{' '.join(map(str, command))} ended with exit code {process.returncode}\n{log.read()[-2000:]}")
    return usage.ru_utime + usage.ru_stime


def rows(build, options):
    """{name: ratio}: our nanoseconds of each row of the bench, divided by LibTorch's in the same run."""
    if options.no_rows:
        return {}
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [build / "bin/upcast", "bench", "elementwise", "--json", file.name]
        run(command + (["--filter", options.filter] if options.filter else []) + (["--all"] if options.all else []))
        measured = json.loads(pathlib.Path(file.name).read_text())["rows"]
    return {row["name"]: 1 / row["ratio"] for row in measured if row["ratio"]}


def measure(build, options):
    costs = rows(build, options)
    for grid in options.grid:
        costs[f"grid {grid}"] = run([build / "bin/upcast", "run", "--grid", grid, "--jobs", "1"])
    return costs


def compare(rounds):
    """[(name, speed-up, low, high)] of the rows and grids that both builds have, the smallest speed-up first."""
    names = set.intersection(*(set(costs) for pair in rounds for costs in pair))
    found = [(name, *interval([math.log(base[name] / head[name]) for base, head in rounds])) for name in names]
    return sorted(found, key=lambda one: one[1])


def print_table(found, rounds):
    print(f"{'':<74} {'speed-up':>9} {'95 % interval':>15}")
    for name, mean, low, high in found:
        print(f"{name:<74} {mean:>9.3f} {low:>7.3f} {high:>7.3f}")
    slower = sum(high < 1 for _, _, _, high in found)
    faster = sum(low > 1 for _, _, low, _ in found)
    left_out = len(set.union(*(set(costs) for pair in rounds for costs in pair))) - len(found)
    print(f"{len(found)} compared over {len(rounds)} rounds: {faster} faster, {slower} slower, {len(found) - faster - slower} "
          f"without a difference that the rounds show" + (f"; {left_out} are in one build alone" if left_out else ""))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("builds", nargs=2, type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=5, help="2 at least (5)")
    arguments.add_argument("--filter", default="", help="rows whose name holds this text")
    arguments.add_argument("--all", action="store_true", help="rows of every family and dtype")
    arguments.add_argument("--no-rows", action="store_true", help="grids alone")
    arguments.add_argument("--grid", action="append", default=[], help="also the processor time of a run over this grid")
    arguments.add_argument("--least", type=float, default=0, help="fail where a speed-up is surely below this")
    arguments.add_argument("--json", type=pathlib.Path)
    options = arguments.parse_args()
    if options.rounds < 2:
        give_up("--rounds: two at least, for an interval needs a spread")
    if options.no_rows and not options.grid:
        give_up("--no-rows without --grid leaves nothing to measure")
    rounds = []
    for i in range(options.rounds):
        costs = {}
        for side in (0, 1) if i % 2 == 0 else (1, 0):
            costs[side] = measure(options.builds[side].resolve(), options)
        rounds.append((costs[0], costs[1]))
        print(f"compare_commits: round {i + 1} of {options.rounds}", file=sys.stderr, flush=True)
    found = compare(rounds)
    if not found:
        give_up("the builds have no row in common")
    print_table(found, rounds)
    if options.json:
        options.json.write_text(json.dumps({"rounds": options.rounds, "speed_ups": [
            {"name": name, "speed_up": mean, "low": low, "high": high} for name, mean, low, high in found]}, indent=1) + "\n")
    return 1 if any(high < options.least for _, _, _, high in found) else 0


if __name__ == "__main__":
    sys.exit(main())
