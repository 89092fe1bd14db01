"""Kernels as functions: module=MODULE, where MODULE.kernels maps names of overloads to callables over tensors of
torch.

    kernels = {"add.Tensor": add, "neg": neg, "add_.Tensor": add_in_place, "add.out": add_out}

A name is one of ATen's: of one overload, or without a dot of all overloads of that name and form. A kernel is called
with the schema's arguments, attributes by name: add(self, other, alpha=2). If a case passes a number for a tensor,
the kernel gets a Python number. A kernel whose name ends with an underscore writes and returns self. A kernel of an
out= overload writes and returns `out`. A kernel refuses operands by raising an exception. A call that a kernel does
not support yet is not judged: the kernel returns NotImplemented, or has no parameter of that name. device=DEVICE:
where the tensors lie.
"""

import difflib
import importlib
import inspect
import sys

import torch

from upcast_adapters.torch_backend import NUMBERS, TorchBackend, refuses_number
from upcast_adapters.torch_device import DeviceFailed
from upcast_protocol import Skipped
from upcast_protocol.server import one_line


class Overload:
    """One overload of ATen: its form, and the name of the functional overload of the same call."""

    def __init__(self, packet, name):
        schema = getattr(getattr(torch.ops.aten, packet), name)._schema
        self.name = packet if name == "default" else f"{packet}.{name}"
        self.outs = [each.name for each in schema.arguments if each.is_out]
        writes = any(each.alias_info is not None and each.alias_info.is_write for each in schema.arguments)
        self.form = "out" if self.outs else "in_place" if writes else "functional"
        self.parameters = [(each.name, str(each.type)) for each in schema.arguments if not each.is_out]
        self.takes_numbers = torch._C._should_allow_numbers_as_tensors(packet)
        self.functional = packet[:-1] if self.form == "in_place" and packet.endswith("_") else packet

    def has_number(self, args, named):
        """Whether a number is given for a tensor parameter, which Python cannot pass to PyTorch."""
        given = {**dict(zip((name for name, _ in self.parameters), args)), **named}
        return not self.takes_numbers and any(
            kind in ("Tensor", "Optional[Tensor]") and isinstance(given.get(name), (bool, int, float, complex))
            for name, kind in self.parameters)

    def twin(self):
        """The name of the functional overload with the same parameters, or None."""
        if self.form == "functional":
            return self.name
        twins = [each for each in overloads_of(self.functional) if each.form == "functional"]
        names = [each.name for each in twins if each.parameters == self.parameters]
        return names[0] if names else None


def overloads_of(packet):
    found = getattr(torch.ops.aten, packet, None) if packet.isidentifier() else None
    return [Overload(packet, name) for name in found.overloads()] if found is not None else []


def named_overloads(name):
    """The overloads that a name in `kernels` means. Ends the program if there are none."""
    packet, dot, overload = name.partition(".")
    found = [each for each in overloads_of(packet) if (each.name == name if dot else each.form != "out")]
    if not found:
        near = difflib.get_close_matches(name, [each.name for each in overloads_of(packet)] or dir(torch.ops.aten), 3)
        sys.exit(f"kernels has '{name}', which is not an overload of torch {torch.__version__}" +
                 (f"; did you mean {', '.join(near)}?" if near else ""))
    return found


class Adapter(TorchBackend):
    settings = ("module", "device")

    def __init__(self, module="", device="cpu"):
        if not module:
            sys.exit("python:functions needs a module: python:functions?module=my_kernels")
        try:
            loaded = importlib.import_module(module)
        except Exception as error:  # noqa: BLE001: a module may raise anything
            sys.exit(f"importing {module} fails: {one_line(error)}")
        kernels = getattr(loaded, "kernels", None)
        if not isinstance(kernels, dict) or not kernels or not all(map(callable, kernels.values())):
            sys.exit(f"{module}.kernels is not a dict from names of overloads to callables, such as {{'add.Tensor': add}}")
        self.name, self.version = module, str(getattr(loaded, "__version__", "0"))
        self.kernels, self.claimed = {}, {}
        for name in sorted(kernels, key=lambda each: "." in each):  # an overload's own kernel wins
            for overload in named_overloads(name):
                twin = overload.twin()
                if twin is not None:
                    self.kernels[overload.name] = overload, kernels[name]
                    self.claimed.setdefault(twin, set()).add(overload.form)
        super().__init__(device, trusted=False)

    def ops(self):
        return {name: sorted(forms) for name, forms in self.claimed.items()}

    def function(self, op, callable_name, form):
        if callable_name not in self.kernels:
            raise Skipped("no such op")
        overload, kernel = self.kernels[callable_name]
        try:
            taken = inspect.signature(kernel).parameters.values()
        except (TypeError, ValueError):
            taken = None  # a callable that is not written in Python may not tell its parameters
        takes_all = taken is None or any(each.kind is each.VAR_KEYWORD for each in taken)
        known = {each.name for each in taken or ()}

        def call(args, named, out):
            if overload.has_number(args, named):
                raise Skipped(NUMBERS)
            missing = [name for name in named if not takes_all and name not in known]
            if missing:
                raise Skipped(f"no such attribute: {missing[0]}")
            try:
                value = kernel(*args, **named, **dict(zip(overload.outs, out)))
            except (RuntimeError, TypeError) as why:
                if refuses_number(why):  # of a function of torch that the kernel calls
                    raise Skipped(NUMBERS) from None
                raise
            if value is NotImplemented:
                raise Skipped("the kernel says that this is not implemented")
            if out and value is None:
                return out[0] if len(out) == 1 else tuple(out)
            for each in value if isinstance(value, (tuple, list)) else (value,):
                if not isinstance(each, torch.Tensor):
                    raise DeviceFailed(f"the kernel returns {type(each).__name__}, not a tensor")
            return value

        return self.watched(call)
