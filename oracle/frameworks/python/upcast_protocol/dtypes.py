"""Elements of every dtype: bytes as Python numbers, and numbers as bytes the way that PyTorch converts them.

Integers wrap. A floating value rounds once, to nearest. A value beyond the largest finite one becomes what the
format has there: an infinity, a NaN, or that largest value. A floating value that an integer cannot hold, and NaN,
becomes what PyTorch's conversion gives on x86. A real dtype takes the real part of a complex number.
"""

import math
import operator
import struct


def _real(value):
    """A number that is not complex, as a Python int or float."""
    value = value if hasattr(value, "__index__") else value.real
    return operator.index(value) if hasattr(value, "__index__") else float(value)


def _as_float(value):
    """A float that rounds to a narrower format as the number itself does. An integer of more than 53 bits keeps its
    leading 53 bits. The last of them is set if any dropped bit was set, so that ties are still told apart."""
    if isinstance(value, float):
        return value
    dropped = max(abs(value).bit_length() - 53, 0)
    kept = abs(value) >> dropped
    if kept << dropped != abs(value):
        kept |= 1
    size = math.ldexp(kept, dropped) if dropped < 1024 - 53 else math.inf
    return -size if value < 0 else size


class Bool:
    size = 1

    def read(self, buffer, at):
        return buffer[at] != 0

    def write(self, buffer, at, value):
        buffer[at] = bool(value)  # NaN is true, and so is a complex number with a part other than 0


class Integer:
    def __init__(self, letter):
        self.struct, self.size = struct.Struct("<" + letter), struct.calcsize("<" + letter)
        self.is_signed = letter.islower()
        # The width in bits of the integer to which x86 converts first.
        self.through = 32 if self.is_signed and self.size <= 4 or self.size == 2 else 64

    def read(self, buffer, at):
        return self.struct.unpack_from(buffer, at)[0]

    def _truncated(self, value):
        bound = 1 << (self.through - 1)
        if math.isfinite(value) and -bound <= int(value) < (2 * bound if self.size == 8 and not self.is_signed else bound):
            return int(value)
        return -bound

    def write(self, buffer, at, value):
        value = _real(value)
        bits = 8 * self.size
        value = (value if isinstance(value, int) else self._truncated(value)) % (1 << bits)
        self.struct.pack_into(buffer, at, value - (1 << bits) if self.is_signed and value >> (bits - 1) else value)


class Float:
    """A floating format that Python's struct module can read and write."""

    def __init__(self, letter):
        self.struct, self.size = struct.Struct("<" + letter), struct.calcsize("<" + letter)
        self.is_narrow = self.size < 8

    def read(self, buffer, at):
        return self.struct.unpack_from(buffer, at)[0]

    def write(self, buffer, at, value):
        value = _real(value)
        try:
            self.struct.pack_into(buffer, at, _as_float(value) if self.is_narrow else float(value))
        except OverflowError:
            self.struct.pack_into(buffer, at, math.inf if value > 0 else -math.inf)


class Packed:
    """A narrow floating format by its parameters, which are those of impl/core/packed_float.h. `overflow`: the code
    for values beyond the largest finite one."""

    def __init__(self, exponent_bits, mantissa_bits, bias, largest, overflow, nan, has_negative_zero=True):
        self.mantissa_bits, self.bias = mantissa_bits, bias
        self.largest, self.overflow, self.nan = largest, overflow, nan
        self.sign = 1 << (exponent_bits + mantissa_bits)
        self.has_negative_zero = has_negative_zero
        self.size = (exponent_bits + mantissa_bits + 1) // 8

    def decoded(self, code):
        magnitude = code & (self.sign - 1)
        sign = -1.0 if code & self.sign else 1.0
        if magnitude > self.largest or code == self.nan:
            return sign * math.inf if magnitude == self.overflow else math.copysign(math.nan, sign)
        fraction, exponent = magnitude & ((1 << self.mantissa_bits) - 1), magnitude >> self.mantissa_bits
        significand = fraction | 1 << self.mantissa_bits if exponent else fraction
        return sign * math.ldexp(significand, max(exponent, 1) - self.bias - self.mantissa_bits)

    def encoded(self, value):
        if math.isnan(value):
            return self.nan
        sign = self.sign if math.copysign(1, value) < 0 else 0
        code = self._magnitude(abs(value))
        if code == self.nan or (code == 0 and not self.has_negative_zero):
            return code
        return sign | code

    def _magnitude(self, value):
        if value == 0 or math.isinf(value):
            return self.overflow if value else 0
        lowest = 1 - self.bias  # the exponent of the smallest normal number, which subnormal numbers share
        exponent = max(math.frexp(value)[1] - 1, lowest)
        significand = round(math.ldexp(value, self.mantissa_bits - exponent))
        # The leading one of the significand adds 1 to the exponent's bits.
        code = significand + ((exponent - lowest) << self.mantissa_bits)
        return code if code <= self.largest else self.overflow

    def read(self, buffer, at):
        return self.decoded(int.from_bytes(buffer[at:at + self.size], "little"))

    def write(self, buffer, at, value):
        buffer[at:at + self.size] = self.encoded(_as_float(_real(value))).to_bytes(self.size, "little")


class PowerOfTwo:
    """float8_e8m0fnu, which has neither a sign nor a zero. A tie between two powers goes up. Values below the
    smallest power become that power."""

    size = 1
    nan = 0xff

    def read(self, buffer, at):
        return math.nan if buffer[at] == self.nan else math.ldexp(1, buffer[at] - 127)

    def write(self, buffer, at, value):
        value = abs(_as_float(_real(value)))
        fraction, exponent = math.frexp(value)  # the fraction is at least 0.5 and less than 1
        code = max(exponent + 126 + (fraction >= 0.75), 0) if value >= 2**-127 else 0
        buffer[at] = code if math.isfinite(value) and code < self.nan else self.nan


class Complex:
    def __init__(self, part):
        self.part, self.size = part, 2 * part.size

    def read(self, buffer, at):
        return complex(self.part.read(buffer, at), self.part.read(buffer, at + self.part.size))

    def write(self, buffer, at, value):
        self.part.write(buffer, at, value.real)
        self.part.write(buffer, at + self.part.size, value.imag)


_float16, _float32, _float64 = Float("e"), Float("f"), Float("d")
_bfloat16 = Packed(8, 7, 127, largest=0x7f7f, overflow=0x7f80, nan=0x7fc0)

DTYPES = {
    "bool": Bool(), "uint8": Integer("B"), "int8": Integer("b"), "int16": Integer("h"), "int32": Integer("i"),
    "int64": Integer("q"), "uint16": Integer("H"), "uint32": Integer("I"), "uint64": Integer("Q"), "float16": _float16,
    "float32": _float32, "float64": _float64, "complex64": Complex(_float32), "complex128": Complex(_float64),
    "bfloat16": _bfloat16, "complex32": Complex(_float16), "bcomplex32": Complex(_bfloat16),
    "float8_e5m2": Packed(5, 2, 15, largest=0x7b, overflow=0x7c, nan=0x7f),
    # Values beyond 448 become 448, as in PyTorch 2.15.
    "float8_e4m3fn": Packed(4, 3, 7, largest=0x7e, overflow=0x7e, nan=0x7f),
    "float8_e5m2fnuz": Packed(5, 2, 16, largest=0x7f, overflow=0x80, nan=0x80, has_negative_zero=False),
    "float8_e4m3fnuz": Packed(4, 3, 8, largest=0x7f, overflow=0x80, nan=0x80, has_negative_zero=False),
    "float8_e8m0fnu": PowerOfTwo(),
}
