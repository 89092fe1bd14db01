"""The base class of backends: an implementation's description, and its functions."""

import inspect

from upcast_protocol.tensor import Tensor


class Refused(Exception):
    """The operator does not take these operands: an answer like any other."""


class Skipped(Exception):
    """The backend does not support the case: it is not judged, for this reason."""


class Backend:
    """Subclass it: `name`, `version`, `functions`, and where its tensors are its own `tensor` and `result`."""

    name = "unnamed"
    version = "0"
    versions = {}            # versions of its parts: {"python": "3.11.7"}
    functions = {}           # {op: f(*args, **named)}, the functional form; "mul" is asked multiply.Tensor too
    dtypes = None            # names of the dtypes that it has; None: all
    forms = ("functional", "in_place", "out")  # the forms that any op may have
    devices = ("cpu",)
    # f(asked) of a backend that answers many calls at once: `asked` are functions that give (function, args, named, out) or
    # raise, and it yields for each, in order, a function that gives the result or raises.
    together = None
    # Whether results may be operands. None: no; "rounded": they are rounded to their dtype first; "fused": they may
    # have more digits.
    chains = None
    batch = 512              # cases that `together` wants to be asked at once; at most 512
    # Exceptions that are refusals. Any other one is an error of the backend.
    refusals = (TypeError, ValueError, OverflowError, ArithmeticError, NotImplementedError, RuntimeError)

    def ops(self):
        """{op: forms}; an op that is not in it is not asked. None: all are, in `forms`."""
        return {op: ["functional"] for op in self.functions}

    def function(self, op, callable_name, form):
        """f(args, named, out) of a form of an op. `out`: [] in the functional form, the operand that is written in
        place, or the out operands. Raises Skipped."""
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
        """Returns whether the backend can use this default dtype. The base class can use PyTorch's own, float32, only."""
        return dtype == "float32"

    def storage(self, data, device):
        """Makes the buffer that tensor() gets, from the bytes that operands share. It is called once for all calls that
        only read the bytes, and once for each call that writes them: `data` is then a bytearray."""
        return data

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        """An operand over `buffer`: strides and offset in elements. It may keep the buffer, and write to it only where
        the call writes this operand. `device` is None where the case does not say where it lies."""
        return Tensor(dtype, shape, strides, offset, buffer)

    def undefined(self):
        """An operand that is an undefined tensor."""
        raise Skipped("no undefined tensors")

    def dtype(self, name):
        """An operand that is a dtype."""
        return name

    def result(self, value):
        """(key, bytes in logical order) of a result; the bytes may be None where only dtype and shape are known."""
        return (value.dtype, tuple(value.shape), tuple(value.strides)), value.tobytes()

    def describe(self, key):
        """(dtype, shape, strides in elements, or None for none) of a key; asked once a key. A dtype alone: the result is
        a dtype."""
        return key
