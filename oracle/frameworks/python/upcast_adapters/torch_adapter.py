"""PyTorch of any version, by ATen's names: no table is needed. via=refs: torch._refs, its own reference in Python;
via=compile: torch.compile; device=DEVICE: where the tensors lie."""

import importlib

import torch

from upcast_protocol import Backend, Skipped
from upcast_protocol.tensor import DTYPES as NAMES

DTYPES = {name: getattr(torch, name) for name in NAMES if hasattr(torch, name)}
OF_DTYPES = ("result_type", "promote_types", "can_cast")
DEFAULTS = ("float32", "float64", "float16", "bfloat16")


class Adapter(Backend):
    settings = ("via", "device")
    name, version, dtypes, forms = "torch", torch.__version__, list(DTYPES), ("functional", "in_place", "out")

    def __init__(self, via="eager", device="cpu"):
        if via not in ("eager", "refs", "compile"):
            raise SystemExit(f"via={via} is not one of eager, refs, compile")
        self.via, self.device = via, device
        self.last = (None, None)  # a buffer and its storage
        self.versions = {"torch.via": via, "torch.device": device}
        self.names = {dtype: name for name, dtype in DTYPES.items()}
        torch.set_num_threads(1)
        if via == "refs":
            self.refs = importlib.import_module("torch._refs")
            self.forms = ("functional", "out")

    def ops(self):
        return None  # asked for each, it says which it lacks

    def set_default_dtype(self, dtype):
        if dtype not in DEFAULTS:
            return False
        torch.set_default_dtype(DTYPES[dtype])
        return True

    def function(self, op, callable_name, form):
        name, _, overload = callable_name.partition(".")
        if self.via == "refs":
            function = getattr(self.refs, op, None)
        else:
            function = getattr(getattr(torch.ops.aten, name, None), overload or "default", None)
        if op in OF_DTYPES:
            function = getattr(torch, op)  # torch.ops would give a dtype's number
        if function is None:
            raise Skipped("no such op")
        if self.via == "compile":
            function = torch.compile(function, dynamic=False)

        def call(args, named, out):
            if form == "out":
                named = {**named, **self.outs(function, out)}
            try:
                return function(*args, **named)
            except RuntimeError as why:
                if "Expected a value of type 'Tensor" in str(why):
                    raise Skipped("Python passes no number as a tensor here") from None
                raise

        return call

    def outs(self, function, out):
        """By the names of the schema: out, or mantissa and exponent."""
        if self.via == "refs":
            return {"out": out[0] if len(out) == 1 else tuple(out)}
        names = [argument.name for argument in function._schema.arguments if argument.is_out]
        return dict(zip(names, out))

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        storage = self.storage(buffer).to(self.device if device == "cpu" else device)
        return storage.view(DTYPES[dtype]).as_strided(shape, strides, offset)

    def storage(self, buffer):
        """Its bytes; operands that share a buffer share a storage, which is how torch knows that they overlap."""
        if len(buffer) == 0:
            return torch.empty(0, dtype=torch.uint8)
        if self.last[0] is not buffer:  # one that is only read is not writable, which torch would warn of
            writable = buffer if isinstance(buffer, bytearray) else bytearray(buffer)
            self.last = (buffer, torch.frombuffer(writable, dtype=torch.uint8))
        return self.last[1]

    def dtype(self, name):
        return DTYPES[name]

    def result(self, value):
        if isinstance(value, torch.dtype):
            return value, None
        if not isinstance(value, torch.Tensor):
            value = torch.tensor(value)
        data = value.detach().resolve_conj().resolve_neg().cpu().contiguous().reshape(-1).view(torch.uint8)
        return (value.dtype, tuple(value.shape), value.stride()), data.numpy().tobytes()

    def describe(self, key):
        dtype = key if isinstance(key, torch.dtype) else key[0]
        if dtype not in self.names:
            raise Skipped(f"the result has torch's dtype {dtype}, which is none of ours")
        return self.names[dtype] if isinstance(key, torch.dtype) else (self.names[dtype], *key[1:])
