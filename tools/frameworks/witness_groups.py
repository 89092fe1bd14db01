#!/usr/bin/env python3
"""Groups what witnesses say against LibTorch, from run stores made with `upcast run --witness ... --doubt`, and the refusals in
which python:torch, an earlier PyTorch, differs from LibTorch, from stores with it as the subject.

usage: witness_groups.py GROUPS.json STORE...
Writes {"asked": [...], "witnesses": [...], "torch": [...]}. Of witnesses a group for each op, question, class of dtypes and kinds of
the two values in which at least two independent voices, and more than half of those that say anything, agree with each other against
LibTorch (the oracle). NumPy and array-api-strict, which wraps it, are one voice; torch 2.5.1, another LibTorch, is none."""

import json
import pathlib
import re
import sqlite3
import struct
import sys
from collections import Counter

VOICES = {"numpy": "numpy", "array-api-strict": "numpy", "jax": "jax", "paddle": "paddle", "onnxruntime": "onnxruntime"}
DTYPE = re.compile(r"\b(bool|[a-z]+\d+\w*)\[")
COMPLEX_NUMBER = re.compile(r"(?:[(=]|, )[^,=(){}\[\]]*\dj(?=[,)])")  # as an argument, not among a tensor's values


def dtype_class(line):
    """The one that decides among the dtypes of a line's tensors and numbers, most exotic first."""
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
    """Whose voice a side is; "" for another LibTorch's. A side that is no framework is a voice of its own."""
    if not side.startswith("python:"):
        return side
    return VOICES.get(side.removeprefix("python:").split("?")[0].split("=")[0], "")


def voices_of(witnesses):
    """The answers, a voice each: {voice: (with, has)}."""
    voices = {}
    for witness in witnesses:
        voice = voice_of(witness["side"])
        if voice and witness["with"] != "silent":
            voices.setdefault(voice, (witness["with"], witness.get("has", "")))
    return voices


def value_class(text):
    """NaN whatever its bits; other values as they are."""
    return "nan" if text in ("nan", "nan+nanj") or (text.startswith("bits:") and "j" not in text) else text


PARTS = {"float16": "e", "float32": "f", "float64": "d", "complex32": "ee", "complex64": "ff", "complex128": "dd"}


def kind_of(text, dtype):
    """NaN, infinite, zero, finite, or the text of what is no number. A complex number is infinite where a part is (C23 Annex G)."""
    if text.startswith("bits:") and dtype in PARTS:  # how a NaN prints that is not the usual one
        size = struct.calcsize("<" + PARTS[dtype])
        text = " ".join(map(str, struct.unpack("<" + PARTS[dtype], int(text.removeprefix("bits:"), 16).to_bytes(size, "little"))))
    if not re.search(r"\d|nan|inf", text):
        return text
    return "infinite" if "inf" in text else "NaN" if "nan" in text else "finite" if re.search(r"[1-9]", re.sub(r"e[-+]\d+", "", text)) else "zero"


def against(voices):
    """The voices that say one thing, another one than LibTorch; {} where these are no majority of two or more."""
    said = Counter(value_class(has) for vote, has in voices.values() if vote in ("neither", "subject"))
    if not said:
        return {}
    answer, count = said.most_common(1)[0]
    if count < 2 or 2 * count <= len(voices):
        return {}
    return {voice: has for voice, (vote, has) in voices.items() if vote in ("neither", "subject") and value_class(has) == answer}


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


def torch_groups(stores):
    """Refusals of one version alone, by the direction and by what the refusal says."""
    groups = {}
    for store in stores:
        records = sqlite3.connect(store).execute(
            "SELECT line, subject, oracle FROM record WHERE json_extract(verdict, '$.code') = 'differ(refusal)'")
        for line, subject, oracle in records:
            now = oracle.startswith("refuses")
            key = ("answered once, refuses now" if now else "refused once, answers now", reason_of(oracle if now else subject))
            group = groups.setdefault(key, {"cases": 0, "ops": set(), "dtypes": set(), "lines": []})
            group["cases"] += 1
            group["ops"].add(re.match(r"[a-z_0-9]*[a-z0-9]", line)[0])
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
    """What a run asked and whom: its part (the store's name), cases, day and versions."""
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
        records = sqlite3.connect(store).execute("SELECT line, verdict FROM record ORDER BY case_index")
        for line, text in records:
            verdict = json.loads(text)
            if "asked" not in verdict:
                continue
            voices = voices_of(verdict["witnesses"])
            said = against(voices)
            if not said:
                continue
            asked = verdict["asked"]
            refused = asked["what"] == "element" and set(said.values()) == {"refuses"}
            dtypes = DTYPE.findall(line)
            op = re.match(r"[\w]+", line)[0]
            what = "LibTorch answers" if refused else question(asked)
            kinds = ""
            if what == "another value":
                kinds = " where the others have ".join(kind_of(text, asked["dtype"]) for text in (asked["oracle"], next(iter(said.values()))))
            group = groups.setdefault(
                (op, what, dtype_class(line), kinds),
                {"cases": 0, "dtypes": set(), "lines": []},
            )
            group["cases"] += 1
            group["dtypes"].update(dtypes)
            group["lines"].append((len(line), line, asked.get("oracle", ""), asked.get("element", 0), said, voices))
    rows = []
    for (op, what, dtypes, kinds), group in sorted(groups.items()):
        _, line, oracle, element, said, voices = min(group["lines"], key=lambda row: row[:2])
        rows.append({
            "op": op, "question": what, "over": dtypes, "kinds": kinds, "cases": group["cases"], "dtypes": sorted(group["dtypes"]),
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
    with open(out, "w") as file:
        json.dump(found, file, indent=1)
        file.write("\n")
    print(", ".join(f"{len(found[name])} groups of {name}" for name in ("witnesses", "torch")))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    write_groups(sys.argv[1], sys.argv[2:])
