"""Tests that tensors of the Python package hold every dtype up to its limits: tensor_test.py UPCAST SOURCE."""

import math
import os
import pathlib
import subprocess
import sys
import unittest

UPCAST, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PACKAGE = str(SOURCE / "oracle/frameworks/python")
sys.path.insert(0, PACKAGE)
from upcast_protocol import Tensor  # noqa: E402
from upcast_protocol.tensor import DTYPES  # noqa: E402

# The limits of each dtype: (its least number, its largest one).
LIMITS = {
    "bool": (0, 1), "uint8": (0, 255), "int8": (-128, 127), "int16": (-2**15, 2**15 - 1), "int32": (-2**31, 2**31 - 1),
    "int64": (-2**63, 2**63 - 1), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1), "uint64": (0, 2**64 - 1),
    **{name: (-largest, largest) for name, largest in {
        "float16": 65504, "float32": (2 - 2**-23) * 2.0**127, "float64": sys.float_info.max, "bfloat16": (2 - 2**-7) * 2.0**127,
        "complex32": 65504, "complex64": (2 - 2**-23) * 2.0**127, "complex128": sys.float_info.max,
        "bcomplex32": (2 - 2**-7) * 2.0**127, "float8_e5m2": 57344, "float8_e4m3fn": 448, "float8_e5m2fnuz": 57344,
        "float8_e4m3fnuz": 240}.items()},
    "float8_e8m0fnu": (2.0**-127, 2.0**127),
}
# For dtypes without infinity: the result of storing a number far above the largest one.
BEYOND = {"float8_e4m3fn": 448, "float8_e5m2fnuz": math.nan, "float8_e4m3fnuz": math.nan, "float8_e8m0fnu": math.nan}


def is_integral(dtype):
    return "int" in dtype or dtype == "bool"


def stored(dtype, value):
    return Tensor.of(dtype, [1], [value]).values()[0]


class Limits(unittest.TestCase):
    def same(self, found, expected, what):
        self.assertEqual(repr(found), repr(type(found)(expected)), what)

    def test_every_dtype_has_limits_here(self):
        self.assertEqual(set(LIMITS), set(DTYPES))

    def test_limits_stay(self):
        for dtype, limits in LIMITS.items():
            for limit in limits:
                self.same(stored(dtype, limit), limit, dtype)

    def test_floating_numbers_beyond_overflow(self):
        for dtype in DTYPES:
            if is_integral(dtype):
                continue
            beyond = BEYOND.get(dtype, math.inf)
            # These numbers are beyond the range of floats that are finite: a float, infinity, and integers that no
            # float holds.
            for number in (sys.float_info.max, math.inf, 2**1000, 10**400):
                if LIMITS[dtype][1] == sys.float_info.max and number in (sys.float_info.max, 2**1000):
                    continue
                self.same(stored(dtype, number), beyond, f"{dtype} {number!r:.20}")
                if dtype != "float8_e8m0fnu":  # has no sign
                    negative = stored(dtype, -number).real
                    self.assertTrue(negative == -beyond or math.isnan(negative) and math.isnan(beyond), dtype)

    def test_the_number_of_the_issue(self):
        self.same(stored("float32", 1e39), math.inf, "")
        self.same(stored("complex64", complex(1e39, -1e39)), complex(math.inf, -math.inf), "")

    def test_ties_round_to_even_beyond_the_largest_one(self):
        for dtype, half in {"float16": 65520, "float32": 2.0**128 - 2.0**103, "bfloat16": 2.0**128 - 2.0**119,
                            "float8_e5m2": 61440}.items():
            self.same(stored(dtype, half), math.inf, dtype)
            self.same(stored(dtype, math.nextafter(half, 0)), LIMITS[dtype][1], dtype)

    def test_integers_wrap(self):
        for dtype, (least, largest) in LIMITS.items():
            if not is_integral(dtype) or dtype == "bool":
                continue
            self.same(stored(dtype, largest + 1), least, dtype)
            self.same(stored(dtype, least - 1), largest, dtype)
            self.same(stored(dtype, 5 * 2**64 + 3), 3, dtype)

    def test_integers_round_once(self):
        """2^60 + 2^36 + 1 lies just above the middle between two float32. Rounded to float64 first, it would be the
        middle, a tie."""
        self.same(stored("float32", 2**60 + 2**36 + 1), 2.0**60 + 2.0**37, "")
        self.same(stored("float32", 2**60 + 2**36), 2.0**60, "a control: the middle")
        self.same(stored("bfloat16", -(2**60 + 2**52 + 1)), -(2.0**60 + 2.0**53), "")

    def test_what_no_integer_holds(self):
        for dtype, found in {"int64": -2**63, "int32": -2**31, "int16": 0, "int8": 0, "uint8": 0, "uint64": 2**63}.items():
            for value in (math.nan, math.inf, 1e300):
                self.same(stored(dtype, value), found, f"{dtype} {value}")

    def test_the_real_part(self):
        self.same(stored("int8", 3 + 4j), 3, "")
        self.same(stored("float32", 1e39 + 4j), math.inf, "")
        self.same(stored("bool", 4j), True, "")

    def test_nan_and_zeros(self):
        for dtype in DTYPES:
            if is_integral(dtype):
                continue
            self.assertTrue(math.isnan(stored(dtype, math.nan).real), dtype)
            if dtype != "float8_e8m0fnu":
                sign = math.copysign(1, stored(dtype, -0.0).real)
                self.assertEqual(sign, 1 if dtype.endswith("uz") else -1, dtype)


class Conversions(unittest.TestCase):
    def copied(self, process):
        lines = [f"copy_({to}[60], {source}[60], values={values})" for to in DTYPES for source in DTYPES
                 for values in ("special", "random")]
        side = f"process:{sys.executable} {SOURCE}/oracle/protocol/testing/{process}.py"
        return subprocess.run([UPCAST, "run", "--cases", "/dev/stdin", "--subject", side, "--oracle", "impl:cpu"],
                              input="\n".join(lines), env={**os.environ, "PYTHONPATH": PACKAGE}, capture_output=True,
                              text=True, check=False)

    def test_every_dtype_becomes_every_other_as_in_our_implementation(self):
        ended = self.copied("copies")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("968 ran", ended.stdout)
        self.assertNotEqual(self.copied("echo").returncode, 0, "a control: the echo leaves what is there")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
