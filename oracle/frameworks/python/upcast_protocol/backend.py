"""The base class of backends: an implementation's description, and its functions."""

import inspect

from upcast_protocol.tensor import Tensor


class Refused(Exception):
    """Raised by an operator that does not take these operands. A refusal is an answer like any other."""


class Skipped(Exception):
    """Raised for a case that the backend does not support. The case is not judged, for the reason in the text."""


class Backend:
    """The base of a backend. A subclass sets `name`, `version` and `functions`. If it has tensors of its own, it
    also defines `tensor` and `result`."""

    name = "unnamed"
    version = "0"
    versions = {}            # versions of the backend's parts: {"python": "3.11.7"}
    functions = {}           # {op: f(*args, **named)}, functional forms; multiply.Tensor is asked of "mul"
    dtypes = None            # names of the dtypes that the backend supports; None: all
    forms = ("functional", "in_place", "out")  # the forms that any op may have
    devices = ("cpu",)
    # None, or for a backend that answers many calls at once: f(asked), a generator. `asked` are functions that return
    # (function, args, named, out) or raise. For each, in order, f yields a function that returns the result or raises.
    together = None
    # Whether results may be operands of later calls. None: no. "rounded": they are rounded to their dtype first.
    # "fused": they may have more digits than their dtype.
    chains = None
    batch = 512              # how many cases `together` is to be asked at once; at most 512
    # The exceptions that count as refusals. Any other exception is an error of the backend.
    refusals = (TypeError, ValueError, OverflowError, ArithmeticError, NotImplementedError, RuntimeError)

    def ops(self):
        """{op: its forms} of the ops that the backend answers; other ops are not asked. None: every op is asked, in
        `forms`."""
        return {op: ["functional"] for op in self.functions}

    def function(self, op, callable_name, form):
        """Returns f(args, named, out), which makes calls of an op in one form. `out` is empty in the functional
        form; else it is the operand that is written in place, or the out operands. Raises Skipped if there is no
        such function."""
        if form != "functional":
            raise Skipped(f"no such form: {form}")
        alias = callable_name.partition(".")[0]
        plain = self.functions[alias if alias in self.functions else op]
        known = inspect.signature(plain).parameters

        def call(args, named, out):
            for name in named:
                if name not in known:
                    raise Skipped(f"no such attribute: {name}")
            return plain(*args, **named)

        return call

    def set_default_dtype(self, dtype):
        """Returns whether the backend can use this default dtype. The base class accepts float32 only, which is
        PyTorch's own."""
        return dtype == "float32"

    def storage(self, data, device):
        """Makes the buffer that tensor() gets, from the bytes that operands share. It is called once for all calls that
        only read the bytes, and once for each call that writes them: `data` is then a bytearray."""
        return data

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        """Makes an operand over `buffer`; strides and offset are in elements. The operand may keep the buffer. It
        may write to the buffer only if the call writes this operand. `device` is None if the case does not say
        where the operand lies."""
        return Tensor(dtype, shape, strides, offset, buffer)

    def undefined(self):
        """Makes an operand that is an undefined tensor. The base class has none, so it skips the case."""
        raise Skipped("no undefined tensors")

    def dtype(self, name):
        """Makes an operand that is a dtype."""
        return name

    def result(self, value):
        """What a result is, as (key, bytes in logical order). describe() explains the key. The bytes may be None if
        only dtype and shape are known."""
        return (value.dtype, tuple(value.shape), tuple(value.strides)), value.tobytes()

    def describe(self, key):
        """Explains a key of result(): (dtype, shape, strides in elements), with None for no strides. A dtype alone
        means that the result is a dtype. Each key is asked once."""
        return key
