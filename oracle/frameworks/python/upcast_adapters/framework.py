"""The common part of the adapters: functions from a table."""

from upcast_adapters import table
from upcast_protocol import Backend


class Framework(Backend):
    """A backend whose functions come from a table. `modules`: {first part of a name in the table: the Python module
    it means}."""

    settings = ()

    def __init__(self, table_name, modules):
        self.table = table.load(table_name, modules)

    def ops(self):
        return {op: self.forms_of(entry) for op, entry in self.table.items()}

    def forms_of(self, entry):
        """The forms of an op that its row in the table has."""
        return ["functional"]

    def call(self, function, args, named, out):
        """Makes one call; `out` is empty in the functional form."""
        return function(*args, **named)

    def function(self, op, callable_name, form):
        entry = self.table[op]
        plain = entry.plain()
        call = self.call

        def bound(args, named, out):
            if plain is not None and not named:
                return call(plain, args, named, out)
            return call(*entry.bind(args, named), out)

        return bound
