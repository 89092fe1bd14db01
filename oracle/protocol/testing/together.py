"""A process that wants to be asked many cases together. Each result says how many cases came with it."""

import sys

from upcast_protocol import Backend, Tensor, serve


class Together(Backend):
    name, version = "together", "1"
    functions = {"neg": lambda self: self}
    batch = int(sys.argv[1])

    def set_default_dtype(self, dtype):
        return True

    def together(self, asked):
        count = len(asked)
        for _ in asked:
            yield lambda: Tensor.of("float32", [1], [count])


serve(Together())
