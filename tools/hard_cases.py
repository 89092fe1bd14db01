"""Writes cases/hard/float64.txt: inputs whose results are hard to get right, for every op that rounds a real number.

usage: hard_cases.py <upcast> <upcast-hard-inputs> <bounds.toml> <output> [--published FOLDER]

Which ops round: those of every class but exact of cases/accuracy_bounds.toml. Published worst cases come from FOLDER/<op>.wc, CORE-MATH's
files src/binary64/<op>/<op>.wc; upcast-hard-inputs keeps those whose exact value it finds within 2^-40 ulp of the middle of two float64
(none of asinh's, acosh's and pow's: theirs are beside a float64). Where FOLDER has none, the lines of the present output stay.
Ops that are called with tensors alone get the hardest of random inputs too. The rest is by rule, with mpmath: of two operands whole grids, by
broadcasting. The same command writes the same file.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import tomllib

import mpmath

PUBLISHED = ["acos", "asin", "atan", "atan2", "atanh", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "hypot", "log",
             "log10", "log1p", "log2", "rsqrt", "sin", "sinh", "tan", "tanh"]
ORIGIN = "CORE-MATH, src/binary64/{0}/{0}.wc (Lefevre, Zimmermann and others; BaCSeL)"
DRAWS, SEED = 20000, 1
# Where an op is not called with its tensors alone.
CALLS = {
    "mvlgamma": ["mvlgamma({}, p=3)"], "gelu": ['gelu({}, approximate="none")'],
    "polygamma": ["polygamma(1, {})", "polygamma(2, {})", "polygamma(5, {})"],
    "leaky_relu_backward": ["leaky_relu_backward({}, {}, negative_slope=0.01, self_is_result=False)"],
    "softplus_backward": ["softplus_backward({}, {}, beta=1, threshold=20)"],
    "elu_backward": ["elu_backward({}, 1, 1, 1, is_result=False, self_or_result={})",
                     "elu_backward({}, 1.5, 2, 0.75, is_result=True, self_or_result={})"],
    "gelu_backward": ["gelu_backward({}, {})", 'gelu_backward({}, {}, approximate="tanh")'],
    "mse_loss": ["mse_loss({}, {}, reduction=0)"], "huber_loss": ["huber_loss({}, {}, reduction=0, delta=1)"],
}
# The same function under another name, which the search takes: pow's exponent may be a number.
SEARCHED_AS = {"pow": "float_power"}

POWERS = [-1074, -1022, -53, -27, -10, -3, -2, -1, 0, 1, 2, 3, 5, 9, 53, 1023]
# where some op over- or underflows, or stops being 1 or -1: ln of float64's ends, their halves, square roots and like
EDGES = {
    "ln of the largest number, of the least normal and subnormal one": ["log(largest)", "log(normal)", "log(least)",
                                                                        "log(least) - log(2)"],
    "their base-2 and base-10 logarithms": ["mpf(1024)", "mpf(-1022)", "mpf(-1074)", "mpf(-1075)", "mpf(308.25)"],
    "sinh and cosh": ["log(largest) + log(2)"],
    "erfc, erfcx, ndtr": ["mpf('26.543258454250726')", "mpf('27.226017111108362')", "mpf('-26.628735713751')",
                          "mpf('-37.519379347227')", "mpf('-38.485407335568')", "mpf('5.9215871957945')"],
    "lgamma": ["mpf('2.5563481638716906e305')", "mpf('171.62437695630272')"],
    "modified Bessel functions, Airy's": ["mpf('713.98670937888')", "mpf('705.34246938')", "mpf('740.0')",
                                          "mpf('103.8')", "mpf('108.2')"],
    "where 1 or x swallows the rest": ["mpf(2)**-26", "mpf(2)**-27", "mpf(2)**27", "mpf('18.714973875118524')",
                                       "mpf('22.180709777918')", "mpf('36.7368005696771')"],
}
ZEROS = {
    "lgamma": ["findroot(loggamma_real, -2.4570247)", "findroot(loggamma_real, -2.7476827)",
               "findroot(loggamma_real, -3.1435809)", "findroot(loggamma_real, -3.9552943)",
               "findroot(loggamma_real, -4.0393618)", "mpf(1)", "mpf(2)"],
    "digamma": ["findroot(digamma, 1.4616)", "findroot(digamma, -0.504)", "findroot(digamma, -1.5734)",
                "findroot(digamma, -2.6107)", "findroot(digamma, -9.7026)"],
    "special_bessel_j0": ["besseljzero(0, k)"], "special_bessel_j1": ["besseljzero(1, k)"],
    "special_bessel_y0": ["besselyzero(0, k)"], "special_bessel_y1": ["besselyzero(1, k)"],
    "special_airy_ai": ["airyaizero(k)"], "special_spherical_bessel_j0": ["k * pi"],
    "log": ["mpf(1)"], "log2": ["mpf(1)"], "log10": ["mpf(1)"], "acosh": ["mpf(1)"], "special_entr": ["mpf(1)"],
    "special_ndtri": ["mpf(1) / 2"], "logit": ["mpf(1) / 2"], "sinc": ["mpf(k)", "mpf(k) + mpf(1) / 2"],
}
# Of two and three operands every combination.
PAIR_POWERS = [-1074, -1022, -53, 0, 1, 53, 1023]
TRIPLE_POWERS = [-1074, -1022, 0, 53, 1023]
GRADIENTS = ["mpf(1)", "-mpf(1) / 3", "largest", "-normal", "least", "mpf(2)**-60"]
# Beside these the derivative is 0, or nearly so, and at the kinks.
DERIVATIVE_ZEROS = {
    "silu_backward": ["findroot(silu_slope, -1.278)"], "mish_backward": ["findroot(mish_slope, -1.192)"],
    "gelu_backward": ["findroot(gelu_slope, -0.752)", "mpf('-0.752461422071016260485341')"], "hardswish_backward": ["-mpf(3) / 2", "mpf('2.75')", "mpf('-2.75')"],
    "sigmoid_backward": ["mpf(1)", "mpf(1) / 2"], "tanh_backward": ["mpf(1)", "mpf(-1)"],
    "logit_backward": ["mpf(1)", "mpf(1) / 2", "mpf(1) / 3"], "softplus_backward": ["mpf(20)", "mpf('-745.13')", "mpf('-1400')"],
    "elu_backward": ["mpf('-1.5')", "mpf('-745.13')", "mpf('-1400')"], "leaky_relu_backward": ["-normal * 100"],
    "hardsigmoid_backward": ["mpf('2.75')", "-normal"],
}
# Pairs of two lists: where a result over- or underflows, is 0, or where one operand swallows the other.
PAIRS = {
    "pow": [(["mpf(2)", "mpf(1) / 2", "mpf(-2)"], ["mpf(1023)", "mpf(1024)", "mpf(-1022)", "mpf(-1074)", "mpf(-1075)", "mpf(1075)"]),
            (["mpf(10)", "mpf(1) / 10"], ["log(largest) / log(10)", "log(normal) / log(10)", "log(least / 2) / log(10)"]),
            (["mpf(1)"], ["log(largest) * 2**52", "log(least) * 2**52", "log(largest) * 2**53", "mpf(2)**53", "mpf(2)**52"]),
            (["mpf(-1)", "mpf(-3)", "-mpf(1) / 3"], ["mpf(1)", "mpf(2)", "mpf(3)", "mpf(2)**52", "mpf(2)**53", "mpf(33)"])],
    "hypot": [(["largest", "largest / sqrt(2)", "largest / 2"], ["largest", "largest / sqrt(2)", "largest * 2**-27"]),
              (["mpf(1)", "mpf(3)"], ["mpf(2)**-26", "mpf(2)**-27", "mpf(4)", "mpf(2)**53"]),
              (["least", "normal", "normal / 2", "3 * least"], ["least", "normal", "4 * least", "normal * 2**27"])],
    "atan2": [(["least", "normal", "mpf(1)", "largest"], ["mpf(1)", "mpf(-1)", "mpf(2)**52", "largest", "-largest", "least", "normal"]),
              (["mpf(1)", "mpf(-1)"], ["mpf(2)**-53", "mpf(2)**53", "-mpf(2)**53", "mpf(2)**26", "sqrt(3)"])],
    "logaddexp": [(["mpf(0)", "mpf(-1)", "mpf(300)"], ["mpf('-36.7368')", "mpf('-37.4299')", "mpf('-745.13')", "mpf('-708.4')", "mpf(-1)"]),
                  (["-log(2)", "log(1 - exp(-1))", "-mpf(2)**-30"], ["-log(2)", "mpf(-1)", "log(1 - exp(-mpf(2)**-30))"]),
                  (["largest", "-largest"], ["largest", "-largest", "mpf(1)"])],
    "logaddexp2": [(["mpf(0)", "mpf(-1)", "mpf(300)"], ["mpf(-53)", "mpf(-54)", "mpf(-1074)", "mpf(-1022)", "mpf(-1)"]),
                   (["mpf(-1)", "log(1 - mpf(2)**mpf('-0.5')) / log(2)"], ["mpf(-1)", "mpf('-0.5')"]),
                   (["largest", "-largest"], ["largest", "-largest", "mpf(1)"])],
    "xlogy": [(["mpf(1)", "least", "normal", "largest", "largest / 745"], ["mpf(1)", "largest", "least", "normal", "exp(1)", "exp(-1)"])],
    "special_xlog1py": [(["mpf(1)", "least", "normal", "largest", "largest / 745"],
                         ["mpf(-1) + mpf(2)**-53", "largest", "least", "normal", "exp(1) - 1", "mpf(2)**-60", "-mpf(2)**-60"])],
    "igamma": [(["mpf(1)", "mpf(1) / 2", "mpf(10)", "mpf(100)", "mpf(1000)", "mpf(2)**-30"],
                ["mpf(1)", "mpf(2)", "mpf(10)", "mpf(99)", "mpf(120)", "mpf(1000)", "mpf('1062.5')", "mpf(2)**-30", "mpf(700)"])],
    "special_zeta": [(["mpf(1) + mpf(2)**-40", "mpf(2)", "mpf(3) / 2", "mpf(10)", "mpf(50)", "mpf(200)"],
                      ["mpf(1)", "mpf(1) / 2", "mpf(2)", "mpf(10)", "mpf(2)**-20", "mpf(2)**20", "mpf(33)"])],
    "fmod": [], "remainder": [(["mpf(2)**1000", "largest", "mpf(-1)", "mpf(10)"], ["mpf(3)", "mpf(1) / 10", "-mpf(1) / 3", "least", "normal"])],
    "floor_divide": [(["mpf(1)", "mpf(10)", "mpf(-7)", "mpf(2)**53"], ["mpf(1) / 10", "mpf(1) / 3", "mpf(7)", "mpf(-3)"])],
    "div": [(["largest", "normal", "least", "mpf(1)"], ["mpf(1)", "mpf(2)", "mpf(1) / 2", "mpf(3)", "largest", "least"])],
    "mul": [(["largest", "normal", "least", "mpf(2)**-538"], ["mpf(1)", "mpf(2)", "mpf(1) / 2", "mpf(2)**-537", "mpf(2)**-536"])],
    "add": [(["largest", "mpf(1)", "normal"], ["mpf(2)**970", "mpf(2)**969", "mpf(2)**-53", "-mpf(1)", "-largest", "-normal", "least"])],
    "huber_loss": [(["mpf(0)", "mpf(1)"], ["mpf(1)", "mpf(-1)", "mpf(2)", "mpf(2)**-540", "largest"])],
    "mse_loss": [(["mpf(0)", "mpf(1)"], ["mpf(2)**512", "mpf(2)**-537", "mpf(2)**-511", "mpf(1)"])],
}
for twin, op in [("float_power", "pow"), ("igammac", "igamma"), ("sub", "add"), ("rsub", "add")]:
    PAIRS[twin] = PAIRS[op]
# Above 1 polynomials grow; beside their zeros, and inside of [-1, 1], terms cancel.
DEGREES = [0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 29.0]
ARGUMENTS = ["mpf(0)", "mpf(1)", "mpf(-1)", "mpf(1) / 2", "mpf(2)", "mpf(-3)", "mpf(100)", "mpf(2)**53", "mpf(2)**-60", "largest", "least"]
# Orders before the operand: above 0, where poles and underflow are.
POLYGAMMA = ["mpf(1)", "mpf(2)", "mpf(1) / 2", "mpf(10)", "mpf(20)", "mpf(2)**-30", "mpf(2)**-300", "mpf(2)**30", "mpf(2)**300"]
TURNS = [1, 2, 3, 4, 5, 6, 7, 8, 21, 1000, 2**20 + 1, 10**6, 10**10 + 1, 2**52 + 3]
PERIODIC = ["sin", "cos", "tan", "special_bessel_j0", "special_bessel_j1", "special_bessel_y0", "special_bessel_y1",
            "special_spherical_bessel_j0"]
# the multiple of pi/2 nearest to a float64: Muller and others, Handbook of Floating-Point Arithmetic, 11.3
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


def beside_powers(powers):
    return both_signs([x for k in powers for x in around(math.ldexp(1.0, k), 1)])


def tensor(values, shape="{}"):
    unique = list(dict.fromkeys(x + 0.0 for x in values if math.isfinite(x)))
    return f"float64[{shape.format(len(unique))}]{{{','.join(x.hex() for x in unique)}}}"


def lines(op, *operands):
    """Every combination of the operands' values, the first one's slowest."""
    tensors = [tensor(values, "{}" + ",1" * (len(operands) - 1 - i)) for i, values in enumerate(operands)]
    calls = CALLS.get(op, [op + "(" + ", ".join("{}" for _ in operands) + ")"])
    return [call.format(*tensors) for call in calls]


def asked(program, op, *flags):
    result = subprocess.run([program, SEARCHED_AS.get(op, op), *flags], capture_output=True, text=True)
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
        return ["# Above 0", *lines(op, at(POLYGAMMA, 1))]
    text = ["# Neighbours of powers of two", *lines(op, beside_powers(POWERS)), "# Edges of range", *lines(op, edges)]
    if op in PERIODIC:
        text += ["# Beside multiples of pi/2", *lines(op, both_signs(turns) + around(NEAREST_TO_A_TURN, 1))]
    if op in ZEROS:
        text += ["# Beside zeros", *lines(op, at(ZEROS[op], 2))]
    return text


def of_two(op, edges):
    if "_polynomial_" in op:  # the degree is the second one
        return ["# Edges of range, small degrees", *lines(op, at(ARGUMENTS, 1), DEGREES)]
    text = []
    if op not in ("igamma", "igammac", "special_zeta"):  # whose series are long for such
        text += ["# Neighbours of powers of two", *lines(op, *[beside_powers(PAIR_POWERS)] * 2)]
    if op.endswith("_backward"):
        text += ["# Edges of range", *lines(op, at(GRADIENTS, 0), edges)]
    if op in DERIVATIVE_ZEROS:
        text += ["# Beside zeros and edges of the derivative", *lines(op, at(GRADIENTS, 0), at(DERIVATIVE_ZEROS[op], 2))]
    for first, second in PAIRS.get(op, []):
        text += ["# Edges of range, zeros", *lines(op, at(first, 1), at(second, 1))]
    return text


def of_op(row, arguments, edges, turns):
    op, operands = row["op"], row["operands"]
    text = [f"# {op}"]
    if op in PUBLISHED:
        text += published_lines(arguments, op, operands)
    if operands < 3 and op not in CALLS:
        text += found_lines(arguments, op, operands)
    if operands == 1:
        return text + of_one(op, edges, turns)
    if operands == 2:
        return text + of_two(op, edges)
    return text + ["# Neighbours of powers of two", *lines(op, *[beside_powers(TRIPLE_POWERS)[::2]] * 3)]


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
    edges = both_signs([x for expressions in EDGES.values() for x in at(expressions, 1)])
    turns = [x for k in TURNS for x in around(float(mpmath.mpf(k) * mpmath.pi / 2), 1)]
    text = ["# Hard cases of float64: where a result is nearly half way between two float64, and where functions turn.",
            "# Written by tools/hard_cases.py, which says how; oracle.truth judges them (docs/numerics.md).", ""]
    done = set()
    for row in listed:  # an op may have forms of more operands
        if row["op"] in rounding and row["source"] and row["numbers"] == "real numbers" and row["op"] not in done:
            done.add(row["op"])
            text += of_op(row, arguments, edges, turns) + [""]
    arguments.output.write_text("\n".join(text))


if __name__ == "__main__":
    main()
