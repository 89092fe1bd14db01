#!/usr/bin/env python3
"""Writes impl/math/float_coefficients.h, the polynomials that float_functions.h evaluates. Needs mpmath.

    python3 impl/math/generate/float_coefficients.py > impl/math/float_coefficients.h
    clang-format -i impl/math/float_coefficients.h
"""
import mpmath as mp

from fit import adapted_rational, array, even_function, even_quotient, fit_rational, header, polynomial, rational


def log_gamma_quotient(y):
    if abs(y - 1) < mp.mpf("1e-20"):
        return mp.euler
    if abs(y - 2) < mp.mpf("1e-20"):
        return 1 - mp.euler
    return mp.loggamma(y) / ((y - 1) * (y - 2))


def cotangent_quotient(square):
    """pi f cot(pi f) / (1/4 - f^2)."""
    if square == 0:
        return mp.mpf(4)
    f = mp.sqrt(square)
    # cot(pi f) = tan(pi g) with g = 1/2 - f, and 1/4 - f^2 = g (1 - g)
    g = mp.mpf(1) / 2 - f
    return mp.pi * f * (mp.tan(mp.pi * g) / g if g else mp.pi) / (1 - g)


def digamma_quotient(y, zero):
    if y == 0:
        return 1 / zero
    return y * (mp.digamma(y) / (y - zero) if abs(y - zero) > mp.mpf("1e-30") else mp.polygamma(1, zero))


def digamma_tail(u):
    """(digamma(z + 1/2) - log(z)) / u with u = 1 / z^2."""
    z = 1 / mp.sqrt(u)
    return (mp.digamma(z + mp.mpf(1) / 2) - mp.log(z)) / u


def erf_excess(square):
    x = mp.sqrt(square)
    return mp.erf(x) / x - 1 if x else 2 / mp.sqrt(mp.pi) - 1


def normal_tail(q):
    a = 5 * (1 + q) / (1 - q)
    return (1 + a * 5 / 4) * mp.exp(a * a / 2) * mp.erfc(a / mp.sqrt(2)) / 2


def tables():
    half_ln2 = mp.log(2) / 2 + mp.mpf("1e-6")
    polynomial("kExpm1", "(exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.",
               lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > 1e-20 else mp.mpf(1) / 2, -half_ln2, half_ln2, 7)
    polynomial("kExpCentre", "(r / tanh(r / 2) - 2) / r^2 in r^2, for |r| <= ln(2) / 2.",
               lambda z: (mp.sqrt(z) / mp.tanh(mp.sqrt(z) / 2) - 2) / z if z else mp.mpf(1) / 6, 0, half_ln2**2, 3)
    even_quotient("kExp", "r / tanh(r / 2) in r^2, for |r| <= ln(2) / 2.",
                  lambda z: mp.sqrt(z) / mp.tanh(mp.sqrt(z) / 2), half_ln2**2)
    even_function("kExpHalfCentre", "r / tanh(r / 4) in r^2, for |r| <= ln(2). The relative error of exp(r / 2) is",
                  lambda r: r / mp.tanh(r / 4), 2 * half_ln2, 3, lambda r, e: 2 * r * e / ((r / mp.tanh(r / 4))**2 - r**2))
    polynomial("kExp2", "exp2(r) for |r| <= 1/2.", lambda r: 2**r, -0.5, 0.5, 8)
    polynomial("kExpm1Double", "(exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2, for float64.",
               lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > 1e-20 else mp.mpf(1) / 2, -half_ln2, half_ln2, 10)
    largest = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2
    polynomial("kLog", "2 atanh(s) / s in s^2, for log(m), m in [sqrt(1/2), sqrt(2)].",
               lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) if z else 2, 0, largest + mp.mpf("1e-6"), 4)
    polynomial("kLogDouble", "(2 atanh(s) / s - 2) / s^2 in s^2, for float64.",
               lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z if z else mp.mpf(2) / 3, 0,
               largest + mp.mpf("1e-6"), 6)
    polynomial("kLogWide", "(atanh(s) / s - 1 - z / 3 - z^2 / 5) / z^3 in z = s^2, for pow of float64.",
               lambda z: ((mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3 - z**2 / 5) / z**3 if z > mp.mpf("1e-12")
                          else mp.mpf(1) / 7 + z / 9 + z**2 / 11), 0, largest + mp.mpf("1e-6"), 8)
    polynomial("kExpWide", "(exp(r) - 1 - r - r^2 / 2 - r^3 / 6) / r^4 for |r| <= ln(2) / 2, for pow of float64.",
               lambda r: ((mp.expm1(r) - r - r**2 / 2 - r**3 / 6) / r**4 if abs(r) > mp.mpf("1e-10")
                          else mp.mpf(1) / 24 + r / 120), -half_ln2, half_ln2, 9)
    quarter = mp.mpf("0.2500001")
    polynomial("kSine", "sin(pi/2 f) / f in f^2, for |f| <= 1/2.",
               lambda z: mp.sin(mp.pi / 2 * mp.sqrt(z)) / mp.sqrt(z) if z else mp.pi / 2, 0, quarter, 4)
    polynomial("kCosine", "cos(pi/2 f) in f^2, for |f| <= 1/2.",
               lambda z: mp.cos(mp.pi / 2 * mp.sqrt(z)), 0, quarter, 5)
    eighth = (mp.pi / 4)**2 + mp.mpf("1e-6")
    polynomial("kSineDouble", "(sin(r) / r - 1) / r^2 in r^2, for |r| <= pi/4, for float64.",
               lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 0, eighth, 5)
    polynomial("kCosineDouble", "(cos(r) - 1 + r^2 / 2) / r^4 in r^2, for |r| <= pi/4, for float64.",
               lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 0, eighth, 5)
    polynomial("kSinePi", "sin(pi f) / f in f^2, for |f| <= 1/2.",
               lambda z: mp.sinpi(mp.sqrt(z)) / mp.sqrt(z) if z else mp.pi, 0, quarter, 6)
    polynomial("kAtan", "atan(t) / t in t^2, for |t| <= tan(pi/8).",
               lambda z: mp.atan(mp.sqrt(z)) / mp.sqrt(z) if z else 1, 0,
               mp.tan(mp.pi / 8)**2 + mp.mpf("1e-6"), 7)
    polynomial("kAsin", "(asin(t) / t - 1) / t^2 in t^2, for |t| <= 1/2.",
               lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z if z else mp.mpf(1) / 6, 0, quarter, 8)
    rational("kErf", "erf(x) / x in x^2, for |x| <= 4.",
             lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z else 2 / mp.sqrt(mp.pi), 0, 16, 7, 7)
    rational("kErfc", "exp(x^2) erfc(x) for 0 <= x <= 10.2.",
             lambda x: mp.exp(x * x) * mp.erfc(x), 0, mp.mpf("10.2"), 6, 7)
    adapted_rational("kNormalTail", "exp(a^2 / 2) P(-a) for 0 <= a <= 14.43; P is the normal distribution function.",
             lambda a: mp.exp(a * a / 2) * mp.erfc(a / mp.sqrt(2)) / 2, 0, mp.mpf("14.43"), 6, 7, at_zero=0.5)
    split, centre = mp.mpf("1.171875"), mp.mpf(25) / 64
    polynomial("kErfNear", "erf(x) / x - 1 + w / 4 in w = x^2 - 25/64, for |x| <= 1.171875, for float64.",
               lambda w: erf_excess(w + centre) + w / 4, -centre, split**2 - centre + mp.mpf("1e-6"), 13, absolute=True)
    rational("kErfcFar", "exp(x^2) erfc(x) for 1.171875 <= x <= 6, for float64.",
             lambda x: mp.exp(x * x) * mp.erfc(x), split, 6, 7, 7)
    middle = normal_tail(mp.mpf(0))
    array("kNormalTailMiddle", "(1 + 5/4 a) exp(a^2 / 2) P(-a) at a = 5, in two parts; P is the normal distribution function.",
          [middle, middle - mp.mpf(float(middle))])
    polynomial("kNormalTailSlope", "what that has more for other a, divided by q = (a - 5) / (a + 5), in q, for 0 <= a <= 39, for "
               "float64.", lambda q: (normal_tail(q) - middle) / q, -1, mp.mpf(34) / 44, 23)
    rational("kLogGamma", "lgamma(y) / ((y - 1) (y - 2)) for 1 <= y <= 8.",
             log_gamma_quotient, 1, 8, 6, 6)
    zero = mp.findroot(mp.digamma, mp.mpf("1.4616321449683623"))
    high = mp.mpf(float(zero))
    array("kDigammaZero", "The positive zero of digamma, in two parts.", [high, zero - high])
    rational("kDigamma", "digamma(y) y / (y - kDigammaZero) for 0 <= y <= 8.",
             lambda y: digamma_quotient(y, zero), 0, 8, 8, 8)
    # The fit is one in u = 1 / z^2. Its coefficients in another order are those of a quotient in z^2.
    above, below, error = fit_rational(digamma_tail, mp.mpf("1e-12"), 1 / mp.mpf("56.25"), 2, 2)
    array("kDigammaTailAbove", f"Coefficients of the numerator for z^2 (digamma(z + 1/2) - log(z)) in z^2, for z >= 7.5. {error}",
          above[::-1])
    array("kDigammaTailBelow", "Coefficients of its denominator.", below[::-1])
    rational("kCotangentPi", "pi f cot(pi f) / (1/4 - f^2) in f^2, for |f| <= 1/2.",
             cotangent_quotient, 0, mp.mpf("0.25"), 4, 3)

    rest = mp.pi / 2
    parts = []
    for bits in (38, 77, None):
        value = mp.floor(rest * mp.mpf(2)**bits) / mp.mpf(2)**bits if bits else rest
        parts.append(value)
        rest -= value
    array("kHalfPi", "Three parts of 39, 39 and 53 bits whose sum is pi/2.", parts)

    high = mp.floor(mp.mpf(2)**54 / mp.pi) / mp.mpf(2)**54
    array("kInversePi", "1/pi in two positive parts.", [high, 1 / mp.pi - high])

    # 2/pi 2^(26 j) mod 4, in three parts of 29, 29 and 53 bits.
    parts = [[], [], []]
    for j in range(4):
        rest = mp.mpf(2) / mp.pi * mp.mpf(2)**(26 * j)
        rest -= 4 * mp.floor(rest / 4)
        for part, bits in zip(parts, (27, 56, None)):
            value = mp.floor(rest * mp.mpf(2)**bits) / mp.mpf(2)**bits if bits else rest
            part.append(value)
            rest -= value
    for number, part in enumerate(parts):
        array(f"kTwoOverPi{number}", f"Part {number} of the bits of 2/pi 2^(26 j) mod 4, for j = 0 to 3.", part)


header("float_coefficients.py", tables)
