"""A process that claims clone and positive of float32 alone, also in chains. It answers with the operand."""

from upcast_protocol import Backend, serve


class Narrow(Backend):
    name, version = "narrow", "1"
    chains = "rounded"
    dtypes = ["float32"]

    def ops(self):
        return {"clone": ["functional"], "positive": ["functional"]}

    def function(self, op, callable_name, form):
        return lambda args, named, out: args[0]


serve(Narrow())
