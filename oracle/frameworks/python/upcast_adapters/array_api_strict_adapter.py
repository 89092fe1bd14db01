"""array-api-strict: what the Python array API standard promises, and nothing more."""

import array_api_strict as xp
import numpy as np

from upcast_adapters.framework import Framework
from upcast_adapters.numpy_adapter import NAMES, array
from upcast_protocol import Skipped

DTYPES = {name: getattr(xp, name) for name in NAMES if hasattr(xp, name)}


class Adapter(Framework):
    name, version, dtypes = "array-api-strict", xp.__version__, list(DTYPES)

    def __init__(self):
        np.seterr(all="ignore")
        super().__init__("array_api_strict", {"xp": xp})
        self.versions = {"numpy": np.__version__, "array-api": xp.__array_api_version__}
        self.names = {dtype: name for name, dtype in DTYPES.items()}

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        return xp.asarray(array(dtype, shape, strides, offset, buffer))

    def dtype(self, name):
        return DTYPES[name]

    def result(self, value):
        if isinstance(value, bool):
            value = xp.asarray(value)
        if not hasattr(value, "shape"):
            return self.name_of(value), None
        return (self.name_of(value.dtype), value.shape), np.asarray(value._array).tobytes()

    def name_of(self, dtype):
        if dtype not in self.names:
            raise Skipped(f"the result has the dtype {dtype}, which upcast does not have")
        return self.names[dtype]

    def describe(self, key):
        return key if isinstance(key, str) else (*key, None)
