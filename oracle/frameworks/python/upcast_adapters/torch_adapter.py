"""PyTorch of any version, by ATen's names: no table is needed. device=DEVICE: where the tensors lie, such as a backend of
one's own; via=refs: torch._refs, its own reference in Python; via=compile: torch.compile."""

import importlib

import torch

from upcast_adapters.torch_backend import NUMBERS, TorchBackend, refuses_number
from upcast_protocol import Skipped

OF_DTYPES = ("result_type", "promote_types", "can_cast")


class Adapter(TorchBackend):
    settings = ("via", "device")
    name, version, forms = "torch", torch.__version__, ("functional", "in_place", "out")

    def __init__(self, via="eager", device="cpu"):
        if via not in ("eager", "refs", "compile"):
            raise SystemExit(f"via={via} is not one of eager, refs, compile")
        super().__init__(device, trusted=device == "cpu" or via != "eager")
        self.via = via
        self.versions["torch.via"] = via
        if via == "refs":
            self.refs = importlib.import_module("torch._refs")
            self.forms = ("functional", "out")

    def ops(self):
        return None  # asked for each, it says which it lacks

    def undefined(self):
        return None  # which torch hands to ATen as an undefined tensor

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
            except (RuntimeError, TypeError) as why:
                if refuses_number(why):
                    raise Skipped(NUMBERS) from None
                raise

        return self.watched(call)

    def outs(self, function, out):
        """By the names of the schema: out, or mantissa and exponent."""
        if self.via == "refs":
            return {"out": out[0] if len(out) == 1 else tuple(out)}
        names = [argument.name for argument in function._schema.arguments if argument.is_out]
        return dict(zip(names, out))
