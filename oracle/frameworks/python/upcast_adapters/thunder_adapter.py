"""Lightning Thunder: thunder.jit of a function that makes the calls by the names of torch, as users write them. It has no out=."""

import logging
import warnings

warnings.filterwarnings("ignore")

import thunder  # noqa: E402
import torch  # noqa: E402
from torch import fx  # noqa: E402

from upcast_adapters.importer import Importer, of_torch  # noqa: E402
from upcast_adapters.torch_backend import NUMBERS, overload_of  # noqa: E402
from upcast_adapters.torch_device import DTYPES  # noqa: E402
from upcast_protocol import Skipped  # noqa: E402

PLACES = (torch, torch.special, torch.nn.functional)
REDUCTIONS = ("none", "mean", "sum")


def has(dtype):
    try:
        return thunder.dtypes.to_dtype(dtype) is not None
    except KeyError:
        return False


class Adapter(Importer):
    name, version = "thunder", thunder.__version__
    forms = ("functional", "in_place")
    lacks = tuple(dtype for dtype in DTYPES.values() if not has(dtype))
    no_op = r"it is not yet supported|unexpected keyword argument|^Unknown attribute \w+_$|DataDependentOutputException"
    # Thunder's promotion raises a KeyError for a dtype that it lacks. The error's text is only the dtype's name.
    no_dtype = r"^thunder\.dtypes\.\w+$"

    def warm(self):
        logging.disable(logging.ERROR)
        self.versions = {**self.versions, "thunder": self.version}
        thunder.jit(torch.nn.Identity())(torch.zeros(1))

    def callee(self, op, callable_name, form):
        """The Python function of an overload: a method of torch.Tensor for the in-place form, else a function of
        torch. None if there is none."""
        if overload_of(callable_name) is None:
            return None
        if form == "in_place":
            return getattr(torch.Tensor, f"{op}_", None)
        name = op.removeprefix("special_")
        return next((getattr(place, name) for place in PLACES if hasattr(place, name) and (place is not torch or name == op)), None)

    def function(self, op, callable_name, form):
        super().function(op, callable_name, form)  # raises Skipped if Thunder has no such function
        callee, schema = self.callee(op, callable_name, form), overload_of(callable_name)._schema

        def call(args, named, out):
            args, named = as_written(callee, schema, args, named)
            return callee(*args, **named)

        call.callable_name, call.form, call.callee, call.schema = callable_name, form, callee, schema
        return call

    def screened(self, call):
        """Checks a call before it joins a graph. FakeTensor is not asked. A call that Python's own function does not
        accept is skipped."""
        call.results = call.shapes = [None] * len(call.function.schema.returns)
        lacking = sorted(str(each.dtype) for each in call.operands if each.dtype in self.lacks)
        if lacking:
            return Skipped(f"{self.lacks_why}: {lacking[0]}")
        try:
            results = call(call.operands)
        except (TypeError, AttributeError):
            return Skipped(NUMBERS)
        except Exception:  # noqa: BLE001: Thunder is asked whether it refuses too
            return None
        if all(isinstance(each, torch.Tensor) for each in results):
            call.shapes = [tuple(each.shape) for each in results]
        return None

    def lower(self, module, inputs):
        # Gives Thunder the plain function of the module. Given the module itself, Thunder would also interpret how fx
        # formats an exception, which takes minutes.
        function = thunder.jit(type(graph_of(module)).forward, cache="no caching")
        return lambda operands: self.run(function, module.calls, (None, *map(apart, operands)))

    def run(self, function, calls, operands):
        with torch.no_grad():
            return [of_torch(each) for each in flat(function(*operands), calls)]


def apart(operand):
    """A copy in memory of its own. If a call of the graph writes in place, Thunder treats inputs with the same address as one
    tensor, even empty ones and those of other dtypes."""
    return operand.clone() if operand.numel() else torch.empty(1, dtype=operand.dtype).as_strided(operand.shape, operand.stride())


def flat(results, calls):
    for call, result in zip(calls, results):
        yield from (result if len(call.results) > 1 else (result,))


def as_written(callee, schema, args, named):
    """The arguments as users write them for the Python function, without ATen's names and its numbers for
    reductions."""
    if "self" in named:
        args, named = [*args, *(named[each.name] for each in schema.arguments if each.name in named)], {}
    if "reduction" in named and callee.__module__ == "torch.nn.functional":
        named = {**named, "reduction": REDUCTIONS[named["reduction"]]}
    return args, named


def graph_of(module):
    """The calls of importer.Calls as an fx.GraphModule, whose source has a line for each call."""
    graph = fx.Graph()
    given, results = [graph.placeholder(f"x{i}") for i in range(len(module.operands))], []
    for call, places in zip(module.calls, module.places):
        there = [given[place] for place in places]
        for each in call.out:
            there[each.at] = graph.call_function(torch.clone, (there[each.at],))

        def value_of(each, there=there):
            return there[each.at] if hasattr(each, "at") else each

        function = call.function
        args, named = as_written(function.callee, function.schema, [value_of(each) for each in call.args],
                                 {name: value_of(each) for name, each in call.named.items()})
        if function.form == "in_place":
            results.append(graph.call_method(function.callee.__name__, tuple(args), named))
        else:
            results.append(graph.call_function(function.callee, tuple(args), named))
    graph.output(tuple(results))
    return fx.GraphModule(torch.nn.Module(), graph)
