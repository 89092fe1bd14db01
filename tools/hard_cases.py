"""Writes cases/hard/float64.txt: inputs whose results are hard to get right, for every op of one operand with a truth.

usage: hard_cases.py <upcast> <upcast-hard-inputs> <output> [--published FOLDER]

Published worst cases come from FOLDER/<op>.wc, CORE-MATH's files src/binary64/<op>/<op>.wc; upcast-hard-inputs keeps those
whose exact value it finds within 2^-40 ulp of the middle of two float64 (none of asinh's and acosh's: theirs are beside a float64). Without --published the lines of the present output stay.
Ops that have none get the hardest of random inputs. The rest is by rule, with mpmath. The same command writes the same file.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess

import mpmath

PUBLISHED = ["acos", "asin", "atan", "atanh", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "log",
             "log10", "log2", "rsqrt", "sin", "sinh", "tan", "tanh"]
ORIGIN = "CORE-MATH, src/binary64/{0}/{0}.wc (Lefevre, Zimmermann and others; BaCSeL)"
DRAWS, SEED = 20000, 1
# attributes that an op needs
WITH = {"mvlgamma": ", p=3", "gelu": ', approximate="none"'}

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
TURNS = [1, 2, 3, 4, 5, 6, 7, 8, 21, 1000, 2**20 + 1, 10**6, 10**10 + 1, 2**52 + 3]
PERIODIC = ["sin", "cos", "tan", "special_bessel_j0", "special_bessel_j1", "special_bessel_y0", "special_bessel_y1",
            "special_spherical_bessel_j0"]
# the multiple of pi/2 nearest to a float64: Muller and others, Handbook of Floating-Point Arithmetic, 11.3
NEAREST_TO_A_TURN = float.fromhex("0x1.6ac5b262ca1ffp+849")

mpmath.mp.prec = 1200
NAMES = {name: getattr(mpmath, name) for name in ["findroot", "digamma", "besseljzero", "besselyzero", "airyaizero", "log",
                                                  "pi", "mpf"]}
NAMES["loggamma_real"] = lambda x: mpmath.re(mpmath.loggamma(x))
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


def line(op, values):
    unique = list(dict.fromkeys(x + 0.0 for x in values if math.isfinite(x)))
    return f"{op}(float64[{len(unique)}]{{{','.join(x.hex() for x in unique)}}}{WITH.get(op, '')})"


def asked(program, op, *flags):
    return subprocess.run([program, op, *flags], capture_output=True, text=True, check=True).stdout.strip()


def published_lines(arguments, op):
    if arguments.published:
        found = asked(arguments.search, op, "--published", str(arguments.published / f"{op}.wc"), "--count", "16", "--within", "-40")
        return f"# Published: {ORIGIN.format(op)};" + found[1:]
    old = re.search(rf"^# Published: .*\n{op}\(.*$", arguments.output.read_text(), re.M)
    return old.group(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("search")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--published", type=pathlib.Path)
    arguments = parser.parse_args()
    listed = json.loads(subprocess.run([arguments.upcast, "sweep", "--list", "--json", "-"], capture_output=True, text=True,
                                       check=True).stdout)
    powers = [x for k in POWERS for x in around(math.ldexp(1.0, k), 1)]
    edges = [x for expressions in EDGES.values() for x in at(expressions, 1)]
    edges += [-x for x in edges]
    turns = [x for k in TURNS for x in around(float(mpmath.mpf(k) * mpmath.pi / 2), 1)]
    lines = ["# Hard cases of float64: where a result is nearly half way between two float64, and where functions turn.",
             "# Written by tools/hard_cases.py, which says how; oracle.hard_cases judges them (docs/numerics.md).", ""]
    for row in listed:
        op = row["op"]
        if row["operands"] != 1 or row["without"] or row["numbers"] != "real numbers" or op == "polygamma":  # polygamma's order stands before its operand
            continue
        lines.append(f"# {op}")
        if op in PUBLISHED:
            lines.append(published_lines(arguments, op))
        found = subprocess.run([arguments.search, op, "--draws", str(DRAWS), "--seed", str(SEED), "--count", "8"],
                               capture_output=True, text=True)
        if found.returncode == 0 and found.stdout.strip():
            lines.append(f"# Found by tools/hard_inputs.cc, seed {SEED}, {DRAWS} draws;" + found.stdout.strip()[1:])
        lines += ["# Neighbours of powers of two", line(op, powers + [-x for x in powers]),
                  "# Edges of range", line(op, edges)]
        if op in PERIODIC:
            lines += ["# Beside multiples of pi/2", line(op, turns + [-x for x in turns] + around(NEAREST_TO_A_TURN, 1))]
        if op in ZEROS:
            lines += ["# Beside zeros", line(op, at(ZEROS[op], 2))]
        lines.append("")
    arguments.output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
