#!/usr/bin/env python3
"""Groups the answers of witnesses that contradict LibTorch, from run stores made with `upcast run --witness ... --doubt`. It also groups
the refusals in which an earlier PyTorch, python:torch, differs from LibTorch, from stores with it as the subject.

usage: witness_groups.py GROUPS.json STORE...
Writes {"asked": [...], "witnesses": [...], "torch": [...]}. A group of "witnesses" has one op, one question, one class of dtypes, and one
pair of kinds of values (for a refusal: its text). There at least two independent voices agree with each other against LibTorch, the oracle,
and they are more than half of those that answer. NumPy and array-api-strict, which wraps it, are one voice. torch 2.5.1 is no voice, because it
is another LibTorch."""

import json
import math
import pathlib
import re
import sqlite3
import struct
import sys
from collections import Counter

VOICES = {"numpy": "numpy", "array-api-strict": "numpy", "jax": "jax", "paddle": "paddle", "onnxruntime": "onnxruntime"}
DTYPE = re.compile(r"\b(bool|[a-z]+\d+\w*)\[")
COMPLEX_NUMBER = re.compile(r"(?:[(=]|, )[^,=(){}\[\]]*\dj(?=[,)])")  # matches a complex number that is an argument, not one among a tensor's values


def dtype_class(line):
    """The class of dtypes of a case line: that of the most unusual dtype in it."""
    dtypes = [*DTYPE.findall(line), *("complex64" for _ in COMPLEX_NUMBER.findall(line))]
    for name, pattern in (
        ("float8", "float8"),
        ("uint16, uint32, uint64", r"uint(16|32|64)"),
        ("complex", "b?complex"),
        ("floating", "b?float"),
        ("integers and bool", ""),
    ):
        if any(re.match(pattern, dtype) for dtype in dtypes):
            return name
    return "numbers"


def voice_of(side):
    """The voice of a side: frameworks that are not independent are one voice. "" for a LibTorch; other sides are their own voice."""
    if not side.startswith("python:"):
        return side
    return VOICES.get(side.removeprefix("python:").split("?")[0].split("=")[0], "")


def voices_of(witnesses):
    """{voice: (which side it agrees with, its answer)}. A voice with several sides counts once; silent ones are left out."""
    voices = {}
    for witness in witnesses:
        voice = voice_of(witness["side"])
        if voice and witness["with"] != "silent":
            voices.setdefault(voice, (witness["with"], witness.get("has", "")))
    return voices


PARTS = {"float16": "e", "float32": "f", "float64": "d", "complex32": "ee", "complex64": "ff", "complex128": "dd"}


def parts_of(text, dtype):
    """The real and imaginary part of an element's text; () if it is no number. An unusual NaN is written as bits."""
    if text.startswith("bits:"):
        codes = "<" + PARTS.get(dtype, "")
        return struct.unpack(codes, int(text.removeprefix("bits:"), 16).to_bytes(struct.calcsize(codes), "little")) if dtype in PARTS else (math.nan,)
    try:
        number = complex(text)
    except ValueError:
        return ()
    return (number.real, number.imag)


def kind_of(text, dtype):
    """The kind of an element: NaN, infinite, zero or finite; or its text if it is no number. A complex number is infinite if one part is (C23 Annex G)."""
    parts = parts_of(text, dtype)
    if not parts:
        return text
    return "infinite" if any(map(math.isinf, parts)) else "NaN" if any(map(math.isnan, parts)) else "finite" if any(parts) else "zero"


def readable(text, dtype):
    """An element's text for people. Bits of an unusual NaN become "nan", or "inf+nanj" for a complex element."""
    parts = parts_of(text, dtype) if text.startswith("bits:") else ()
    return text if not parts else f"{parts[0]:g}" + (f"{parts[1]:+g}j" if len(parts) > 1 else "")


def value_class(text, dtype):
    """A text that is equal for equal values. All NaNs are equal, whatever their bits, and whether one part or both are NaN."""
    return "nan" if kind_of(text, dtype) == "NaN" else str(parts_of(text, dtype) or text)


def against(voices, libtorch, dtype):
    """{voice: answer} of the voices that agree on an answer other than LibTorch's; {} if they are fewer than two, or no majority."""
    said = Counter(value_class(has, dtype) for vote, has in voices.values() if vote in ("neither", "subject"))
    if not said:
        return {}
    answer, count = said.most_common(1)[0]
    if count < 2 or 2 * count <= len(voices) or answer == value_class(libtorch, dtype):
        return {}
    return {voice: has for voice, (vote, has) in voices.items() if vote in ("neither", "subject") and value_class(has, dtype) == answer}


def question(asked):
    if asked["what"] == "refusal":
        return "LibTorch refuses" if asked["oracle"] == "refuses" else "LibTorch answers"
    return "another value" if asked["what"] == "element" else "another " + asked["what"]


REASONS = (
    (r'"(\w+)" not implemented for', r"no kernel \1"),
    (r"Expected a value of type 'Optional\[Tensor\]'", "a number in a Tensor slot"),
    (r"Found dtype \w+ but expected", "out= of another dtype"),
    (r"expected dtype .* for `weight`", "a weight of another dtype"),
    (r"itensor_view_from_dense", "oneDNN takes no such dtype"),
    (r"cannot do hardtanh on an unsigned type", "negative limits of an unsigned dtype"),
)


def reason_of(refusal):
    for pattern, words in REASONS:
        found = re.search(pattern, refusal)
        if found:
            return found.expand(words)
    return refusal


ATEN_DTYPE = re.compile(r"\b(Bool|Byte|Char|Short|Int|Long|UInt\d+|Half|Float|Double|BFloat16|Float8_\w+|B?Complex\w+)\b")
ATEN_CLASSES = (("bool", "Bool"), ("float8", "Float8"), ("complex32", "ComplexHalf"), ("bcomplex32", "BComplex32"), ("complex", "Complex"),
                ("uint16, uint32, uint64", "UInt"), ("floating", "Half|Float|Double|BFloat16"), ("integers", ""))


def refusal_of(answer):
    """The reason in a refusal of LibTorch, with its dtype replaced by a class of dtypes: "no kernel neg_cpu for bool"."""
    said = re.sub(r"^refuses\(\w+: (.*)\)$", r"\1", answer)
    kernel = re.search(r"\"(\w+)\" not implemented for '(\w+)'", said)
    if kernel:
        return f"no kernel {kernel[1]} for {next(name for name, start in ATEN_CLASSES if re.match(start, kernel[2]))}"
    return ATEN_DTYPE.sub("DTYPE", said)[:100]


def torch_groups(stores):
    """Cases that only one of two LibTorch versions refuses, grouped by which version refuses and by the refusal's reason."""
    groups = {}
    for store in stores:
        records = sqlite3.connect(store).execute(
            "SELECT line, subject, oracle FROM record WHERE json_extract(verdict, '$.code') IN ('differ(refusal)', 'differ(accepts)')")
        for line, subject, oracle in records:
            now = oracle.startswith("refuses")
            key = ("answered once, refuses now" if now else "refused once, answers now", reason_of(oracle if now else subject))
            group = groups.setdefault(key, {"cases": 0, "ops": set(), "dtypes": set(), "lines": []})
            group["cases"] += 1
            op = re.match(r"\w+", line)[0]
            group["ops"].add(op if op.endswith("__") else op.removesuffix("_"))
            group["dtypes"].update(DTYPE.findall(line))
            group["lines"].append(line)
    return [
        {"change": change, "refusal": refusal, "cases": group["cases"], "ops": sorted(group["ops"]),
         "dtypes": sorted(group["dtypes"]), "case": min(group["lines"], key=lambda line: (len(line), line))}
        for (change, refusal), group in sorted(groups.items())
    ]


def subject_of(store):
    return sqlite3.connect(store).execute("SELECT value FROM meta WHERE key = 'subject'").fetchone()[0]


def asked_in(store):
    """What a run store says of its run: its part (from the store's name), its number of cases, its day and its versions."""
    database = sqlite3.connect(store)
    meta = dict(database.execute("SELECT key, value FROM meta"))
    cases, = database.execute("SELECT sum(count) FROM block").fetchone()
    versions = {key.removeprefix("witness "): value for key, value in json.loads(meta["environment"]).items()
                if key.startswith("witness ") or key in ("torch", "libtorch")}
    return {"part": pathlib.Path(store).name.split(".")[0], "cases": cases or 0, "of": int(meta["planned"]), "shard": meta["shard"],
            "date": meta["date"], "versions": versions}


def witness_groups(stores):
    groups = {}
    for store in stores:
        records = sqlite3.connect(store).execute("SELECT line, verdict, oracle FROM record ORDER BY case_index")
        for line, text, answer in records:
            verdict = json.loads(text)
            if "asked" not in verdict:
                continue
            voices = voices_of(verdict["witnesses"])
            asked = verdict["asked"]
            said = against(voices, asked.get("oracle", ""), asked.get("dtype", ""))
            if not said:
                continue
            refused = asked["what"] == "element" and set(said.values()) == {"refuses"}
            dtypes = DTYPE.findall(line)
            op = re.match(r"[\w]+", line)[0]
            what = "LibTorch answers" if refused else question(asked)
            how = refusal_of(answer) if what == "LibTorch refuses" else ""
            if what == "another value":
                how = " where the others have ".join(kind_of(text, asked["dtype"]) for text in (asked["oracle"], next(iter(said.values()))))
            group = groups.setdefault(
                (op, what, dtype_class(line), how),
                {"cases": 0, "dtypes": set(), "lines": []},
            )
            group["cases"] += 1
            group["dtypes"].update(dtypes)
            dtype = asked.get("dtype", "")
            said = {voice: readable(has, dtype) for voice, has in said.items()}
            group["lines"].append((len(line), line, readable(asked.get("oracle", ""), dtype), asked.get("element", 0), said, voices))
    rows = []
    for (op, what, dtypes, how), group in sorted(groups.items()):
        _, line, oracle, element, said, voices = min(group["lines"], key=lambda row: row[:2])
        rows.append({
            "op": op, "question": what, "over": dtypes, "how": how, "cases": group["cases"], "dtypes": sorted(group["dtypes"]),
            "case": line, "element": element, "libtorch": oracle, "others": said, "voices": len(voices),
        })
    return rows


def write_groups(out, stores):
    earlier = [store for store in stores if subject_of(store).startswith("python:torch")]
    found = {
        "asked": [asked_in(store) for store in stores],
        "witnesses": witness_groups([store for store in stores if store not in earlier]),
        "torch": torch_groups(earlier),
    }
    parts = (f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in found.items())
    pathlib.Path(out).write_text("{\n" + ",\n".join(parts) + "\n}\n")  # a line for each group, so that a diff shows changes
    print(", ".join(f"{len(found[name])} groups of {name}" for name in ("witnesses", "torch")))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    write_groups(sys.argv[1], sys.argv[2:])
