"""A strided tensor over bytes, for backends that bring none of their own."""

import itertools
import math
import struct

# name: (bytes of an element, struct's letter, "" where struct has none)
DTYPES = {
    "bool": (1, "?"), "uint8": (1, "B"), "int8": (1, "b"), "int16": (2, "h"), "int32": (4, "i"), "int64": (8, "q"),
    "uint16": (2, "H"), "uint32": (4, "I"), "uint64": (8, "Q"), "float16": (2, "e"), "float32": (4, "f"),
    "float64": (8, "d"), "complex64": (8, "ff"), "complex128": (16, "dd"), "bfloat16": (2, ""), "complex32": (4, "ee"),
    "bcomplex32": (4, ""), "float8_e5m2": (1, ""), "float8_e4m3fn": (1, ""), "float8_e5m2fnuz": (1, ""),
    "float8_e4m3fnuz": (1, ""), "float8_e8m0fnu": (1, ""),
}


def contiguous_strides(shape):
    """In elements, row-major; a size of 0 counts as 1."""
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * max(shape[d + 1], 1)
    return strides


class Tensor:
    """`shape`, `strides` and `offset` in elements of `dtype`, over `buffer`."""

    def __init__(self, dtype, shape, strides=None, offset=0, buffer=None):
        self.dtype, self.shape, self.offset = dtype, list(shape), offset
        self.strides = contiguous_strides(shape) if strides is None else list(strides)
        size, self._letters = DTYPES[dtype]
        self.buffer = bytearray(math.prod(shape) * size) if buffer is None else buffer
        self._size = size

    def _places(self):
        """The byte of each element in logical order."""
        for index in itertools.product(*map(range, self.shape)):
            yield (self.offset + sum(i * s for i, s in zip(index, self.strides))) * self._size

    def values(self):
        """Python numbers, in logical order."""
        read = struct.Struct("<" + self._letters).unpack_from
        if len(self._letters) == 2:
            return [complex(*read(self.buffer, at)) for at in self._places()]
        return [read(self.buffer, at)[0] for at in self._places()]

    def _fitted(self, value):
        """As conversions of PyTorch do it: integers wrap, floating numbers overflow to infinity."""
        if self._letters in ("e", "f", "d"):
            try:
                struct.pack(self._letters, value)
            except OverflowError:
                return math.copysign(math.inf, value)
            return value
        if self._letters == "?":
            return bool(value)
        bits = 8 * self._size
        value = int(value) % (1 << bits)
        return value - (1 << bits) if self._letters.islower() and value >> (bits - 1) else value

    def set_values(self, values):
        """In logical order."""
        write = struct.Struct("<" + self._letters)
        for at, value in zip(self._places(), values):
            write.pack_into(self.buffer, at, *((value.real, value.imag) if len(self._letters) == 2 else (self._fitted(value),)))

    @classmethod
    def of(cls, dtype, shape, values):
        tensor = cls(dtype, shape)
        tensor.set_values(values)
        return tensor

    def tobytes(self):
        """The elements in logical order."""
        return b"".join(bytes(self.buffer[at:at + self._size]) for at in self._places())
