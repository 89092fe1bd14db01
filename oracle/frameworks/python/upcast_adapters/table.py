"""Which function of a framework is which op: tables/NAME.json.

    {"ops": {"add": "np.add",
             "rsub": {"call": "np.subtract", "order": [1, 0]},
             "round": {"call": "np.round", "named": {"decimals": "decimals"}},
             "div": {"choose": "rounding_mode", "by": {"": "np.true_divide", "floor": "np.floor_divide"}}}}

A text is a dotted name, whose first part is one of the adapter's modules. "order": for each place of the function,
the number of the op's argument there. "named": {name of the op's attribute: the function's name for it}. "choose":
an attribute whose value selects the function, "" if the case leaves it out.
"""

import functools
import json
import pathlib

from upcast_protocol import Skipped

TABLES = pathlib.Path(__file__).parent / "tables"


def find(name, modules):
    """The function of a dotted name, or None where this version of the framework has none."""
    first, *rest = name.split(".")
    try:
        return functools.reduce(getattr, rest, modules[first])
    except AttributeError:
        return None


class Entry:
    """One row of a table: the functions that answer one op."""

    def __init__(self, row, modules):
        row = {"call": row} if isinstance(row, str) else row
        self.order, self.named, self.chooses = row.get("order"), row.get("named", {}), row.get("choose")
        if self.chooses:
            self.functions = {value: find(name, modules) for value, name in row["by"].items()}
        else:
            self.functions = {"": find(row["call"], modules)}

    def exists(self):
        return any(function is not None for function in self.functions.values())

    def plain(self):
        """The function, if it gets the arguments unchanged; else None."""
        return None if self.chooses or self.order else self.functions[""]

    def bind(self, args, named):
        """The function for these attributes, and its arguments: (function, args, named). Raises Skipped if there is
        none."""
        choice = ""
        if self.chooses and named:
            named = dict(named)
            choice = named.pop(self.chooses, None) or ""
        function = self.functions.get(choice)
        if function is None:
            raise Skipped(f"no such attribute: {self.chooses}={choice}")
        if named:
            missing = [name for name in named if name not in self.named]
            if missing:
                raise Skipped(f"no such attribute: {missing[0]}")
            named = {self.named[name]: value for name, value in named.items()}
        if self.order:
            args = [args[i] for i in self.order]
        return function, args, named


def load(name, modules):
    """{op: Entry} of the ops that this version of the framework has."""
    rows = json.loads((TABLES / f"{name}.json").read_text())["ops"]
    entries = {op: Entry(row, modules) for op, row in rows.items()}
    return {op: entry for op, entry in entries.items() if entry.exists()}
