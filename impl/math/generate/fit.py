"""Fits the polynomials of branch-free functions, and prints them as C++ tables. Needs mpmath.

Polynomials are Chebyshev interpolants. Rational functions solve the linearised problem on
Chebyshev points, with weights that are raised where the error is large (Lawson's iteration). So
both are close to the best of their degree. Each comment says what error is left.
"""
import mpmath as mp

mp.mp.dps = 80


def array(name, comment, values):
    body = ", ".join(mp.nstr(mp.mpf(float(v)), 17, min_fixed=-4, max_fixed=9) for v in values)
    print(f"/// {comment}\ninline constexpr std::array<double, {len(values)}> {name}{{{body}}};\n")


def error_of(approximation, f, points, absolute=False):
    worst = max(abs(approximation(x) - f(x)) / (1 if absolute else abs(f(x))) for x in points)
    return f"{'Absolute' if absolute else 'Relative'} error 2^{mp.nstr(mp.log(worst, 2), 3)}"


def chebyshev_points(low, high, count):
    middle, half = mp.mpf(low + high) / 2, mp.mpf(high - low) / 2
    return [middle + half * mp.cos(mp.pi * (k + mp.mpf(1) / 2) / count) for k in range(count)]


def interpolant(f, points):
    """The polynomial that equals f at the points, as coefficients."""
    matrix = mp.matrix([[x**i for i in range(len(points))] for x in points])
    return list(mp.lu_solve(matrix, mp.matrix([f(x) for x in points])))


def rounded(values):
    return [mp.mpf(float(v)) for v in values]


def polynomial(name, comment, f, low, high, degree, absolute=False):
    """Prints the polynomial that equals f at degree + 1 Chebyshev points of [low, high]. The comment says its relative error, or
    the absolute one for an f that has a zero."""
    values = interpolant(f, chebyshev_points(low, high, degree + 1))
    evaluate = lambda x: mp.polyval(rounded(values)[::-1], x)
    error = error_of(evaluate, f, chebyshev_points(low, high, 200), absolute)
    array(name, f"Coefficients for {comment} {error}.", values)


def even_function(name, comment, f, high, degree, relative_error):
    """Prints a polynomial in x^2 that approximates f(x) for |x| <= high. An error e of it counts as relative_error(x, e), which is
    about x e. So it equals f at the positive zeros of the Chebyshev polynomial of degree 2 degree + 3: they keep x e small."""
    count = degree + 1
    nodes = [high * mp.cos(mp.pi * (k + mp.mpf(1) / 2) / (2 * count + 1)) for k in range(count)]
    values = interpolant(lambda z: f(mp.sqrt(z)), [x * x for x in nodes])
    worst = max(abs(relative_error(x, mp.polyval(rounded(values)[::-1], x * x) - f(x))) for x in chebyshev_points(0, high, 200))
    array(name, f"Coefficients for {comment} 2^{mp.nstr(mp.log(worst, 2), 3)}.", values)


def even_quotient(name, comment, f, high):
    """Prints two polynomials whose quotient equals f(z) at four Chebyshev points of [0, high]: one of degree 2 with leading
    coefficient 1, and one of degree 1."""
    points = chebyshev_points(0, high, 4)
    matrix = mp.matrix([[1, z, -f(z), -f(z) * z] for z in points])
    values = list(mp.lu_solve(matrix, mp.matrix([-z * z for z in points])))
    a, b, c, d = rounded(values)
    error = error_of(lambda z: (a + b * z + z * z) / (c + d * z), f, chebyshev_points(0, high, 200))
    array(name + "Even", f"Coefficients of the numerator, but its last, which is 1, for {comment} {error}.", values[:2])
    array(name + "Odd", f"Coefficients of the denominator for {comment}", values[2:])


def fit_rational(f, low, high, above, below, at_zero=None):
    """Two polynomials whose quotient approximates f on [low, high], and its relative error. The denominator's constant term is 1,
    and the numerator's is at_zero, or what fits best."""
    fitted = range(above + 1) if at_zero is None else range(1, above + 1)
    constant = [] if at_zero is None else [mp.mpf(at_zero)]
    points = chebyshev_points(low, high, 8 * (above + below + 2))
    values = [f(x) for x in points]
    weights = [mp.mpf(1)] * len(points)
    denominators = [mp.mpf(1)] * len(points)
    best = None
    for _ in range(25):
        rows, right = [], []
        for x, v, w, d in zip(points, values, weights, denominators):
            scale = mp.sqrt(w) / (v * d)
            rows.append([scale * x**i for i in fitted] + [-scale * v * x**j for j in range(1, below + 1)])
            right.append(scale * (v - sum(constant)))
        solution, _ = mp.qr_solve(mp.matrix(rows), mp.matrix(right))
        top = constant + list(solution[:len(fitted)])
        bottom = [mp.mpf(1)] + list(solution[len(fitted):])
        denominators = [mp.polyval(bottom[::-1], x) for x in points]
        errors = [abs(mp.polyval(top[::-1], x) / (d * v) - 1)
                  for x, v, d in zip(points, values, denominators)]
        if best is None or max(errors) < best[0]:
            best = max(errors), top, bottom
        mean = sum(w * e for w, e in zip(weights, errors))
        weights = [w * e / mean + mp.mpf("1e-30") for w, e in zip(weights, errors)]
    return best[1], best[2], f"Relative error 2^{mp.nstr(mp.log(best[0], 2), 3)}."


def rational(name, comment, *function, **options):
    """Prints the two polynomials of fit_rational()."""
    top, bottom, error = fit_rational(*function, **options)
    array(name + "Above", f"Coefficients of the numerator for {comment} {error}", top)
    array(name + "Below", f"Coefficients of the denominator for {comment}", bottom)


def adapted(coefficients):
    """A polynomial whose zeros have negative real parts, as a start of degree 1 or 2 and as steps (s, t): each makes p (x^2 + s) + t
    of p. Then half of the multiplications are additions. -s is a zero of the polynomial's odd part, which has simple negative zeros
    in x^2 (Hermite and Biehler). Source: Knuth, The Art of Computer Programming 2, 4.6.4, adaptation of coefficients."""
    rest, odd = coefficients[0::2], coefficients[1::2]
    steps = []
    for zero in sorted((mp.re(z) for z in mp.polyroots(odd[::-1], maxsteps=500, extraprec=400)), reverse=True):
        quotient = [mp.mpf(0)]
        for c in rest[:0:-1]:
            quotient.insert(0, c + zero * quotient[0])
        steps = [-zero, rest[0] + zero * quotient[0]] + steps
        rest = quotient[:-1]
    return [rest[0], odd[-1]] + rest[1:], steps


def adapted_rational(name, comment, *function, **options):
    """Prints the two polynomials of fit_rational(), each as adapted() makes it. The denominator begins with x + a constant: both
    are divided by its leading coefficient."""
    top, bottom, error = fit_rational(*function, **options)
    scaled = lambda polynomial: [c / bottom[-1] for c in polynomial]
    for part, what, coefficients in (("Above", f"numerator for {comment} {error}", top), ("Below", f"denominator for {comment}", bottom)):
        start, steps = adapted(scaled(coefficients))
        array(f"{name}{part}", f"Start of the {what}", start)
        array(f"{name}{part}Steps", "Its steps.", steps)


def header(script, tables):
    """Prints a header around the tables that `tables()` prints."""
    print(f"""// Generated by generate/{script}: coefficients, lowest power first.
#pragma once

#include <array>

namespace upcast::branchless {{
""")
    tables()
    print("}  // namespace upcast::branchless")
