#!/usr/bin/env python3
"""Draws cases from the grids, asks the installed frameworks about them, and groups the answers that differ from LibTorch's.

usage: ask_witnesses.py UPCAST GROUPS.json [--part NAME] [--shard I/N] [--folder DIR] [--op NAME ...] [--witness SIDE ...]
                        [--subject SIDE] [--oracle SIDE] [--jobs N] [--draw]

  --part     promotion, values or earlier; without it all, one after the other
  --shard    a part of a part (1/4); its store stays in --folder, and the groups are made of all stores there
  --folder   the folder of cases and stores (default: build/witnesses); an interrupted run resumes
  --op       only these ops; default: those that two independent voices know
  --witness  the witnesses (default: each installed environment of ci/frameworks.sh)
  --draw     prints the cases and asks no witness
With --part none it only groups what the folder has.

promotion  the first case of each callable and tuple of dtypes and numbers in the functional rows of the grid `promotion`, of three operands where
           at most two differ. JAX is asked for shapes and dtypes alone.
values     the functional rows of the grid `ops` with special values of DTYPES: as many seeds as SEEDS says, each of few elements (ELEMENTS), because
           a case shows one question only. The i-th seed takes the i-th value of each attribute; alpha, which no other library has, is left out.
           What is refused is refused with all seeds, and asked with one.
earlier    blocks of the whole grid `promotion`, one in EARLIER_SHARDS where --shard says nothing else, with python:torch==2.5.1, an earlier
           PyTorch, as the subject.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

from witness_groups import VOICES, write_groups

ADAPTERS = pathlib.Path(__file__).resolve().parents[2] / "oracle/frameworks/python/upcast_adapters/tables"
FRAMEWORKS = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "upcast/frameworks"

DTYPES = {"float16", "bfloat16", "float32", "float64", "complex64", "int32", "bool"}  # all operands of a case have one of these dtypes; masks are bool
ELEMENTS = {1: 16, 2: 10, 3: 5}  # {number of operands: elements of each operand}
SEEDS = {1: 64, 2: 128, 3: 48}
SEEDS_OF_INTEGERS = 3
EARLIER_SHARDS = 41  # a prime, so that blocks at this distance reach every column of a row


TENSOR = re.compile(r"\b([a-z]\w*)\[[\d,]*\]")


def installed(names):
    """The side of each framework in `names` that has an environment here."""
    return [f"python:{name}" for name in names if (FRAMEWORKS / name / "bin/python").exists()]


def ops_of(witnesses):
    """The ops that at least two independent frameworks know, by the tables of their adapters."""
    known = {}
    for side in witnesses:
        name = side.removeprefix("python:").split("?")[0].split("=")[0]
        table = ADAPTERS / f"{name.replace('-', '_')}.json"
        if name in VOICES and table.exists():
            known.setdefault(VOICES[name], set()).update(json.loads(table.read_text())["ops"])
    return {op for a, b in itertools.combinations(known.values(), 2) for op in a & b}


def run_ours(upcast, *arguments, read, given=None):
    """Runs impl:cpu as both sides, and returns the rows that the SQL query `read` finds in the run's store."""
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder, "run.db")
        done = subprocess.run([upcast, "run", *arguments, "--subject", "impl:cpu", "--oracle", "impl:cpu", "--out", store], input=given, text=True,
                              check=False, capture_output=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return sqlite3.connect(store).execute(read).fetchall()


def functional_rows(upcast, grid, ops):
    """(template, axes) of each functional row of a grid with tensors, for these ops and the default dtype float32. Aliases are left out."""
    rows = run_ours(upcast, "--grid", grid, "--block", "1", "--shard", "1/100000000",  # runs next to nothing: the store has all rows of the grid anyway
                    read="SELECT op, schema, template, axes FROM grid_row WHERE form = 'functional' AND default_dtype = 'float32' ORDER BY first")
    return [(template, json.loads(axes)) for op, schema, template, axes in rows
            if op in ops and schema.split(".")[0] == op and TENSOR.search(template + axes)]


def answered(upcast, lines):
    """The case lines that our implementation answers. Each line expects a refusal, so that an answer leaves a record."""
    expectations = "".join(f"{line} -> refuses\n" for line in lines)
    return {line.removesuffix(" -> refuses")
            for line, in run_ours(upcast, "-", "--block", "64", given=expectations, read="SELECT line FROM record")}


def filled(template, values):
    return re.sub(r"\{(\d+)\}", lambda found: values[int(found[1])], template)


def without_shape(token):
    return TENSOR.sub(r"\1", token)


def draw_promotion(upcast, ops):
    for template, axes in functional_rows(upcast, "promotion", ops):
        kinds = [list({without_shape(token): token for token in reversed(axis)}.values())[::-1] for axis in axes]
        for values in itertools.product(*kinds):
            if len(values) < 3 or len({without_shape(value) for value in values}) < 3:
                yield filled(template, values)


def draw_values(upcast, ops):
    calls = {}  # {call without seed: case lines that differ in their seed only}
    for template, axes in functional_rows(upcast, "ops", ops):
        dtypes = TENSOR.findall(filled(template, [axis[0] for axis in axes]))
        if "values=special" not in template or not set(dtypes) <= DTYPES or len(set(dtypes) - {"bool"}) > 1:
            continue
        operands = len(dtypes)
        for seed in range(SEEDS_OF_INTEGERS if set(dtypes) <= {"int32", "bool"} else SEEDS[operands]):
            # Of an axis of operands, takes the first, which has dimensions; of other axes, the values in turn, by the seed.
            values = [axis[0] if "[" in axis[0] else axis[seed % len(axis)] for axis in axes]
            line = re.sub(TENSOR.pattern + r"(?!\{)", lambda found: re.sub(r"\b\d{2,}\b", str(ELEMENTS[operands]), found[0]),
                          filled(template, values))
            call = re.sub(r", alpha=[^,)]*|, seed=\d+", "", line)
            calls.setdefault(call, {})[call.replace("values=special", f"values=special, seed={seed}")] = None
    more = answered(upcast, calls)
    for call, lines in calls.items():
        yield from lines if call in more else [next(iter(lines))]


PARTS = {"promotion": draw_promotion, "values": draw_values, "earlier": None}


def run(options, part, shard):
    store = options.folder / f"{part}.{shard.replace('/', '-')}.db"
    command = [options.upcast, "run", "--oracle", options.oracle, "--shard", shard, "--jobs", str(options.jobs), "--out", store]
    if PARTS[part] is None:
        command += ["--grid", "promotion", "--subject", "python:torch==2.5.1", "--block", "64"]  # 64 cases a block, because a block keeps at most 64 records
    else:
        cases = options.folder / f"{part}.cases"
        cases.write_text("".join(line + "\n" for line in PARTS[part](options.upcast, options.ops)))
        command += ["--cases", cases, "--subject", options.subject, "--doubt", "--block", "64"]
        for side in options.witness:
            command += ["--witness", "python:jax?via=eval_shape" if (part, side) == ("promotion", "python:jax") else side]
    done = subprocess.run(command, check=False)
    if done.returncode not in (0, 1):  # 1: there are differences
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    parser.add_argument("upcast", type=pathlib.Path)
    parser.add_argument("groups", type=pathlib.Path)
    parser.add_argument("--part", choices=[*PARTS, "none"])
    parser.add_argument("--shard")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/witnesses"))
    parser.add_argument("--op", dest="ops", action="append")
    parser.add_argument("--witness", action="append")
    parser.add_argument("--subject", default="impl:cpu")
    parser.add_argument("--oracle", default="libtorch:cpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    options.witness = options.witness or installed(VOICES)
    options.ops = set(options.ops or ops_of(options.witness))
    parts = [part for part in PARTS if options.part in (None, part)]
    if options.draw:
        for part in parts:
            for line in PARTS[part](options.upcast, options.ops) if PARTS[part] else ():
                print(line)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        if part == "earlier" and not installed(["torch"]):
            print("earlier: ci/frameworks.sh torch makes its environment; left out")
            continue
        run(options, part, options.shard or (f"7/{EARLIER_SHARDS}" if PARTS[part] is None else "1/1"))
    write_groups(options.groups, sorted(options.folder.glob("*.db")))


if __name__ == "__main__":
    main()
