#!/usr/bin/env python3
"""Writes impl/math/double_bessel_coefficients.h, the polynomials of double_bessel.h. Needs mpmath.

    python3 impl/math/generate/double_bessel_coefficients.py > impl/math/double_bessel_coefficients.h
    clang-format -i impl/math/double_bessel_coefficients.h
"""
import mpmath as mp

from fit import array, header, polynomial
from float_bessel_coefficients import TINY, without_zeros

LIMIT = 5
CENTRE = mp.mpf(LIMIT**2) / 2


def tables():
    for order in (0, 1):
        value = without_zeros(order)[1]
        name = f"kBesselJ{order}"
        of_offset = lambda w: value(max(w + CENTRE, TINY))
        middle, slope = of_offset(0), mp.diff(of_offset, 0)
        parts = [part for x in (middle, slope) for part in (mp.mpf(float(x)), x - mp.mpf(float(x)))]
        array(f"{name}Middle", f"J{order} without its first two zeros, and its slope, where x^2 is {mp.nstr(CENTRE)}, in two "
              "parts each.", parts)
        polynomial(f"{name}Bend", f"J{order} without its first two zeros, less its tangent there, divided by w^2, in w = x^2 - "
                   f"{mp.nstr(CENTRE)}, for |x| <= {LIMIT}.",
                   lambda w: ((of_offset(w) - middle - slope * w) / w**2 if abs(w) > TINY**0.5
                              else mp.diff(of_offset, 0, 2) / 2), -CENTRE, CENTRE, 10)


header("double_bessel_coefficients.py", tables)
