#!/usr/bin/env python3
"""Writes impl/math/float_bessel_coefficients.h, the polynomials of float_bessel.h. Needs mpmath.

    python3 impl/math/generate/float_bessel_coefficients.py > impl/math/float_bessel_coefficients.h
    clang-format -i impl/math/float_bessel_coefficients.h
"""
import mpmath as mp

from fit import array, header, polynomial

LIMIT = 8  # from here on: amplitude and phase
TINY = mp.mpf("1e-30")  # in place of 0, where the formulas divide by 0


def without_zeros(order):
    """J(x) / ((z - a) (z - b)) as a function of z = x^2; J1 is divided by x too. a and b are the squares of the zeros."""
    squares = [mp.besseljzero(order, k)**2 for k in (1, 2)]

    def value(z):
        x = mp.sqrt(z)
        return mp.besselj(order, x) / x**order / ((z - squares[0]) * (z - squares[1]))
    return squares, value


def amplitude(order):
    """|H(x)| sqrt(pi x / 2) as a function of 1/x^2, where H is the Hankel function of the first kind."""
    return lambda w: abs(mp.hankel1(order, 1 / mp.sqrt(w))) * mp.sqrt(mp.pi / mp.sqrt(w) / 2)


def phase(order):
    """The angle of H(x) less x - (2 order + 1) pi/4, in quarter turns, times x, as a function of 1/x^2."""
    def value(w):
        x = 1 / mp.sqrt(w)
        turned = mp.hankel1(order, x) * mp.expj((2 * order + 1) * mp.pi / 4 - x)
        return mp.arg(turned) * x * 2 / mp.pi
    return value


def tables():
    for order in (0, 1):
        squares, value = without_zeros(order)
        name = f"kBesselJ{order}"
        high = [mp.mpf(float(z)) for z in squares]
        array(f"{name}Zeros", f"The squares of the first two positive zeros of J{order}, in two parts each.",
              [high[0], squares[0] - high[0], high[1], squares[1] - high[1]])
        polynomial(f"{name}Near", f"J{order} without its first two zeros, in x^2, for |x| <= {LIMIT}.", value, TINY, LIMIT**2, 12)
        polynomial(f"{name}Amplitude", f"the amplitude of J{order} times sqrt(pi x / 2), in 1/x^2, for x >= {LIMIT}.",
                   amplitude(order), TINY, mp.mpf(1) / LIMIT**2, 7)
        polynomial(f"{name}Phase", f"the phase of J{order} in quarter turns, less its limit, times x, in 1/x^2, for x >= {LIMIT}.",
                   phase(order), TINY, mp.mpf(1) / LIMIT**2, 10)


if __name__ == "__main__":
    header("float_bessel_coefficients.py", tables)
