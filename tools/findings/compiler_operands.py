"""Splits a case into its parts, and writes its operands in Python as a person would: torch.tensor([7, -5], dtype=torch.int32).

`upcast explain CASE --json -` says what a case holds, so this file need not know classes of values."""
import dataclasses
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "oracle/frameworks/python"))
from upcast_protocol.dtypes import DTYPES  # noqa: E402
from upcast_protocol.tensor import Tensor, contiguous_strides  # noqa: E402

NAMES = {False: ("x", "y", "z", "w"), True: ("out", "out2", "out3")}  # names of variables: of operands, and of tensors for out=
TENSOR = re.compile(r"(\w+)\[([\d,]*)\](?::([^{]*))?(?:\{(.*)\})?")
PART = r"[+-]?(?:inf|nan|[\d.]+(?:e[+-]?\d+)?)"
COMPLEX = re.compile(rf"({PART})([+-](?:inf|nan|[\d.]+(?:e[+-]?\d+)?))j")


class NoProgram(Exception):
    """Raised if a case has no short program. Its text says why."""


def explained(upcast, line):
    done = subprocess.run([str(upcast), "explain", line, "--json", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        raise NoProgram(f"upcast explain: {done.stderr.strip()}")
    return json.loads(done.stdout)


def split(text):
    """Splits a text at its commas, except those within brackets or quotes."""
    parts, depth, is_text = [""], 0, False
    for letter in text:
        is_text ^= letter == '"'
        depth += 0 if is_text else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not is_text:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


@dataclasses.dataclass
class Operand:
    """A tensor of a case. `values` are texts in logical order; empty for a tensor that the call only writes."""
    name: str
    dtype: str
    shape: list
    strides: list
    offset: int
    shares: str = ""  # the operand whose storage this operand shares; "": it has storage of its own
    values: list = dataclasses.field(default_factory=list)
    is_out: bool = False
    is_written: bool = False
    storage: int = 0  # how many values the operand's whole storage has, also those that only another operand uses

    @classmethod
    def parse(cls, name, text, value, **more):
        """Makes an operand from its text in the case. `value`: the operand's text with its values, "float32[2]{7,-5}"."""
        dtype, sizes, layout, _ = TENSOR.fullmatch(text).groups()
        shape = [int(size) for size in sizes.split(",") if size]
        parts = dict(re.findall(r"(\w+)\(([^)]*)\)", layout or ""))
        unknown = set(parts) - {"strides", "offset", "shares"}
        if unknown or "..." in value:
            raise NoProgram(f"an operand with {', '.join(unknown)}" if unknown else "more elements than the command prints")
        strides = [int(stride) for stride in parts["strides"].split(",")] if "strides" in parts else contiguous_strides(shape)
        return cls(name, dtype, shape, strides, int(parts.get("offset", 0)), parts.get("shares", ""),
                   split(TENSOR.fullmatch(value)[4] or ""), **more)

    @property
    def layout(self):
        return self.shape, self.strides, self.offset

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def is_contiguous(self):
        return self.offset == 0 and self.storage <= self.count and all(
            size == 1 or a == b for size, a, b in zip(self.shape, self.strides, contiguous_strides(self.shape)))

    @property
    def is_transposed(self):
        return self.offset == 0 and len(self.shape) == 2 and self.storage <= self.count and self.strides == [1, self.shape[0]]

    @property
    def is_dense(self):
        """Whether torch's clone() keeps the operand's strides: it is contiguous or transposed."""
        return self.is_contiguous or self.is_transposed

    def places(self):
        """The index in the storage of each element of the operand, in logical order."""
        places = [self.offset]
        for size, stride in zip(self.shape, self.strides):
            places = [place + i * stride for place in places for i in range(size)]
        return places

    def grow(self, count=0):
        self.storage = max(self.storage, count, max(self.places(), default=-1) + 1)


def part(text):
    return {"nan": "torch.nan", "inf": "torch.inf", "+inf": "torch.inf", "+nan": "torch.nan", "-inf": "-torch.inf",
            "-nan": "-torch.nan"}.get(text, text)


def number(text, dtype=""):
    """A number of the case notation, written as Python needs it."""
    found = COMPLEX.fullmatch(text)
    if found:
        is_plain = not any(each in ("inf", "nan") or float(each) == 0 for each in (found[1].lstrip("+-"), found[2].lstrip("+-")))
        return text if is_plain else f"complex({part(found[1])}, {part(found[2].removeprefix('+'))})"
    return "-0.0" if text == "-0" and not dtype.removeprefix("u").startswith("int") else part(text)


def value(text):
    """The number itself."""
    found = COMPLEX.fullmatch(text)
    if found:
        return complex(float(found[1]), float(found[2]))
    return {"True": True, "False": False}[text] if text in ("True", "False") else int(text) if re.fullmatch(r"-?\d+", text) and text != "-0" else float(text)


def nested(texts, shape):
    """Nested Python lists of the elements, as text: "[[1, 2], [3, 4]]" for the shape (2, 2)."""
    if not shape:
        return texts[0]
    step = math.prod(shape[1:])
    return "[" + ", ".join(nested(texts[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"


def bits(texts, dtype):
    """A Python expression for a tensor of one dimension, made from its elements' bits, for values without a decimal text."""
    size = DTYPES[dtype].size
    data = b"".join(int(text.removeprefix("bits:"), 16).to_bytes(size, "little") if text.startswith("bits:") else
                    Tensor.of(dtype, [1], [value(text)]).tobytes() for text in texts)
    width = min(size, 8)
    words = [f"0x{int.from_bytes(data[at:at + width], 'little'):0{2 * width}x}" for at in range(0, len(data), width)]
    return f"torch.tensor([{', '.join(words)}], dtype=torch.uint{8 * width}).view(torch.{dtype})"


def tensor(texts, shape, dtype):
    """A Python expression for a contiguous tensor of these elements, given as texts: torch.tensor([7, -5], dtype=torch.int32)."""
    if any(text.startswith("bits:") for text in texts):
        return bits(texts, dtype) + ("" if len(shape) == 1 else f".reshape({tuple(shape)})")
    given = "" if dtype == "bool" else f", dtype=torch.{dtype}"
    return f"torch.tensor({nested([number(text, dtype) for text in texts], shape)}{given})"


def expression(operand):
    shape, dtype = operand.shape, operand.dtype
    if operand.count == 0 or operand.is_out and operand.is_contiguous:
        sizes = ", ".join(map(str, shape)) or "()"
        if operand.is_contiguous or operand.strides == contiguous_strides(shape):
            return f"torch.{'empty' if operand.count == 0 else 'zeros'}({sizes}, dtype=torch.{dtype})"
        return f"torch.empty_strided({tuple(shape)}, {tuple(operand.strides)}, dtype=torch.{dtype})"
    if operand.is_contiguous:
        return tensor(operand.values, shape, dtype)
    zero = "False" if dtype == "bool" else "1" if dtype == "float8_e8m0fnu" else "0"
    storage = [zero] * operand.storage
    for place, text in zip(operand.places(), operand.values):
        storage[place] = text
    if operand.is_transposed:
        return tensor(storage, shape[::-1], dtype) + ".t()"
    given = tensor(storage, [len(storage)], dtype) if operand.values else f"torch.zeros({len(storage)}, dtype=torch.{dtype})"
    return f"{given}.as_strided({tuple(shape)}, {tuple(operand.strides)}, {operand.offset})"


class Call:
    """A case: its tensors, its arguments in the order of the schema, and its named ones."""

    def __init__(self, upcast, line):
        self.told = told = explained(upcast, line)
        self.op, self.callable, self.form = told["op"], told["callable"], told["form"]
        found = re.fullmatch(rf"{re.escape(self.callable)}\((.*)\)(.*)", told["case"].split(" -> ")[0])
        settings = dict(re.findall(r"@(\w+)=(\S+)", found[2]))
        self.default = settings.pop("default", "float32")
        if settings:
            raise NoProgram(f"a case with @{', @'.join(settings)}")
        signature, self.returns = re.fullmatch(r"[^(]*\((.*)\) -> (.*)", told["schema"]).groups()
        self.parameters = [re.split(r"=| ", each.strip())[1] for each in split(signature) if each != "*"]
        self.operands, self.args, self.named, self.outs = [], [], {}, []
        for text in split(found[1]):
            self.add(text)
        for each in self.operands:
            each.grow()
        for each in self.operands:
            if each.shares:
                base = next(other for other in self.operands if other.name == each.shares)
                base.grow(each.storage)

    def add(self, text):
        named = re.fullmatch(r"(\w+)=(.*)", text)
        name, text = named.groups() if named else (None, text)
        if name in ("values", "seed"):
            return
        if TENSOR.fullmatch(text):
            written = self.tensor(name, text)
        else:
            written = {"undefined": "None"}.get(text, text if text.startswith('"') else number(text))
        if name is None:
            self.args.append(written)
        elif "out" in name.split("_") and self.form == "out":
            self.outs.append(written)
        else:
            self.named[name] = written

    def tensor(self, name, text):
        """Adds the operand that `text` describes, and returns the name of its Python variable. `name`: its parameter, or None."""
        is_out = self.form == "out" and name is not None and "out" in name.split("_")
        slot = name or self.parameters[len(self.args)]
        value = next((each.get("value") or each["text"] for each in self.told["operands"] if each["name"] == slot), text)
        own = NAMES[is_out][sum(each.is_out == is_out for each in self.operands)]
        made = Operand.parse(own, text, text if is_out else value, is_out=is_out,
                             is_written=is_out or self.form == "in_place" and not self.operands)
        if made.shares:
            made.shares = self.args[int(made.shares)]
            base = next(each for each in self.operands if each.name == made.shares)
            if base.layout == made.layout and base.dtype == made.dtype:
                base.is_written |= made.is_written
                return base.name
        elif len(made.values) != made.count and not is_out:
            raise NoProgram(f"the command tells no values of {slot}")
        self.operands.append(made)
        return own

    @property
    def has_shared(self):
        return any(each.shares for each in self.operands)

    def lines(self):
        """Lines of Python that make the operands, one line for each."""
        lines = []
        for each in self.operands:
            if each.shares:
                view = f"{tuple(each.shape)}, {tuple(each.strides)}, {each.offset}"
                lines.append(f"{each.name} = {each.shares}.as_strided({view})")
            else:
                lines.append(f"{each.name} = {expression(each)}")
        return lines
