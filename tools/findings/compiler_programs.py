"""Writes short programs that show a difference between eager PyTorch and another way to make the same call: program_of(upcast, entry).

A program prints both answers. It ends with 0 while the difference is there, with "AssertionError: mended" where both agree."""
import json
import pathlib
import re
import shlex
import urllib.parse

from compiler_operands import Call, NoProgram, explained

LIMIT = 15  # the most lines of a program
PYTHON = json.loads((pathlib.Path(__file__).resolve().parents[2] / "fuzz/findings/torch_names.json").read_text())  # the public Python name of each function of ATen
REDUCTIONS = {"0": '"none"', "1": '"mean"', "2": '"sum"'}
OPERATORS = {"and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"}
NAMES = {"compile": "compiled", "refs": "refs", "decomp": "decomposed", "fake": "fake", "vmap": "vmapped",
         "functionalize": "functionalized", "export": "exported"}
PARTS = {"value": "str({})", "dtype": "{}.dtype", "shape": "{}.shape", "strides": "{}.stride()"}
DIGITS = {"float16": 5, "bfloat16": 5, "complex32": 5, "float32": 9, "complex64": 9, "float64": 17, "complex128": 17}
MANTISSA = {"float16": 10, "bfloat16": 7, "complex32": 10, "float32": 23, "complex64": 23, "float64": 52, "complex128": 52}


def first_kind(entry):
    return entry["kind"] if isinstance(entry["kind"], str) else entry["kind"][0]


def way_of(subject):
    """The way and the settings in a subject's name: ("compile", {"dynamic": "1"}) for "python:torch?via=compile&dynamic=1"."""
    framework, _, settings = subject.partition("?")
    settings = dict(urllib.parse.parse_qsl(settings))
    way = settings.pop("via", "eager")
    if framework != "python:torch" or way not in NAMES:
        raise NoProgram(f"programs are written for ways of torch, not for {subject}")
    return way, settings


def call_names(call):
    return [each.name for each in call.operands]


def tuple_text(names):
    return f"({', '.join(names)}{',' * (len(names) == 1)})"


def by_name(named):
    return [f"{name}={value}" for name, value in named.items()]


def aten(call, args, outs):
    """The call as Python, by ATen's own name: torch.ops.aten.add.Tensor(...)."""
    name, _, overload = call.callable.partition(".")
    names = re.findall(r"\w+ (\w+)", call.returns) if len(outs) > 1 else ["out"]
    return f"torch.ops.aten.{name}.{overload or 'default'}({', '.join([*args, *by_name(call.named), *by_name(dict(zip(names, outs)))])})"


def outs_text(outs):
    return [f"out={outs[0]}" if len(outs) == 1 else f"out=({', '.join(outs)})"] if outs else []


def reduced(named):
    """The named arguments as Python. The argument `reduction` is a name, which Python's functions take, not ATen's number."""
    return by_name({key: REDUCTIONS.get(text, text) if key == "reduction" else text for key, text in named.items()})


def public(call, args, outs):
    """The call as Python, by its public name such as torch.add; None if there is no such name."""
    name = call.callable.partition(".")[0]
    known, sign = PYTHON.get(name, {}), OPERATORS.get(name.strip("_"))
    if sign and name == f"__{name.strip('_')}__" and len(args) == 2:
        return f"{args[0]} {sign} {args[1]}"
    if "method" in known:
        return f"{args[0]}.{name}({', '.join([*args[1:], *by_name(call.named)])})"
    if "function" not in known or outs and "out" not in known:
        return None
    if "parameters" not in known:
        return f"{known['function']}({', '.join([*args, *by_name(call.named), *outs_text(outs)])})"
    # The public function is written in Python. It may broadcast operands first, or have other parameters than the op.
    is_alike = len({tuple(each.shape) for each in call.operands}) == 1 and known["parameters"][1:len(args)] == call.parameters[1:len(args)]
    if outs or not is_alike or not set(call.named) <= set(known["parameters"]):
        return None
    return f"{known['function']}({', '.join([*args, *reduced(call.named)])})"


def is_same(call, upcast, text):
    """Whether the Python call `text` calls the same overload as the case, by `upcast explain`."""
    if any(each.shares for each in call.operands):
        return False
    given = ", ".join(f"{each.name}={text_of(each)}" for each in call.operands)
    try:
        told = explained(upcast, f"{text.replace('torch.nan', 'nan').replace('torch.inf', 'inf')} with {given}")
    except NoProgram:
        return False
    return told["callable"] == call.callable


def text_of(operand):
    strides = "" if operand.is_contiguous or not operand.shape else f":strides({','.join(map(str, operand.strides))})"
    return f"{operand.dtype}[{','.join(map(str, operand.shape))}]{strides}"


def eager_call(call, upcast, names):
    """The call in eager mode, as Python. `names` replaces variables: {"x": "x.clone()"}."""
    is_public = is_same(call, upcast, public(call, call.args, call.outs) or "-")
    return (public if is_public else aten)(call, [names.get(each, each) for each in call.args], [names.get(each, each) for each in call.outs])


class Program:
    """The program of one entry: its imports, the lines before the calls, and the two calls."""

    def __init__(self, upcast, entry, is_precise=False):
        self.is_precise, self.entry, self.call = is_precise, entry, Call(upcast, entry["case"])
        self.way, self.settings = way_of(entry["subject"])
        self.imports, self.defined, self.child = ["import torch"], [], []
        self.name = NAMES[self.way]
        call = self.call
        has_def = self.way not in ("refs", "decomp", "fake") or call.has_shared and self.way != "fake"
        self.operands = ", ".join(call_names(call))
        written = [each for each in call.operands if each.is_written]
        clones = {each.name: f"{each.name}.clone()" if each.is_dense else f"deepcopy({each.name})" for each in written}
        if self.way in ("compile", "export"):  # the graphs of these ways do not change the program's inputs
            self.text = eager_call(call, upcast, {each.name: f"{each.name}.clone()" for each in written})
            given = self.operands
        elif self.way == "fake":  # which writes nothing
            self.text, given = eager_call(call, upcast, {}), ""
            self.fakes = eager_call(call, upcast, {each.name: f"mode.from_tensor({each.name})" for each in call.operands})
        else:
            self.text = eager_call(call, upcast, {} if has_def else clones)
            given = ", ".join(clones.get(each.name, each.name) for each in call.operands)
            if call.has_shared:
                given = f"*deepcopy({tuple_text(call_names(call))})"
        self.eager = f"{'Model()' if self.way == 'export' else 'f'}({given})" if has_def else self.text
        self.other = getattr(self, self.way)()
        if any("deepcopy" in text for text in (self.eager, self.other)):
            self.imports.append("from copy import deepcopy")
        if "F." in self.text:
            self.imports.append("import torch.nn.functional as F")
        if has_def and self.way != "export":
            self.defined.insert(0, [f"def f({self.operands}):", f"    return {self.text}"])

    def refs(self):
        call = self.call
        name = PYTHON.get(call.op + "_" * (call.form == "in_place"), {}).get("refs")
        if name is None:
            raise NoProgram(f"torch._refs has no {call.op}")
        self.imports.append(f"import {name.rpartition('.')[0]}")
        return f"{name}({', '.join([*call.args, *reduced(call.named), *outs_text(call.outs)])})"

    def decomp(self):
        is_core = self.settings.get("table") == "core"
        table, place = ("core_aten_decompositions", "_decomp") if is_core else ("select_decomp_table", "_inductor.decomposition")
        self.imports.append(f"from torch.{place} import {table}")
        overload, _, given = aten(self.call, self.call.args, self.call.outs).partition("(")
        return f"{table}()[{overload}]({given}"

    def compile(self):
        switches = {"emulate_precision_casts": "True", "cpp_wrapper": "True", "freezing": "True",
                    "numerics": repr(self.settings.get("numerics"))}
        options = [f'"{key}": {text}' for key, text in switches.items() if self.settings.get(key, "0") not in ("0", "default")]
        given = [f'backend="{self.settings["backend"]}"'] if self.settings.get("backend", "inductor") != "inductor" else []
        given += ["dynamic=True"] if self.settings.get("dynamic") == "1" else []
        given += [f"options={{{', '.join(options)}}}"] if options else []
        if self.settings.get("inputs") == "constants":
            return f"torch.compile({', '.join([f'lambda: f({self.operands})', *given])})()"
        return f"torch.compile({', '.join(['f', *given])})({self.operands})"

    def fake(self):
        self.imports.append("from torch._subclasses.fake_tensor import FakeTensorMode")
        self.defined.append(["def call_fakes():", "    with FakeTensorMode() as mode:", f"        return {self.fakes}"])
        return "call_fakes()"

    def vmap(self):
        stacks = ", ".join(f"torch.stack([{each.name}, {each.name}])" for each in self.call.operands)
        mapped = f"torch.vmap(f)({stacks})"
        return f"[each[0] for each in {mapped}]" if "," in self.call.returns else f"{mapped}[0]"

    def functionalize(self):
        return f"torch.func.functionalize(f)({self.operands})"

    def export(self):
        self.defined.append(["class Model(torch.nn.Module):", f"    def forward(self, {self.operands}):", f"        return {self.text}"])
        return f"torch.export.export(Model(), {tuple_text(call_names(self.call))}, strict=False).module()({self.operands})"

    def compared(self):
        """The program's lines after its operands, for a difference in which both calls answer."""
        kind = first_kind(self.entry)
        if kind not in PARTS:
            raise NoProgram(f"programs are not written for kind {kind}")
        both = [f"[*{name}]" if "," in self.call.returns else name for name in ("eager", self.name)]
        if kind != "value" and "," in self.call.returns:
            parts = [f"[{PARTS[kind].format('each')} for each in {name}]" for name in ("eager", self.name)]
        else:
            parts = [PARTS[kind].format(each) for each in both]
        shown = both if kind == "value" else parts
        return (self.eager, self.other), shown, f"{parts[0]} != {parts[1]}"

    def tried(self):
        """The program's lines after its operands, for a difference in which one call fails."""
        name, kind = self.name, first_kind(self.entry)
        # torch.compile wraps the original exception in one of its own
        why = 'getattr(why, "inner_exception", why)' if self.way in ("compile", "export") else "why"
        self.defined.append(["def told(call):", "    try:", "        return call()", "    except Exception as why:", f"        return {why}"])
        if kind == "accepts":
            claim = f"isinstance(eager, Exception) and not isinstance({name}, Exception)"
        elif self.entry["truth"] != "refuses":
            claim = f"not isinstance(eager, Exception) and isinstance({name}, Exception)"
        else:
            claim = f"isinstance(eager, RuntimeError) and not isinstance({name}, RuntimeError)"
        return (f"told({thunk(self.eager)})", f"told({thunk(self.other)})"), ("repr(eager)", f"repr({name})[:300]"), claim

    def killed(self):
        """The lines for a call that kills its process. The program makes the call in a child process."""
        is_late = self.entry["answer"].startswith("timeout")
        self.imports += ["import os", *(["import signal"] if is_late else [])]
        self.child = ["pid = os.fork()", "if pid == 0:", *(["    signal.alarm(60)"] if is_late else []), f"    {self.other}", "    os._exit(0)"]
        eager = '"refuses"' if self.entry["truth"] == "refuses" else self.eager
        return (eager, "os.waitpid(pid, 0)[1]"), ("eager", f'"ends by signal", os.WTERMSIG({self.name})'), f"os.WIFSIGNALED({self.name})"

    def precision(self):
        """A line that makes torch print more digits, if its usual four do not show the difference; else no line."""
        dtype = self.entry.get("truth", "").partition("[")[0]
        if first_kind(self.entry) != "value" or dtype not in DIGITS:
            return []
        is_near = 0 < self.entry.get("wrong_ulp", 0) * 2.0**-MANTISSA[dtype] < 1e-3
        return [f"torch.set_printoptions(precision={DIGITS[dtype]})"] if is_near or self.is_precise else []

    def lines(self):
        kind, name, operands = first_kind(self.entry), self.name, self.call.lines()
        if kind not in (*PARTS, "accepts", "refusal", "crash", "timeout"):
            raise NoProgram(f"programs are not written for kind {kind}")
        is_killed = self.entry["answer"].startswith(("crash(SIG", "timeout"))
        calls, shown, claim = (self.killed if is_killed else self.compared if kind in PARTS else self.tried)()
        head = sorted(self.imports, key=lambda line: (line.startswith("from"), line)) + self.precision()
        head += [f"torch.set_default_dtype(torch.{self.call.default})"] if self.call.default != "float32" else []
        calls = [f"eager = {calls[0]}", f"{name} = {calls[1]}"], [f"eager, {name} = {calls[0]}, {calls[1]}"]
        prints = [f'print("eager:", {shown[0]})', f'print("{name}:", {shown[1]})'], [f'print("eager:", {shown[0]}, "\\n{name}:", {shown[1]})']
        together = [f"{self.operands} = {', '.join(line.partition(' = ')[2] for line in operands)}"]
        operands = operands, operands if self.call.has_shared else together
        for shorter in ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1)):  # as many lines as there is room for
            last = [*operands[shorter[2]], *self.child, *calls[shorter[0]], *prints[shorter[1]], f'assert {claim}, "mended"']
            if len(head) + 1 + sum(map(len, self.defined)) + len(last) <= LIMIT:
                break
        return laid_out([head, *self.defined, last])


def thunk(text):
    """Python for a function without arguments that makes the call: "lambda: CALL"."""
    return text.removesuffix("()") if re.fullmatch(r"\w+\(\)", text) else f"lambda: {text}"


def laid_out(blocks):
    """The program's text. An empty line follows the imports. Others stand between blocks, the last ones first, while LIMIT allows."""
    ends = [sum(map(len, blocks[:i])) for i in (1, *range(len(blocks) - 1, 1, -1))]
    lines = [line for block in blocks for line in block]
    ends = ends[:max(LIMIT - len(lines), 1)]
    return "\n".join(line + "\n" * (i + 1 in ends) for i, line in enumerate(lines))


def command_of(entry, why):
    return "sh", f"# {why}\nupcast run {shlex.quote(entry['case'])} --subject {shlex.quote(entry['subject'])}"


def programs_of(upcast, entry):
    """Candidates: [(subject, "python", program)], for each way that the entry is about, with four digits and with all digits.

    If no way has a program: [(subject, "sh", the command that asks the case, with the reason in a comment)]."""
    also = entry.get("also", [])
    found, reasons = [], []
    for subject in [entry["subject"], *([also] if isinstance(also, str) else also)]:
        try:
            if entry["class"] == "host_defined":
                raise NoProgram("the hardware or the C++ compiler decides whether it shows")
            if "python" in entry:
                raise NoProgram(entry["python"])
            programs = [Program(upcast, {**entry, "subject": subject}, is_precise).lines() for is_precise in (False, True)]
            found += [(subject, "python", program) for program in dict.fromkeys(programs)]
        except NoProgram as why:
            reasons.append(why)
    return found or [(entry["subject"], *command_of(entry, reasons[0]))]
