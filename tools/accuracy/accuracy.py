"""Measures the accuracy table (cases/accuracy.json), and checks that no side has become less accurate than it says.

usage: accuracy.py check <upcast> <table> [--whole] [--op OP]... [--dtype DTYPE]...
       accuracy.py update <upcast> <table> --date DATE [--why TEXT] [--op OP]... [--dtype DTYPE]... [--sampled|--missing]
       accuracy.py import <table> --date DATE [--why TEXT] <result of upcast sweep --json>...
       accuracy.py ratchet <table> [--old <table>]
       accuracy.py published <upcast> <table> <published maxima>

It measures all ops that have a truth. Ops of one operand have a row over every float8, float16, bfloat16, int8, uint8 and
int16, ops of two operands over all pairs of float8, int8 and uint8. Where there are too many inputs, a row is about a
sample of random bits, in which all exponents are equally frequent (--sampled). check measures our side only, and only the
beginning of a sample; with --whole it measures every side and whole samples. A row over more inputs than check repeats, such
as all of float32, is held to a sample, on each of its sides. check names each row of the table that it does not look at.

check fails where a row is missing that can be measured. The table is a ratchet: a bound gets looser only with a new
measurement that says why (--why). The same words a second time need a later date. Each row must agree with its own
histogram and worst inputs. ratchet compares with --old, or with the table where this branch left main (on main: with that
of the last commit).
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

from accuracy_machine import OF_MKL, this_machine

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "oracle/frameworks/python"))
from upcast_protocol.tensor import DTYPES as ALL  # noqa: E402

FLOAT8 = [name for name in ALL if name.startswith("float8") and name != "float8_e8m0fnu"]  # the float8 dtypes that have a sign
DTYPES = {("real numbers", 1): FLOAT8 + ["float16", "bfloat16"], ("real numbers", 2): FLOAT8,
          ("integers", 1): ["int8", "uint8", "int16"], ("integers", 2): ["int8", "uint8"]}
COMPLEX = ["complex64", "complex128"]
SAMPLED = {("real numbers", 1): ["float32", "float64"], ("real numbers", 2): ["float16", "bfloat16", "float32", "float64"],
           ("real numbers", 3): ["float16", "bfloat16", "float32", "float64"],
           ("complex numbers", 1): COMPLEX, ("complex numbers", 2): COMPLEX, ("complex numbers", 3): COMPLEX}
SAMPLES, SLOW_SAMPLES, CHECKED_SAMPLES = 1 << 20, 1 << 16, 1 << 12
MOST_CHECKED = 1 << 16  # check repeats whole sweeps of at most so many inputs: not those over float32, or over all pairs of float16
OURS = "impl:cpu"
SIDES = [OURS, "libtorch:cpu", "libtorch:cpu?capability=native"]
UNSUPPORTED = "our promotion refuses it"  # part of the message when PyTorch's promotion rules refuse the dtype
REFUSAL = re.compile(re.escape(UNSUPPORTED) + r"|does not answer .*: refuses\(", re.DOTALL)  # a message that says a side refuses; any other error of a sweep is a fault
TRUTH = ["mpfr", "flint", "arb"]  # libraries of the truth whose versions a row keeps
BOUNDS = ("max_ulp", "misplaced", "undecided")
JOBS = 2
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def run_batch(upcast, wanted):
    lines = "".join(json.dumps(item) + "\n" for item in wanted)
    result = subprocess.run([upcast, "sweep", "--batch", "--jobs", "1"], input=lines, capture_output=True, text=True)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    if len(answers) != len(wanted):
        raise SystemExit(f"upcast sweep --batch ended early: {result.stderr.strip()}")
    return answers


def run_all(upcast, wanted):
    parts = [wanted[i::JOBS] for i in range(JOBS)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda part: run_batch(upcast, part), parts))
    return [answers[i % JOBS][i // JOBS] for i in range(len(wanted))]


def listed(upcast):
    """What `upcast sweep --list` says of every op and kind of numbers, with the settings of its sweeps (Sweep in impl/ops/op_spec.h)."""
    return json.loads(subprocess.run([upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True, check=True).stdout)


def sweeps(upcast, ops, dtypes, sampled):
    """[(op, dtype, samples)]: the sweeps that the table needs. `samples` is the number of inputs to draw, 0 for every input."""
    table = SAMPLED if sampled else DTYPES
    def samples(row):
        is_slow = row["slow"] or row["numbers"] == "complex numbers"
        return 0 if not sampled else SLOW_SAMPLES if is_slow else SAMPLES

    triples = [(row["op"], dtype, samples(row)) for row in listed(upcast)
               if row["source"] and not row["why_never"] and not (sampled and row["why_no_sample"])
               for dtype in table.get((row["numbers"], row["operands"]), [])]
    return [(op, dtype, count) for op, dtype, count in dict.fromkeys(triples)
            if (not ops or op in ops) and (not dtypes or dtype in dtypes)]


def measure(upcast, wanted, sides, date):
    """Measures each (op, dtype, samples) of `wanted` on all sides. Returns rows of the table; a side that refuses has a row that says so."""
    attributes = {row["op"]: row["attributes"] for row in listed(upcast) if row["attributes"]}

    def item(op, dtype, samples, sides):
        return {"op": op, "dtype": dtype, "with": attributes.get(op, ""), "samples": samples, "sides": sides}

    rows, alone = [], []
    for (op, dtype, samples), outcome in zip(wanted, run_all(upcast, [item(*one, sides) for one in wanted])):
        if "error" in outcome:
            alone += [(op, dtype, samples, side) for side in sides]
        else:
            rows += rows_of(outcome, date, op)
    refused = []
    for (op, dtype, _, side), outcome in zip(alone, run_all(upcast, [item(*one[:3], [one[3]]) for one in alone])):
        if "error" not in outcome:
            rows += rows_of(outcome, date, op)
        elif not REFUSAL.search(outcome["error"]):
            raise SystemExit(f"{op} over {dtype}: a fault, not a refusal of {side}: {outcome['error']}")
        elif side == OURS or UNSUPPORTED not in outcome["error"]:
            refused.append({"op": op, "dtype": dtype, "side": side, "refused": outcome["error"]})
    answered = {(row["op"], row["dtype"]) for row in rows}
    unanswered = [f"{row['op']} over {row['dtype']}: neither {row['side']} nor another side answers: {row['refused']}"
              for row in refused if (row["op"], row["dtype"]) not in answered and UNSUPPORTED not in row["refused"]]
    if unanswered and len(sides) > 1:
        raise SystemExit("\n".join(unanswered + ["the rows of these ops in impl/ops need Sweep::attributes or Sweep::why_never"]))
    return rows + refused


def rows_of(outcome, date, name=""):
    """Rows of the table from the result of one sweep, one for each side. `name`: the op's name in the rows."""
    rows = []
    for side, found in outcome["sides"].items():
        op, _, attributes = outcome["op"].partition(", ")
        row = {"op": name or op, "dtype": outcome["dtype"], "side": side, "max_ulp": round(found["max_ulp"], 6),
               "mean_ulp": round(found["mean_ulp"], 6), "correctly_rounded": round(found["correctly_rounded"], 6),
               "misplaced": found["misplaced"], "undecided": found["undecided"]}
        worst = found["worst"]
        if isinstance(worst, str):  # sweeps before 22 November 2026 kept one input
            worst = [{"input": worst, "ulp": found["max_ulp"]}]
        if found["max_ulp"] > 0:
            row["worst"] = [[entry["input"], round(entry["ulp"], 6)] for entry in worst[:3]]
            row["edges"] = found["histogram_edges"]
            row["histogram"] = found["histogram"]
        if "max_steps" in found:
            row["max_steps"] = found["max_steps"]
        if found["misplaced"] > 0:
            row["first_misplaced"] = found["first_misplaced"]
        if attributes:
            row["with"] = attributes
        versions = outcome["versions"]
        library = side.split(":")[0]
        row.update({"inputs": found["inputs"], "exhaustive": outcome["exhaustive"] and found["inputs"] == outcome["inputs"],
                    "date": date, "version": versions.get(library, "")})
        truth = ", ".join(f"{name} {versions[name]}" for name in TRUTH if name in versions)
        if truth:
            row["truth"] = truth
        rows.append(row)
    return rows


def key(row):
    return row["op"], row["dtype"], row["side"]


def read(path):
    rows = json.loads(path.read_text()) if path.exists() else []
    return {key(row): row for row in rows}


def write(path, table):
    path.write_text("[\n" + ",\n".join(json.dumps(table[k]) for k in sorted(table)) + "\n]\n")


def looser(new, old, beginning=False):
    """Why the row `new` allows larger errors than the row `old`; "" if it does not. With `beginning`, fewer inputs are no reason."""
    if "refused" in old:
        return ""
    if "refused" in new:
        return "refused now: " + new["refused"]
    if old["exhaustive"] and not new["exhaustive"] and not beginning:
        return "no longer over every input"
    if new["inputs"] < old["inputs"] and not beginning:
        return f"over {new['inputs']} inputs, was {old['inputs']}"
    return "; ".join(f"{name} {new[name]}, was {old[name]}" for name in BOUNDS if new[name] > old[name])


def inconsistent(row):
    """How a row contradicts its own histogram or worst inputs, which shows that it was edited by hand; "" if it does not."""
    if "refused" in row or row["max_ulp"] == 0 or "histogram" not in row:
        return ""
    if row["worst"][0][1] != row["max_ulp"]:
        return f"max_ulp is {row['max_ulp']}, its worst input has {row['worst'][0][1]}"
    if sum(row["histogram"]) > row["inputs"]:
        return f"the histogram has {sum(row['histogram'])} inputs of {row['inputs']}"
    last = max(i for i, count in enumerate(row["histogram"]) if count > 0)
    edges = [0] + row["edges"] + [float("inf")]
    if not edges[last] <= row["max_ulp"] <= edges[last + 1] + 1e-6:
        return f"max_ulp is {row['max_ulp']}, the histogram ends at {edges[last + 1]}"
    return ""


def is_asked(flags, row):
    return (not flags.op or row["op"] in flags.op) and (not flags.dtype or row["dtype"] in flags.dtype)


def measure_samples(flags, table, sides):
    """Rows over samples: of our side; of each side with --whole, and where a row over every input is too long to repeat."""
    counts = {(op, dtype): count for op, dtype, count in sweeps(flags.upcast, flags.op, flags.dtype, sampled=True)}
    long = {}  # (op, dtype): the sides with a row that is too long
    for row in table.values():
        if row["side"] in sides and row.get("exhaustive") and row["inputs"] > MOST_CHECKED and is_asked(flags, row):
            long.setdefault((row["op"], row["dtype"]), [OURS])
            long[row["op"], row["dtype"]] += [row["side"]] if row["side"] != OURS else []
    counts = dict.fromkeys(sorted(long), SLOW_SAMPLES) | counts
    by_sides = {}
    for one, count in counts.items():
        asked = long.get(one, sides if flags.whole else [OURS])
        by_sides.setdefault(tuple(asked), []).append((*one, count if flags.whole else CHECKED_SAMPLES))
    return [row for asked, wanted in by_sides.items() for row in measure(flags.upcast, wanted, list(asked), "")]


def name_unchecked(flags, table, checked):
    """Prints the rows of the table that were asked for and not looked at, by side and dtype."""
    left = {}
    for k, row in table.items():
        if k not in checked and is_asked(flags, row):
            left.setdefault((row["side"], row["dtype"]), []).append(row["op"])
    for (side, dtype), ops in sorted(left.items()):
        print(f"not checked: {side} over {dtype}, {len(ops)}: {', '.join(sorted(ops))}")
    print(f"{sum(map(len, left.values()))} rows of the table not checked")


def check(flags):
    table, machine = read(flags.table), this_machine(flags.upcast)
    sides = machine.sides(SIDES, table)
    rows = measure(flags.upcast, sweeps(flags.upcast, flags.op, flags.dtype, sampled=False), sides, "")
    beginnings = measure_samples(flags, table, sides)
    faults = []
    for row, is_sample in [(row, False) for row in rows] + [(row, True) for row in beginnings]:
        if key(row) not in table:
            faults.append((row, "not in the table: accuracy.py update"))
        elif why := looser(row, machine.expected(table[key(row)]), beginning=is_sample):
            faults.append((row, f"{why}; worst inputs {row.get('worst')}"))
        elif "refused" in table[key(row)] and "refused" not in row:
            faults.append((row, "answered now: accuracy.py update"))
    measured = {key(row) for row in rows}
    never = {row["op"] for row in listed(flags.upcast) if row["why_never"]}
    for k, row in table.items():
        if why := inconsistent(row):
            faults.append((row, why))
        complete = not flags.op and not flags.dtype and row["side"] in sides
        is_short = row.get("inputs", 0) <= MOST_CHECKED
        if complete and k not in measured and row.get("exhaustive") and is_short and row["op"] not in never:
            faults.append((row, "in the table, but not measured"))
    refused = sum("refused" in row for row in rows + beginnings)
    if held := [row["op"] for row in rows + beginnings if machine.is_held_to_mkls_bound(row)]:
        print(f"held to MKL's documented {OF_MKL['max_ulp']} ulp, because the table is about its kernels for another processor, "
              f"{len(held)}: {', '.join(held)}")
    name_unchecked(flags, table, {key(row) for row in rows + beginnings})
    print(f"{len(rows)} rows measured over every input, {len(beginnings)} over {'their sample' if flags.whole else 'the beginning of their sample'}, {refused} refused by "
          f"their side, {len(faults)} worse than the table or missing")
    return report(faults, empty=len(rows) + len(beginnings) == refused)


def report(faults, empty=False):
    for row, why in faults:
        print(" ".join(key(row)) + f": {why}")
    return 1 if faults or empty else 0


def merge(flags, rows):
    table = read(flags.table)
    faults = []
    for row in rows:
        old = table.get(key(row))
        why = looser(row, old) if old else ""
        if why and not flags.why:
            faults.append((row, f"{why}: say --why"))
            continue
        if why:
            row["why"] = flags.why
        elif old and "why" in old:
            row["why"] = old["why"]
        table[key(row)] = row
    write(flags.table, table)
    print(f"{len(rows) - len(faults)} rows written, {len(faults)} left as they were")
    return report(faults)


def update(flags):
    table = read(flags.table)
    wanted = [(op, dtype, samples) for sampled in ((False, True) if flags.missing else (flags.sampled,))
              for op, dtype, samples in sweeps(flags.upcast, flags.op, flags.dtype, sampled)
              if (not samples or not table.get((op, dtype, OURS), {}).get("exhaustive"))
              and not (flags.missing and (op, dtype, OURS) in table)]
    return merge(flags, measure(flags.upcast, wanted, SIDES, flags.date))


def import_files(flags):
    rows = []
    for path in flags.file:
        outcome = json.loads(path.read_text())
        if not outcome.get("complete"):
            raise SystemExit(f"{path}: a sweep that is not complete: 'upcast sweep --merge' puts shards together")
        rows += rows_of(outcome, flags.date)
    return merge(flags, rows)


def table_in_git(path):
    """The table's rows in an older commit of the repository; None if there is no such commit or file."""
    def git(*arguments):
        result = subprocess.run(["git", "-C", str(path.parent), *arguments], capture_output=True, text=True)
        return result.stdout.strip() if result.returncode == 0 else ""

    head, base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "main")
    revision = base if base and base != head else git("rev-parse", "HEAD~1")
    text = git("show", f"{revision}:./{path.name}") if revision else ""
    return {key(row): row for row in json.loads(text)} if text else None


def is_excused(new, old):
    """Whether a row that allows larger errors gives a reason for this change, not for an earlier one."""
    said = new.get("why", "")
    return bool(said) and new["date"] >= old["date"] and (said != old.get("why") or new["date"] > old["date"])


def ratchet(flags):
    old, new = read(flags.old) if flags.old else table_in_git(flags.table), read(flags.table)
    if old is None:
        print("no older table in git: nothing to compare with")
        return SKIPPED
    faults = [(row, why) for row in new.values() if (why := inconsistent(row))]
    for k, row in old.items():
        if k not in new:
            faults.append((row, "gone"))
        elif (why := looser(new[k], row)) and ("refused" in new[k] or not is_excused(new[k], row)):
            faults.append((row, f"{why}, without a new measurement that says why"))
    print(f"{len(new)} rows compared with {len(old)}, {len(faults)} faults")
    return report(faults)


def published(flags):
    """Checks published maxima: the errors of a sample stay below them, and a whole sweep in the table reaches them."""
    table, faults = read(flags.table), []
    rows = json.loads(flags.published.read_text())
    wanted = [{"op": row["op"], "dtype": row["dtype"], "sides": [row["side"]], "samples": 2000000} for row in rows]
    whole = 0
    for row, outcome in zip(rows, run_all(flags.upcast, wanted)):
        if "error" in outcome:
            faults.append((row, outcome["error"]))
            continue
        unit = 10.0 ** -len(str(row["max_ulp"]).partition(".")[2])  # one unit of the last published digit
        sample = outcome["sides"][row["side"]]["max_ulp"]
        if sample > row["max_ulp"] + unit / 2:
            faults.append((row, f"{sample:.6f} ulp in a sample, published {row['max_ulp']} ({row['origin']})"))
        exhaustive = table.get(key(row))
        if exhaustive and exhaustive["exhaustive"]:
            whole += 1
            if abs(exhaustive["max_ulp"] - row["max_ulp"]) > unit:
                faults.append((row, f"{exhaustive['max_ulp']} ulp over every input, published {row['max_ulp']}"))
    print(f"{len(rows)} functions sampled, {whole} of them in the table over every input, {len(faults)} faults")
    return report(faults, empty=not rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name, function, *paths):
        sub = commands.add_parser(name)
        sub.set_defaults(function=function)
        for path in paths:
            sub.add_argument(path, type=str if path == "upcast" else pathlib.Path)
        return sub

    for sub in (command("check", check, "upcast", "table"), command("update", update, "upcast", "table")):
        sub.add_argument("--op", action="append")
        sub.add_argument("--dtype", action="append")
        written = sub
    commands.choices["check"].add_argument("--whole", action="store_true")
    written.add_argument("--sampled", action="store_true")
    written.add_argument("--missing", action="store_true")
    importing = command("import", import_files, "table")
    importing.add_argument("file", type=pathlib.Path, nargs="+")
    for sub in (written, importing):
        sub.add_argument("--date", required=True)
        sub.add_argument("--why", default="")
    command("ratchet", ratchet, "table").add_argument("--old", type=pathlib.Path)
    command("published", published, "upcast", "table", "published")
    flags = parser.parse_args()
    return flags.function(flags)


if __name__ == "__main__":
    sys.exit(main())
