"""Speaks upcast's process protocol (docs/process_protocol.md): a backend is a class of a few functions.

    class Mine(Backend):
        name, version = "mine", "1.0"
        functions = {"add": my_add, "neg": my_neg}

    serve(Mine())

Needs Python 3.9 and nothing else.
"""

from upcast_protocol.backend import Backend, Refused, Skipped
from upcast_protocol.server import serve
from upcast_protocol.tensor import Tensor

__all__ = ["Backend", "Refused", "Skipped", "Tensor", "serve"]
