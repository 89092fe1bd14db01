"""Ways of PyTorch to make one call: eager, its references, its decompositions, and its transforms."""

import inspect

import torch
import torch.utils._pytree as pytree

from upcast_adapters.torch_adapter import choice
from upcast_adapters.torch_backend import NUMBERS, OF_DTYPES, TorchBackend, overload_of, refuses_number
from upcast_protocol import Skipped


class Eager(TorchBackend):
    settings = ("device",)
    name, version, forms = "torch", torch.__version__, ("functional", "in_place", "out")

    def __init__(self, device="cpu"):
        super().__init__(device, trusted=device == "cpu")
        # On another device calls are checked for stray writes, which needs the storages of operands; a chain's results
        # have none.
        self.chains = "rounded" if self.trusted else None

    def ops(self):
        return None  # without a list each op is asked for, and each call tells whether PyTorch lacks it

    def undefined(self):
        return None  # ATen takes None for an undefined tensor

    def callee(self, op, callable_name, form):
        """The function of PyTorch that makes the call; None if there is none."""
        # Functions of dtypes come from torch itself, because torch.ops would return the number of a dtype.
        return getattr(torch, op) if op in OF_DTYPES else overload_of(callable_name)

    def call(self, function, args, named):
        return function(*args, **named)

    def outs(self, function, out):
        """{the schema's name of an output: the tensor of `out`}. The schema's names are out, or mantissa and
        exponent."""
        names = [argument.name for argument in function._schema.arguments if argument.is_out]
        return dict(zip(names, out))

    def function(self, op, callable_name, form):
        function = self.callee(op, callable_name, form)
        if function is None:
            raise Skipped("no such op")

        def call(args, named, out):
            if form == "out":
                named = {**named, **self.outs(function, out)}
            try:
                value = self.call(function, args, named)
                return tuple(value) if isinstance(value, tuple) else value  # a named tuple becomes a plain one
            except (RuntimeError, TypeError) as why:
                if refuses_number(why):
                    raise Skipped(NUMBERS) from None
                raise

        return self.watched(call)


class OfTensors(Eager):
    """A way of PyTorch that takes calls with tensors only, on the CPU. `strides`: whether its results have the
    strides of eager's."""

    settings = ()
    strides = True

    def __init__(self):
        super().__init__()
        self.chains = None

    def callee(self, op, callable_name, form):
        if op in OF_DTYPES:
            raise Skipped("a call without tensors")
        return overload_of(callable_name)

    def function(self, op, callable_name, form):
        ask = super().function(op, callable_name, form)
        slots = [str(argument.type) == "Tensor" for argument in overload_of(callable_name)._schema.arguments]

        def call(args, named, out):
            try:
                return ask(args, named, out)
            except Exception:
                if any(is_slot and isinstance(each, (bool, int, float, complex)) for is_slot, each in zip(slots, args)):
                    raise Skipped(NUMBERS) from None
                raise

        return call

    def describe(self, key):
        told = super().describe(key)
        return told if self.strides or isinstance(told, str) else (*told[:2], None)


def check_takes(function, outs):
    """Skips a call with out= if the function has no out=. PyTorch functionalizes such a call, and does not make it
    as it stands."""
    known = inspect.signature(function).parameters
    if any(name not in known for name in outs):
        raise Skipped("it has no out=: functionalization writes to it instead")


REDUCTIONS = ("none", "mean", "sum")  # the names of reductions; ATen's number of each is its place


class Refs(OfTensors):
    """torch._refs, which has separate functions for in-place calls. They take a reduction by its name."""

    def __init__(self):
        super().__init__()
        import torch._refs.nn.functional
        import torch._refs.special
        self.places = (torch._refs, torch._refs.nn.functional, torch._refs.special)

    def callee(self, op, callable_name, form):
        super().callee(op, callable_name, form)
        name = op.removeprefix("special_") + ("_" if form == "in_place" else "")
        places = self.places[2:] if op.startswith("special_") else self.places[:2]
        return next((getattr(place, name) for place in places if hasattr(place, name)), None)

    def outs(self, function, out):
        outs = {"out": out[0] if len(out) == 1 else tuple(out)}
        check_takes(function, outs)
        return outs

    def call(self, function, args, named):
        if isinstance(named.get("reduction"), int):
            named = {**named, "reduction": REDUCTIONS[named["reduction"]]}
        return function(*args, **named)


class Decomposed(OfTensors):
    settings = ("table",)

    def __init__(self, table="inductor"):
        super().__init__()
        self.schemas = {}
        if choice("table", table, ("inductor", "core")) == "inductor":
            from torch._inductor.decomposition import select_decomp_table
            self.table = select_decomp_table()
        else:
            from torch._decomp import core_aten_decompositions
            self.table = core_aten_decompositions()

    def callee(self, op, callable_name, form):
        overload = super().callee(op, callable_name, form)
        if overload is None:
            return None
        decomposition = self.table.get(overload)
        if decomposition is None:
            raise Skipped("the table has no decomposition for it")
        self.schemas[decomposition, form] = overload
        return decomposition

    def outs(self, function, out):
        outs = super().outs(self.schemas[function, "out"], out)
        check_takes(function, outs)
        return outs

    def call(self, function, args, named):
        value = function(*args, **named)
        if value is NotImplemented:
            raise Skipped("the decomposition does not change this call")
        return value


class Fake(OfTensors):
    """Makes the call on FakeTensors, which have no elements to read or write."""

    def __init__(self):
        super().__init__()
        from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
        self.kind, self.mode = FakeTensor, FakeTensorMode()

    def call(self, function, args, named):
        with self.mode:
            args, named = pytree.tree_map_only(torch.Tensor, self.mode.from_tensor, (args, named))
            return function(*args, **named)

    def result(self, value):
        if isinstance(value, self.kind):
            return (value.dtype, tuple(value.shape), value.stride()), None
        return super().result(value)


def over_tensors(function, args, named):
    """Returns (a function that makes the call from its tensors alone, those tensors)."""
    flat, shape = pytree.tree_flatten((list(args), dict(named)))
    places = [i for i, each in enumerate(flat) if isinstance(each, torch.Tensor)]

    def call(*tensors):
        given = list(flat)
        for place, tensor in zip(places, tensors):
            given[place] = tensor
        args, named = pytree.tree_unflatten(given, shape)
        return function(*args, **named)

    return call, [flat[place] for place in places]


class Vmapped(OfTensors):
    """Gives vmap two equal examples; the answer is the first result, and the second must be equal to it."""

    forms = ("functional", "in_place")
    strides = False

    def call(self, function, args, named):
        call, tensors = over_tensors(function, args, named)
        if not tensors:
            raise Skipped("no tensor to map over")
        mapped = torch.vmap(call)(*(each.unsqueeze(0).expand(2, *each.shape).clone() for each in tensors))
        return pytree.tree_map_only(torch.Tensor, lambda each: each[0], mapped)


class Functionalized(OfTensors):
    def call(self, function, args, named):
        call, tensors = over_tensors(function, args, named)
        return torch.func.functionalize(call)(*tensors)
