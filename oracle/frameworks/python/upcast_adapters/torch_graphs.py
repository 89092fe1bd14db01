"""PyTorch's compilers: a batch of calls becomes one graph, which is compiled once (importer.py)."""

import contextlib
import logging
import operator
import os
import re
import tempfile
import warnings

import torch
from torch import fx

from upcast_adapters.importer import Importer, Lost
from upcast_adapters.torch_adapter import choice
from upcast_adapters.torch_device import bytes_of
from upcast_protocol import Refused, Skipped
from upcast_protocol.chain import Chain

REFUSALS = (RuntimeError, TypeError, ValueError, NotImplementedError, IndexError, OverflowError)
BREAKS = ("DataDependentOutputException", "DynamicOutputShapeException")  # FakeTensor's
FLAG = ("0", "1")


def as_tensor(value):
    return value if isinstance(value, torch.Tensor) else torch.tensor(value)


def told_of(value, has_strides):
    """What an answer tells of a result: (dtype, shape, strides or None, bytes)."""
    tensor = as_tensor(value)
    strides = tensor.stride() if has_strides else None
    return str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), strides, bytes_of(tensor.detach().resolve_conj().resolve_neg())


class OfGraphs(Importer):
    name, version = "torch", torch.__version__
    chains = "rounded"

    def warm(self):
        logging.disable(logging.ERROR)
        warnings.filterwarnings("ignore")

    def function(self, op, callable_name, form):
        call = super().function(op, callable_name, form)
        call.overload, call.form = self.callee(op, callable_name, form), form
        return call

    def result(self, value):
        return tuple(value[:3]), value[3]

    def describe(self, key):
        return key

    @contextlib.contextmanager
    def cache(self):
        """Gives Inductor a folder of its own for its files, which is removed afterwards."""
        with tempfile.TemporaryDirectory(prefix="upcast-inductor-") as folder:
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
            yield

    def together(self, asked):
        with self.cache():
            yield from super().together(asked)

    def run(self, compiled, calls, operands):
        with torch.no_grad():
            results = iter(compiled(*operands))
        # Strides of written operands are left out: the graph writes to copies, which have no gaps where the operand has
        # some.
        return [told_of(next(results), not call.out) for call in calls for _ in call.results]


def nodes_of(graph, function, args, named, out):
    """Adds a call to the graph, and gives the nodes of its results."""
    schema = function.overload._schema
    if function.form == "out":
        named = {**named, **dict(zip([argument.name for argument in schema.arguments if argument.is_out], out))}
    node = graph.call_function(function.overload, tuple(args), named)
    count = len(schema.returns)
    return [node] if count == 1 else [graph.call_function(operator.getitem, (node, i)) for i in range(count)]


def nodes_of_chain(graph, chain, operands):
    """Adds a chain of calls to the graph, and returns the nodes of the last call's results. The results of the other
    calls are no outputs, so that a compiler may fuse these calls and leave out their casts."""
    taken, nodes = [], []
    for step in chain.steps:
        args, named, out = step.with_operands(operands, taken)
        nodes = nodes_of(graph, step.function, args, named, out)
        taken.append(out[0] if out else nodes[0])
    return nodes


def graph_of(module, inputs_are_constants):
    """The calls of importer.Calls as an fx.GraphModule: one node a call, as a user's code is traced."""
    graph, root, results = fx.Graph(), torch.nn.Module(), []
    given = []
    for i, operand in enumerate(module.operands):
        if inputs_are_constants:
            root.register_buffer(f"x{i}", operand)
        given.append(graph.get_attr(f"x{i}") if inputs_are_constants else graph.placeholder(f"x{i}"))
    for call, places in zip(module.calls, module.places):
        there = [given[place] for place in places]
        for each in call.out:
            there[each.at] = graph.call_function(torch.clone, (there[each.at],))

        def value_of(each, there=there):
            return there[each.at] if hasattr(each, "at") else each

        operands = [value_of(each) for each in call.args]
        if isinstance(call.function, Chain):
            results.extend(nodes_of_chain(graph, call.function, operands))
        else:
            named = {name: value_of(each) for name, each in call.named.items()}
            results.extend(nodes_of(graph, call.function, operands, named, [value_of(each) for each in call.out]))
    graph.output(tuple(results))
    return fx.GraphModule(root, graph)


class Compiled(OfGraphs):
    settings = ("graph", "seconds", "dynamic", "inputs", "backend", "numerics", "emulate_precision_casts", "cpp_wrapper", "freezing")

    def __init__(self, dynamic="0", inputs="graph", backend="inductor", numerics="default", emulate_precision_casts="0",
                 cpp_wrapper="0", freezing="0", **settings):
        self.dynamic = choice("dynamic", dynamic, FLAG) == "1"
        self.inputs_are_constants = choice("inputs", inputs, ("graph", "constants")) == "constants"
        self.backend = backend
        if backend not in torch.compiler.list_backends(exclude_tags=()):
            raise SystemExit(f"backend={backend} is not one of {', '.join(torch.compiler.list_backends(exclude_tags=()))}")
        from torch._inductor import config
        if numerics != "default":
            if not hasattr(config, "numerics"):
                raise SystemExit(f"torch {torch.__version__} has no setting numerics")
            config.numerics = choice("numerics", numerics, ("default", "strict_pointwise", "strict_reduction", "strict"))
        for key, value in (("emulate_precision_casts", emulate_precision_casts), ("cpp_wrapper", cpp_wrapper), ("freezing", freezing)):
            if choice(key, value, FLAG) == "1":
                setattr(config, key, True)
        if backend == "inductor" and numerics in ("default", "strict_reduction") and emulate_precision_casts == "0":
            self.chains = "fused"  # Inductor leaves out casts between fused calls: pytorch#183761
        config.compile_threads = 1  # a forked process cannot use a pool of compiling processes
        config.force_disable_caches = True
        super().__init__(**settings)

    def warm(self):
        """Compiles a small graph before children are forked, which then inherit what torch looks up once a process,
        as the headers that the C++ compiler takes precompiled."""
        super().warm()
        import torch._dynamo.guards
        import torch._inductor.compile_fx  # noqa: F401
        # torch flushes the cache to time the guards of a graph, for a log. That takes an eighth of the time of a small
        # graph.
        torch._dynamo.guards.profile_guard_manager = lambda *_: 0.0
        if self.backend == "inductor":
            with self.cache():
                torch.compile(lambda x: x.exp(), backend=self.backend)(torch.ones(2))

    def screened(self, call):
        """Lets a call pass whose shape depends on data, although FakeTensor refuses it: torch.compile leaves such a
        call to eager."""
        why = super().screened(call)
        if why is None or not str(why).startswith(BREAKS):
            return why
        try:
            results = [as_tensor(each) for each in call(call.operands)]
        except Exception as why_eager:  # noqa: BLE001: it is the answer
            return self.answer_of(why_eager)
        call.results, call.shapes = [each.dtype for each in results], [tuple(each.shape) for each in results]
        return None

    def told(self, why):
        """The outcome for an exception. If PyTorch's own functions raised it, even if the compiler wrapped it, it is
        a refusal; else a failure of the compiler."""
        while hasattr(why, "inner_exception"):
            why = why.inner_exception
        if type(why) in REFUSALS or isinstance(why, (Skipped, Refused, Lost)):
            return super().told(why)
        found = re.search(r"error: .*", str(why))  # the C++ compiler's message without the command before it
        return Lost(f"{type(why).__name__}\0{found.group(0) if found else why}")

    def lower(self, module, inputs):
        torch._dynamo.reset()
        made = graph_of(module, self.inputs_are_constants)
        compiled = torch.compile(made, backend=self.backend, dynamic=self.dynamic)
        return lambda operands: self.run(compiled, module.calls, () if self.inputs_are_constants else operands)


class Exported(OfGraphs):
    def lower(self, module, inputs):
        exported = torch.export.export(module, inputs, strict=False).module()
        return lambda operands: self.run(exported, module.calls, operands)
