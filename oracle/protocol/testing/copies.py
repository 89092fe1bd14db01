"""A process that answers copy_, such as copy_(float16[4], float64[4]), by the conversions of the Python package's
Tensor."""

import math

from upcast_protocol import Backend, Skipped, Tensor, serve


class Copies(Backend):
    name, version = "copies", "1"

    def ops(self):
        return {"copy": ["in_place"]}

    def function(self, op, callable_name, form):
        def call(args, named, out):
            to, source = args[:2]
            if not isinstance(source, Tensor) or math.prod(source.shape) != math.prod(to.shape):
                raise Skipped("only tensors of one size")
            to.set_values(source.values())
            return to

        return call


serve(Copies())
