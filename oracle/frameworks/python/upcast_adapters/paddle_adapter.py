"""PaddlePaddle in eager mode, on the CPU. By default it is asked by Python's operators (x + y); with via=api, by its
functions (paddle.add)."""

import operator
import os

os.environ["GLOG_minloglevel"] = "2"
import numpy as np  # noqa: E402
import paddle  # noqa: E402

from upcast_adapters.framework import Framework  # noqa: E402
from upcast_adapters.numpy_adapter import array  # noqa: E402
from upcast_protocol import Skipped  # noqa: E402

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
         "complex128"]
OURS = {getattr(paddle, name): name for name in NAMES}


class Adapter(Framework):
    settings = ("via",)
    name, version, dtypes = "paddle", paddle.__version__, NAMES
    # Paddle raises AttributeError for a number where it looks for a tensor's shape.
    refusals = (*Framework.refusals, AttributeError)

    def __init__(self, via="operator"):
        if via not in ("operator", "api"):
            raise SystemExit(f"via={via} is not one of operator, api")
        paddle.set_device("cpu")
        modules = {"paddle": paddle, "functional": paddle.nn.functional}
        super().__init__("paddle", {**modules, "operator": operator if via == "operator" else Functions})
        self.versions = {"paddle.via": via}

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        if dtype == "bfloat16":  # NumPy lacks the dtype: the bits are used
            return paddle.to_tensor(array("int16", shape, strides, offset, buffer)).view("bfloat16")
        return paddle.to_tensor(array(dtype, shape, strides, offset, buffer))

    def dtype(self, name):
        return getattr(paddle, name)

    def result(self, value):
        if not isinstance(value, paddle.Tensor):
            value = paddle.to_tensor(value)
        return (value.dtype, tuple(value.shape)), np.ascontiguousarray(value.numpy()).tobytes()

    def describe(self, key):
        if key[0] not in OURS:
            raise Skipped(f"the result has Paddle's dtype {key[0]}, which upcast does not have")
        return OURS[key[0]], key[1], None


class Functions:
    """Paddle's functions, by the names of Python's operators that give the same results."""

    add, sub, mul, truediv = paddle.add, paddle.subtract, paddle.multiply, paddle.divide
    floordiv, mod, pow = paddle.floor_divide, paddle.remainder, paddle.pow
    eq, ne, lt, le = paddle.equal, paddle.not_equal, paddle.less_than, paddle.less_equal
    gt, ge = paddle.greater_than, paddle.greater_equal
    and_, or_, xor = paddle.bitwise_and, paddle.bitwise_or, paddle.bitwise_xor
