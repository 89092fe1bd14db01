"""A strided tensor over bytes, for backends without tensors of their own."""

import itertools
import math

from upcast_protocol.dtypes import DTYPES


def contiguous_strides(shape):
    """Row-major strides in elements; a size of 0 counts as 1."""
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * max(shape[d + 1], 1)
    return strides


class Tensor:
    """A tensor over `buffer`; `shape`, `strides` and `offset` count elements of `dtype`."""

    def __init__(self, dtype, shape, strides=None, offset=0, buffer=None):
        self.dtype, self.shape, self.offset = dtype, list(shape), offset
        self.strides = contiguous_strides(shape) if strides is None else list(strides)
        self._element = DTYPES[dtype]
        self._size = self._element.size
        self.buffer = bytearray(math.prod(shape) * self._size) if buffer is None else buffer

    def _places(self):
        """The place in the buffer, in bytes, of each element in logical order."""
        for index in itertools.product(*map(range, self.shape)):
            yield (self.offset + sum(i * s for i, s in zip(index, self.strides))) * self._size

    def values(self):
        """The elements as Python numbers, in logical order."""
        return [self._element.read(self.buffer, at) for at in self._places()]

    def set_values(self, values):
        """Sets the elements, in logical order. Each number is converted as PyTorch does: 1e39 is infinite in
        float32, 300 is 44 in uint8."""
        for at, value in zip(self._places(), values):
            self._element.write(self.buffer, at, value)

    @classmethod
    def of(cls, dtype, shape, values):
        tensor = cls(dtype, shape)
        tensor.set_values(values)
        return tensor

    def tobytes(self):
        """The bytes of the elements, in logical order and without gaps."""
        return b"".join(bytes(self.buffer[at:at + self._size]) for at in self._places())
