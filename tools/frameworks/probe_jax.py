"""Asks the JAX of the running Python for the tables of cases/rulebooks/jax_*.json, in the layout of the 64-bit mode's.

    JAX_PLATFORMS=cpu ~/.cache/upcast/frameworks/jax/bin/python tools/frameworks/probe_jax.py x32 > cases/rulebooks/jax_0.10.2_x32.json
    ... tools/frameworks/probe_jax.py x64 compare     the cells that differ from the stored ones: none

Traced (eval_shape), so that next to nothing is compiled. Strict mode is asked in 64-bit mode only. Operands are made as JAX
makes them when it is not told otherwise: in 32-bit mode an array asked for as int64 is one of int32.
"""

import json
import pathlib
import re
import sys
import warnings

import jax
import jax.numpy as jnp
import jax.scipy.special
import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "cases/rulebooks"
LONG = {"u": "uint", "i": "int", "f": "float", "c": "complex", "bf": "bfloat"}
WEAK = {"i*": 1, "f*": 1.0, "c*": 1j}
MODULES = {"lax": jax.lax, "scipy": jax.scipy.special, "nn": jax.nn}
# How errors of JAX are written in the stored table: (pattern, word). "no_kernel" is not due to a promotion rule: JAX has no kernel, or XLA no such dtype.
KINDS = [(r"^TypePromotionError", "refused"), (r"^OverflowError", "overflow"),
         (r"^ValueError: Invalid integer data type|^TypeError: Integers cannot be raised", "refused"), ("", "no_kernel")]


def dtype_of(label):
    """The dtype of a label in the tables: float8_e5m2 for 'f8e5m2', bfloat16 for 'bf16', uint4 for 'u4'."""
    if label == "bool":
        return np.dtype(bool)
    small = re.fullmatch(r"f([468])(e.*)", label)
    name = f"float{small[1]}_{small[2]}" if small else re.sub(r"^[a-z]+", lambda m: LONG[m[0]], label)
    return np.dtype(getattr(ml_dtypes, name, name))


# Functions of JAX that are run, not traced: they read an exponent that is a Python int, or they lack kernels for some
# dtypes, which tracing does not show.
RUN = (jnp.power, jax.lax.erfc, jax.scipy.special.erfc)
LABELS = {}


def label_of(dtype, weak):
    return LABELS[dtype] + ("*" if weak else "")


def number(label):
    return eval(label, {"__builtins__": {}}) if label not in WEAK else WEAK[label]  # "2**31", "1j"


def array(label, shape):
    """An operand for a label: an array of ones. For a weak label, such as 'i*', it is a Python number, as in the tables of two operands."""
    return WEAK[label] if label in WEAK else jnp.asarray(np.ones(shape, dtype_of(label)))


def of_dtypes(function, left, right):
    operands = [{"i*": int, "f*": float, "c*": complex}.get(each) or dtype_of(each) for each in (left, right)]
    if function == "jnp.promote_types":
        return jnp.promote_types(*operands), False
    return jax.dtypes.result_type(*operands, return_weak_type_flag=True)


def of_arrays(function, operands):
    """The result of a function on traced operands, without computing it: arrays have no values then, Python numbers keep theirs."""
    places = [i for i, each in enumerate(operands) if isinstance(each, jax.Array)]

    def call(*arrays):
        filled = list(operands)
        for place, each in zip(places, arrays):
            filled[place] = each
        return function(*filled)

    run = function in RUN or not places
    found = call(*(operands[i] for i in places)) if run else jax.eval_shape(call, *(operands[i] for i in places))
    found = found[0] if isinstance(found, (tuple, list)) else found
    return found.dtype, found.weak_type


def unary(name):
    module, _, short = name.rpartition(".")
    function = getattr(MODULES.get(module, jnp), short)
    return (lambda x: function(x, x, x)) if name == "clip" else function


def asked(table, row, column):
    if table["op"].endswith("_type") or table["op"].endswith("_types"):
        return of_dtypes(table["op"], row, column)
    if table["name"] == "unary":
        weak = WEAK.get(column)
        return of_arrays(unary(row), [jnp.asarray(weak) if weak else array(column, 2)])
    left = array(row, 2)
    if table.get("operands") == "tensor_scalar":
        right = number(column)
    elif "operands" in table:
        right = dtype_of(column).type(1)
    else:
        right = array(column, () if table["rhs"] == "0d" else 2)
    function = getattr(jnp, table["op"])
    if table["op"] == "where":
        return of_arrays(lambda a, b: jnp.where(jnp.asarray([True, False]), a, b), [left, right])
    return of_arrays(function, [left, right])


def message_of(error):
    """An error message without dtypes, places and values, which differ from cell to cell."""
    text = f"{type(error).__name__}: {error}".split("\n")[0]
    text = re.sub(r"^(TypePromotionError: ).*", r"\1no implicit dtype promotion path", text)
    text = re.sub(r"^(OverflowError: ).*", r"\1a Python int does not fit the default int dtype", text)
    text = re.sub(r"^(JaxRuntimeError: ).*(Invalid XLA PrimitiveType|failed to legalize).*", r"\1\2", text)
    text = re.sub(r"<class '[^']*'>|\b(?:u?int|b?float|complex)\d+\w*|\bbool\b", "<dt>", text)
    text = re.sub(r"^TypeError: \w+ does not accept", "TypeError: <op> does not accept", text)
    return re.split(r"(?<=[a-z>])\. ", re.sub(r" at position 0", "", text))[0].rstrip(".")


def answers(layout, errors):
    for table in layout:
        print(table["name"], file=sys.stderr)
        cells = []
        for row in table["rows"].split():
            line = []
            for column in table["cols"].split():
                try:
                    line.append(label_of(*asked({"op": "", **table}, row, column)))
                except Exception as error:  # every exception of JAX is an answer
                    line.append(errors.setdefault(message_of(error), f"!{len(errors) + 1}"))
            cells.append(" ".join(line))
        yield {key: value for key, value in table.items() if key not in ("cells", "same_cells_as")} | {"cells": cells}


def kind_of(message):
    return next(kind for pattern, kind in KINDS if re.search(pattern, message))


def shorten(tables):
    """The tables. If a table has the same cells as an earlier one, its cells are replaced by the earlier table's name."""
    earlier = []
    for table in tables:
        same = next((each["name"] for each in earlier if all(each[k] == table[k] for k in ("rows", "cols", "cells"))), None)
        earlier.append(table)
        yield {**{k: v for k, v in table.items() if k != "cells"}, "same_cells_as": same} if same else table


def printed(stored, mode, tables, errors):
    head = {"name": f"jax_{jax.__version__}_{mode}", "framework": "jax", "version": jax.__version__, "variant": mode,
            "python": sys.version.split()[0],
            "config": {"numpy_dtype_promotion": "standard",
                       "explicit_x64_dtypes": str(int(jax.config.jax_explicit_x64_dtypes))},
            "errors": {code: text for text, code in errors.items()},
            "error_kinds": {code: kind_of(text) for text, code in errors.items()}}
    lines = [f' {json.dumps(key)}: {json.dumps(value, indent=1) if key.startswith("error") else json.dumps(value)}'
             for key, value in head.items()]
    rows = []
    for table in tables:
        if "cells" in table:
            cells = ",\n".join("   " + json.dumps(line) for line in table.pop("cells"))
            rows.append("  " + json.dumps(table)[:-1] + f', "cells": [\n{cells}\n  ]}}')
        else:
            rows.append("  " + json.dumps(table))
    return "{\n" + ",\n".join(lines) + ',\n "tables": [\n' + ",\n".join(rows) + "\n ]\n}"


def compare(stored, tables, errors):
    """The cells in which a new table differs from the stored one: both name a dtype, or one of them refuses."""
    kinds = {code: kind_of(text) for text, code in errors.items()}
    by_name, differ, cells = {}, 0, 0
    for table in stored["tables"]:
        by_name[table["name"]] = table.get("cells") or by_name[table["same_cells_as"]]
    for table in tables:
        for row, new, old in zip(table["rows"].split(), table["cells"], by_name[table["name"]]):
            for column, a, b in zip(table["cols"].split(), new.split(), old.split()):
                cells += 1
                if kinds.get(a, a) != stored["error_kinds"].get(b, b):
                    differ += 1
                    print(table["name"], row, column, "now", kinds.get(a, a), "stored", stored["error_kinds"].get(b, b))
    print(f"{cells} cells, {differ} differ")
    return differ


def main():
    mode = sys.argv[1]
    warnings.filterwarnings("ignore")
    jax.config.update("jax_enable_x64", mode == "x64")
    stored = json.loads((FOLDER / f"jax_{jax.__version__}_x64.json").read_text())
    layout = [table for table in stored["tables"] if "strict" not in table["name"]]
    for table in layout:
        for label in f"{table['rows']} {table['cols']}".split():
            if re.fullmatch(r"bool|[a-z]{1,2}\d\w*", label):
                LABELS[dtype_of(label)] = label
    errors = {}
    tables = list(answers(layout, errors))
    if sys.argv[2:] == ["compare"]:
        sys.exit(compare(stored, tables, errors) != 0)
    print(printed(stored, mode, list(shorten(tables)), errors))


if __name__ == "__main__":
    main()
