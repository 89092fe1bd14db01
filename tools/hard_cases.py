"""Writes cases/hard/float64.txt: inputs whose results are hard to get right, for every op that rounds a real number.

usage: hard_cases.py <upcast> <upcast-hard-inputs> <bounds.toml> <output> [--published FOLDER]

Which ops round: those of every class but exact of cases/accuracy_bounds.toml. Published worst cases come from FOLDER/<op>.wc, CORE-MATH's
files src/binary64/<op>/<op>.wc; upcast-hard-inputs keeps those whose exact value it finds within 2^-40 ulp of the middle of two float64
(none of asinh's, acosh's and pow's: theirs are next to a float64). Where FOLDER has none, the lines of the present output stay.
Ops that are called with tensors alone get the hardest of random inputs too. The rest is by rule, with mpmath, from the tables of
hard_cases.toml: whole grids of two operands, by broadcasting. The same command writes the same file.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import tomllib

import mpmath

TABLES = tomllib.loads(pathlib.Path(__file__).with_suffix(".toml").read_text())
CALLS, PAIRS = TABLES["calls"], TABLES["pairs"]
for twin, op in [("float_power", "pow"), ("igammac", "igamma"), ("sub", "add"), ("rsub", "add")]:
    PAIRS[twin] = PAIRS[op]
ORIGIN = "CORE-MATH, src/binary64/{0}/{0}.wc (Lefevre, Zimmermann and others; BaCSeL)"
DRAWS, SEED = 20000, 1
# The float64 that is nearest to a multiple of pi/2: Muller and others, Handbook of Floating-Point Arithmetic, 11.3.
NEAREST_TO_A_TURN = float.fromhex("0x1.6ac5b262ca1ffp+849")

mpmath.mp.prec = 1200
NAMES = {name: getattr(mpmath, name) for name in ["findroot", "digamma", "besseljzero", "besselyzero", "airyaizero", "exp", "log",
                                                  "pi", "mpf", "sqrt"]}
NAMES["loggamma_real"] = lambda x: mpmath.re(mpmath.loggamma(x))
NAMES["silu_slope"] = lambda x: 1 + mpmath.exp(-x) + x * mpmath.exp(-x)
NAMES["mish_slope"] = lambda x: mpmath.diff(lambda y: y * mpmath.tanh(mpmath.log1p(mpmath.exp(y))), x)
NAMES["gelu_slope"] = lambda x: mpmath.ncdf(x) + x * mpmath.npdf(x)
NAMES["largest"] = mpmath.mpf(float.fromhex("0x1.fffffffffffffp+1023"))
NAMES["normal"], NAMES["least"] = mpmath.mpf(2)**-1022, mpmath.mpf(2)**-1074


def around(x, steps):
    below, above, result = x, x, [x]
    for _ in range(steps):
        below, above = math.nextafter(below, -math.inf), math.nextafter(above, math.inf)
        result = [below] + result + [above]
    return result


def at(expressions, steps, precision=200):
    values = []
    with mpmath.workprec(precision):
        for expression in expressions:
            for k in range(1, 6) if re.search(r"\bk\b", expression) else [0]:
                values += around(float(eval(expression, {}, {**NAMES, "k": k})), steps)
    return values


def both_signs(values):
    return values + [-x for x in values]


def near_powers(powers):
    return both_signs([x for k in powers for x in around(math.ldexp(1.0, k), 1)])


def tensor(values, shape="{}"):
    unique = list(dict.fromkeys(x + 0.0 for x in values if math.isfinite(x)))
    return f"float64[{shape.format(len(unique))}]{{{','.join(x.hex() for x in unique)}}}"


def lines(op, *operands):
    """Case lines that ask an op for every combination of its operands' values, by broadcasting. The first operand varies slowest."""
    tensors = [tensor(values, "{}" + ",1" * (len(operands) - 1 - i)) for i, values in enumerate(operands)]
    calls = CALLS.get(op, [op + "(" + ", ".join("{}" for _ in operands) + ")"])
    return [call.format(*tensors) for call in calls]


def asked(program, op, *flags):
    result = subprocess.run([program, TABLES["searched_as"].get(op, op), *flags], capture_output=True, text=True)
    return re.sub(r"^\w+\(", op + "(", result.stdout.strip(), flags=re.M) if result.returncode == 0 else ""


def published_lines(arguments, op, operands):
    file = arguments.published / f"{op}.wc" if arguments.published else None
    if file and file.exists():
        found = asked(arguments.search, op, "--operands", str(operands), "--published", str(file), "--count", "16", "--within", "-40")
        return [f"# Published: {ORIGIN.format(op)};" + found[1:]]
    old = re.search(rf"^# Published: .*\n{op}\(.*$", arguments.output.read_text(), re.M)
    return [old.group(0)]


def found_lines(arguments, op, operands):
    found = asked(arguments.search, op, "--operands", str(operands), "--draws", str(DRAWS), "--seed", str(SEED), "--count", "8",
                  "--within", "-5")
    return [f"# Found by tools/hard_inputs.cc, seed {SEED}, {DRAWS} draws;" + found[1:]] if found else []


def of_one(op, edges, turns):
    if op == "polygamma":
        return ["# Above 0", *lines(op, at(TABLES["polygamma"], 1))]
    text = ["# Neighbours of powers of two", *lines(op, near_powers(TABLES["powers"])), "# Edges of range", *lines(op, edges)]
    if op in TABLES["periodic"]:
        text += ["# Near multiples of pi/2", *lines(op, both_signs(turns) + around(NEAREST_TO_A_TURN, 1))]
    if op in TABLES["zeros"]:
        text += ["# Near zeros", *lines(op, at(TABLES["zeros"][op], 2))]
    return text


def of_two(op, edges):
    if "_polynomial_" in op:  # the degree is the second one
        return ["# Edges of range, small degrees", *lines(op, at(TABLES["arguments"], 1), TABLES["degrees"])]
    text = []
    if op not in ("igamma", "igammac", "special_zeta"):  # whose series are long for such
        text += ["# Neighbours of powers of two", *lines(op, *[near_powers(TABLES["pair_powers"])] * 2)]
    if op.endswith("_backward"):
        text += ["# Edges of range", *lines(op, at(TABLES["gradients"], 0), edges)]
    if op in TABLES["derivative_zeros"]:
        text += ["# Near zeros and edges of the derivative", *lines(op, at(TABLES["gradients"], 0), at(TABLES["derivative_zeros"][op], 2))]
    for first, second in PAIRS.get(op, []):
        text += ["# Edges of range, zeros", *lines(op, at(first, 1), at(second, 1))]
    return text


def of_op(row, arguments, edges, turns):
    op, operands = row["op"], row["operands"]
    text = [f"# {op}"]
    if op in TABLES["published"]:
        text += published_lines(arguments, op, operands)
    if operands < 3 and op not in CALLS:
        text += found_lines(arguments, op, operands)
    if operands == 1:
        return text + of_one(op, edges, turns)
    if operands == 2:
        return text + of_two(op, edges)
    return text + ["# Neighbours of powers of two", *lines(op, *[near_powers(TABLES["triple_powers"])[::2]] * 3)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("search")
    parser.add_argument("bounds", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--published", type=pathlib.Path)
    arguments = parser.parse_args()
    classes = tomllib.loads(arguments.bounds.read_text())["class"]
    rounding = {op for name, row in classes.items() if name != "exact" for op in row["ops"]}
    listed = json.loads(subprocess.run([arguments.upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True,
                                       check=True).stdout)
    edges = both_signs([x for expressions in TABLES["edges"].values() for x in at(expressions, 1)])
    turns = [x for k in TABLES["turns"] for x in around(float(mpmath.mpf(k) * mpmath.pi / 2), 1)]
    text = ["# Hard cases of float64: where a result is nearly half way between two float64, and where functions turn.",
            "# Written by tools/hard_cases.py, which says how; oracle.truth judges them (docs/how_to/measure_accuracy.md).", ""]
    done = set()
    for row in listed:  # an op may have forms of more operands
        if row["op"] in rounding and row["source"] and row["numbers"] == "real numbers" and row["op"] not in done:
            done.add(row["op"])
            text += of_op(row, arguments, edges, turns) + [""]
    arguments.output.write_text("\n".join(text))


if __name__ == "__main__":
    main()
