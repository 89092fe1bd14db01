"""NumPy."""

import numpy as np

from upcast_adapters.framework import Framework
from upcast_protocol import Skipped

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32", "float64",
         "complex64", "complex128"]
OURS = {np.dtype(name): name for name in NAMES}


def array(dtype, shape, strides, offset, buffer):
    """An ndarray over a buffer; strides and offset in elements."""
    dtype = np.dtype(dtype)
    size = dtype.itemsize
    return np.ndarray(shape, dtype, buffer, offset * size, [stride * size for stride in strides])


class Adapter(Framework):
    name, version, dtypes = "numpy", np.__version__, NAMES

    def __init__(self):
        np.seterr(all="ignore")
        super().__init__("numpy", {"np": np})

    def forms_of(self, entry):
        writes = all(isinstance(function, np.ufunc) for function in entry.functions.values())
        return ["functional", "in_place", "out"] if writes else ["functional"]

    def call(self, function, args, named, out):
        return function(*args, **named, out=tuple(out)) if out else function(*args, **named)

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        return array(dtype, shape, strides, offset, buffer)

    def dtype(self, name):
        return np.dtype(name)

    def result(self, value):
        if type(value) is not np.ndarray:
            if isinstance(value, np.dtype):
                return value, None
            value = np.asarray(value)
        return (value.dtype, value.shape, value.strides), value.tobytes()

    def describe(self, key):
        if isinstance(key, np.dtype):
            return self.our_name(key)
        dtype, shape, strides = key
        return self.our_name(dtype), shape, [stride // dtype.itemsize for stride in strides]

    @staticmethod
    def our_name(dtype):
        if dtype not in OURS:
            raise Skipped(f"the result has NumPy's dtype {dtype}, which upcast does not have")
        return OURS[dtype]
