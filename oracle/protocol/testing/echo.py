"""A process that accepts every call. It answers with the tensor that the call writes, or else with the first one,
which is right for clone."""

from upcast_protocol import Backend, Skipped, Tensor, serve


class Echo(Backend):
    name, version = "echo", "1"
    chains = "rounded"

    def ops(self):
        return None

    def set_default_dtype(self, dtype):
        return dtype != "bfloat16"

    def function(self, op, callable_name, form):
        def call(args, named, out):
            tensors = [*out, *(each for each in [*args, *named.values()] if isinstance(each, Tensor))]
            if op == "promote_types":
                raise ValueError("no dtypes are promoted here")
            if not tensors:
                raise Skipped("no tensor to answer with")
            return tensors[0]

        return call


serve(Echo())
