"""The common part of the importers of torch's graphs. A batch of calls becomes one torch.nn.Module. It is exported
once, the importer converts it, and it is run. If that fails, the call at fault is found by halving the batch.
Calls that are likely to fail are asked alone (prognosis.py). The work is done in a child (child.py)."""

import os
import re
import sys

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from upcast_adapters import child
from upcast_adapters.prognosis import Prognosis
from upcast_adapters.torch_backend import NUMBERS, OF_DTYPES, TorchBackend, overload_of, refuses_number
from upcast_adapters.torch_device import bytes_of
from upcast_protocol import Refused, Skipped
from upcast_protocol.chain import Chain

SECONDS = 20  # the time limit of a graph, in seconds; each call of the graph adds as many


class Lost(Exception):
    """The child crashed or hung: the implementation is at fault."""


class Blamed(Exception):
    """Raised with the calls that made a graph fail: {place of the call in the graph: exception}."""

    def __init__(self, at):
        super().__init__(f"{len(at)} calls")
        self.at = at


class At:
    """An argument that is a tensor: the number of the operand that stands there."""

    def __init__(self, at):
        self.at = at


class Call:
    """One call, as the module of a graph makes it. It writes to copies of operands, so that the graph's inputs do
    not change."""

    def __init__(self, function, args, named, out):
        # The dtypes and shapes of results, as FakeTensor says.
        self.function, self.results, self.shapes = function, None, None
        tensors = [each for each in [*args, *named.values(), *out] if isinstance(each, torch.Tensor)]
        self.operands = list({id(each): each for each in tensors}.values())
        self.check_shared(out)
        check_chain(function)
        place = {id(each): At(i) for i, each in enumerate(self.operands)}
        self.args = [place.get(id(each), each) for each in args]
        self.named = {name: place.get(id(each), each) for name, each in named.items()}
        self.out = [place[id(each)] for each in out]
        self.eager_says, self.eager_dies = None, False  # eager_says: the text of eager's refusal; None if eager answers
        self.is_complex = any(isinstance(each, complex) for each in [*args, *named.values()])

    def check_shared(self, out):
        written = {id(each) for each in out}
        storages = {id(each.upcast_storage) for each in out}
        if len(storages) < len(out) or any(id(each.upcast_storage) in storages and id(each) not in written for each in self.operands):
            raise Skipped("operands that share memory: inputs of a graph cannot")
        if any(each.numel() and any(s == 0 and n > 1 for n, s in zip(each.shape, each.stride())) for each in out):
            raise Skipped("a written operand whose elements share memory: those of a copy do not")

    def __call__(self, operands):
        """Makes the call with these operands. Returns its results in a tuple."""
        there = list(operands)
        for each in self.out:
            there[each.at] = there[each.at].clone()
        args = [there[each.at] if isinstance(each, At) else each for each in self.args]
        named = {name: there[each.at] if isinstance(each, At) else each for name, each in self.named.items()}
        value = self.function(args, named, [there[each.at] for each in self.out])
        return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def check_chain(function):
    """Checks a chain: each call must take tensors, and must not write to an input of the graph."""
    if not isinstance(function, Chain):
        return
    returns = [step.function.overload._schema.returns for step in function.steps]
    if any(str(each[0].type) != "Tensor" for each in returns[:-1]):
        raise Skipped("a call of the chain takes a result that is not a tensor of PyTorch")
    views = any(each.alias_info is not None and not each.alias_info.is_write for results in returns for each in results)
    if function.writes_results and views:
        raise Skipped("a call of the chain writes to what may be a view of a graph's input")


class Calls(torch.nn.Module):
    def __init__(self, calls):
        super().__init__()
        self.calls = calls
        self.operands = list({id(each): each for call in calls for each in call.operands}.values())
        at = {id(each): i for i, each in enumerate(self.operands)}
        self.places = [[at[id(each)] for each in call.operands] for call in calls]

    def forward(self, *inputs):
        results = []
        for call, places in zip(self.calls, self.places):
            results.extend(call([inputs[i] for i in places]))
        return tuple(results)


class Tensors(tuple):
    """The results of a call as the importer gave them: a (dtype, shape, bytes) for each."""


class Importer(TorchBackend):
    """A subclass says by `lower` how a graph is made, and by `no_op` and `no_dtype` which error texts mean that the
    importer lacks something: such a call is not judged. An exception of `refused` is an answer, and any other one
    is the importer's own fault."""

    settings = ("graph", "seconds")
    forms = ("functional", "in_place", "out")
    no_op = no_dtype = r"(?!)"
    lacks = ()          # dtypes of torch that the importer lacks
    lacks_why = "no such dtype"
    refused = ()        # exceptions that mean a refusal, in addition to Python's own

    def __init__(self, graph="64", seconds=SECONDS):
        for key, value in (("graph", graph), ("seconds", str(seconds))):
            if not value.isdigit() or int(value) == 0:
                raise SystemExit(f"{key}={value} is not a number above 0")
        self.seconds = int(seconds)
        super().__init__("cpu", trusted=True)
        self.graph, self.missing, self.prognosis = int(graph), {}, Prognosis()
        self.versions = {**self.versions, "graph": graph}
        self.refusals = (*self.refusals, *self.refused)
        self.warm()

    def warm(self):
        """Work that every child would otherwise repeat. It must not start a thread, since children are forked."""
        torch.export.export(Calls([]), (), strict=False)

    def lower(self, module, inputs):
        """Returns f(inputs), which runs the module by the importer and gives (dtype, shape, bytes) of each result."""
        raise NotImplementedError

    def ops(self):
        return None  # without a list each op is asked for, and the importer says which ones it lacks

    def undefined(self):
        return None

    def callee(self, op, callable_name, form):
        return overload_of(callable_name)

    def function(self, op, callable_name, form):
        function = None if op in OF_DTYPES else self.callee(op, callable_name, form)
        if function is None:
            raise Skipped("no such op")

        def call(args, named, out):
            if form == "out":
                names = [argument.name for argument in function._schema.arguments if argument.is_out]
                named = {**named, **dict(zip(names, out))}
            return function(*args, **named)

        call.callable_name = callable_name
        return call

    def screened(self, call):
        """Asks FakeTensor before a graph is made: export asks it too, and a refusal would fail the whole graph.
        Returns None if FakeTensor accepts the call, else the exception."""
        try:
            with FakeTensorMode() as mode:
                results = call([mode.from_tensor(each) for each in call.operands])
                call.results, call.shapes = [each.dtype for each in results], [tuple(each.shape) for each in results]
        except Exception as why:  # noqa: BLE001
            is_number = refuses_number(why) or re.match("'(bool|int|float|complex)' object has no attribute", str(why))
            return Skipped(NUMBERS) if is_number else self.answer_of(why)
        dtypes = {*call.results, *(each.dtype for each in call.operands)}
        if call.is_complex:
            dtypes.add(torch.complex64)
        lacking = sorted(str(each) for each in dtypes & set(self.lacks))
        return Skipped(f"{self.lacks_why}: {lacking[0]}") if lacking else None

    def answer_of(self, why):
        """Turns an exception of the importer into a refusal or a loss, with the name of the exception's type."""
        return (Refused if isinstance(why, self.refusals) else Lost)(f"{type(why).__name__}\0{why}")

    def told(self, why):
        """The outcome of a call that was alone in its graph, from the exception that the importer raised."""
        if isinstance(why, (Skipped, Refused, Lost)):
            return why
        if re.search(self.no_op, str(why), re.S):
            return Skipped(f"no such op in {self.name}")
        if re.search(self.no_dtype, str(why), re.S):
            return Skipped(f"no such dtype or kernel in {self.name}")
        return self.answer_of(why)

    def of_graph(self, calls):
        """Yields (call, outcome) in any order. Each outcome also shows the parent that the child does not hang."""
        if not calls:
            return
        try:
            module = Calls(calls).eval()
            results = list(self.lower(module, tuple(module.operands))(module.operands))
            if len(results) != sum(len(call.results) for call in calls):
                raise Lost(f"{len(results)} results of {sum(len(call.results) for call in calls)}")
            if len(calls) > 1 and [each[1] for each in results] != [shape for call in calls for shape in call.shapes]:
                raise Lost("the shapes differ: one call may have spoilt the results of all")
        except Blamed as why:
            for i, fault in why.at.items():
                yield calls[i], self.told(fault)
            yield from self.of_graph([call for i, call in enumerate(calls) if i not in why.at])
            return
        except Exception as why:  # noqa: BLE001: an importer may raise anything
            if len(calls) == 1:
                yield calls[0], self.told(why)
            else:
                for part in parts_after(calls, str(why)):
                    yield from self.of_graph(part)
            return
        results = iter(results)
        for call in calls:
            yield call, Tensors(next(results) for _ in call.results)

    def together(self, asked):
        """Answers a batch: yields an outcome for each asked call, in order."""
        calls = [self.made(ask) for ask in asked]
        told = {i: self.given(call, call) for i, call in enumerate(calls) if not isinstance(call, Call)}
        halves, next_one = [], 0
        while next_one < len(calls):
            pending = [i for i in range(next_one, len(calls)) if i not in told]
            stage = ("graph", [])
            try:
                for stage in self.stages(calls, pending, halves, told):
                    while next_one in told:
                        yield told.pop(next_one)
                        next_one += 1
            except child.Ended as why:
                halves = self.after_death(calls, told, stage, why)

    def made(self, ask):
        """Makes the Call of a request; returns the exception if that fails."""
        try:
            function, args, named, out = ask()
            if function.callable_name in self.missing:
                raise self.missing[function.callable_name]
            return Call(function, args, named, out)
        except Exception as why:  # noqa: BLE001: said of this call
            return why

    def stages(self, calls, pending, halves, told):
        """Runs work() in a child. Yields the stages that the child reaches, and puts its outcomes into `told`."""
        stage = ("graph", [])
        if not pending:
            yield stage
            return
        limit = self.seconds * (1 + self.graph // 16)
        for what, *news in child.each_of(lambda: self.work(calls, pending, halves), limit):
            if what == "told":
                i, outcome, calls[i].eager_says = news
                self.prognosis.note(calls[i], isinstance(outcome, Tensors))
                told[i] = self.given(calls[i], outcome)
            else:
                stage = (what, news[0])
            yield stage

    def after_death(self, calls, told, stage, why):
        """The groups of calls that the next child has to ask first, after a child died in `stage`."""
        what, group = stage
        left = [i for i in group if i not in told]
        if what == "eager":
            calls[left[0]].eager_dies = True
            return []
        if len(left) == 1:
            told[left[0]] = self.given(calls[left[0]], Lost(str(why)))
        half = len(left) // 2
        return [left[:half], left[half:]] if half else []

    def work(self, calls, pending, halves):
        """Runs in the child. Yields its stages and the outcomes, in a form that can be pickled."""
        todo = []
        for i in pending:
            yield "eager", [i]
            calls[i].eager_says = "" if calls[i].eager_dies else refusal_of_eager(calls[i])
            yield "graph", [i]
            why = self.screened(calls[i])
            if why is None:
                todo.append(i)
            else:
                yield "told", i, portable(self.excused(calls[i], why)), calls[i].eager_says
        groups = [[i for i in half if i in todo] for half in halves]
        while todo:
            group = groups.pop(0) if groups else self.prognosis.next_group(calls, todo, self.graph)
            todo = [i for i in todo if i not in group]
            yield "graph", group
            place = {id(calls[i]): i for i in group}
            for call, outcome in self.of_graph([calls[i] for i in group]):
                outcome = self.excused(call, outcome)
                self.prognosis.note(call, isinstance(outcome, Tensors))
                yield "told", place[id(call)], portable(outcome), call.eager_says

    @staticmethod
    def excused(call, outcome):
        """The outcome of a call. If eager refuses the call, any failure of the importer counts as a refusal."""
        return Refused(str(outcome)) if isinstance(outcome, Lost) and call.eager_says is not None else outcome

    def given(self, call, outcome):
        """Turns an outcome into a function that returns the call's result or raises its exception."""
        if isinstance(outcome, Exception):
            outcome = (kind_of(outcome), str(outcome))
        if not isinstance(outcome, Tensors):
            kind, text = outcome
            name, _, words = text.rpartition("\0")
            base = {"skipped": Skipped, "refused": Refused}.get(kind, Lost)
            why = type(name, (base,), {})(words) if name else base(words)
            if isinstance(call, Call) and words.startswith("no such op"):
                self.missing[call.function.callable_name] = why

            def fail():
                raise why

            return fail
        results = [list(each) for each in outcome]  # a result is a list, because a tuple stands for several results
        return lambda: tuple(results) if len(results) > 1 else results[0]

    def result(self, value):
        return tuple(value[:2]), value[2]

    def describe(self, key):
        return key[0], key[1], None


def blame(exported, calls, fault_of):
    """Raises Blamed if fault_of(node) gives an exception for nodes of a program of torch.export. Looking once at
    each node costs less than halving."""
    graph, at = exported.graph, {}
    names = [spec.arg.name for spec in exported.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]
    nodes = {node.name: node for node in graph.nodes}
    results = iter(names)
    for i, call in enumerate(calls):
        seen, ahead = set(), [nodes[next(results)] for _ in call.results]
        while ahead:
            node = ahead.pop()
            if node in seen or node.op != "call_function":
                continue
            seen.add(node)
            fault = fault_of(node)
            if fault is not None:
                at[i] = fault
            ahead.extend(node.all_input_nodes)
    if at:
        raise Blamed(at)


def refusal_of_eager(call):
    """Makes the call in eager. Returns the text of eager's refusal, or None if eager answers."""
    try:
        call(call.operands)
    except Exception as why:  # noqa: BLE001
        return str(why)
    return None


def parts_after(calls, fault):
    """The parts of a failed graph to try next. Each call that eager refuses with the same text is tried alone, the
    others together. If eager refuses none with that text, the graph is halved."""
    suspects = [call for call in calls if call.eager_says and call.eager_says in fault]
    others = [call for call in calls if not any(call is each for each in suspects)]
    if suspects:
        return [[call] for call in suspects] + [others]
    half = len(calls) // 2
    return [calls[:half], calls[half:]]


def portable(outcome):
    """The outcome as tuples of plain values. An importer's exception may not be picklable."""
    return outcome if isinstance(outcome, Tensors) else (kind_of(outcome), str(outcome))


def kind_of(why):
    if isinstance(why, Skipped):
        return "skipped"
    return "refused" if isinstance(why, (Refused, TypeError, ValueError, RuntimeError)) else "errored"


def of_torch(tensor):
    """A tensor of torch as (dtype, shape, bytes)."""
    return str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), bytes_of(tensor.detach().resolve_conj().resolve_neg())


class Logs:
    """While the block runs, captures what is written to standard error, also by C++ code."""

    def __enter__(self):
        self.file = os.memfd_create("logs")
        sys.stderr.flush()
        self.kept = os.dup(2)
        os.dup2(self.file, 2)
        return self

    def __exit__(self, *_):
        os.dup2(self.kept, 2)
        os.close(self.kept)
        os.lseek(self.file, 0, 0)
        self.text = os.read(self.file, 1 << 20).decode(errors="replace")
        os.close(self.file)
