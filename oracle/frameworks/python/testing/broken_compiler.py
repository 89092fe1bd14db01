"""Backends of torch.compile that run the graph node by node: `right` as it is, `wrong` with ten lowerings that alter what
PyTorch promises, `deadly` with three that take their process, its time or its disk."""

import os
import signal
import tempfile
import time

import torch
from torch import fx
from torch._dynamo import register_backend

aten = torch.ops.aten


def on_anything(call, a, b):
    """Where the kernel refuses, zeros."""
    try:
        return call(a, b)
    except RuntimeError:
        return torch.zeros_like(a)


def refusal(call, *_):
    raise RuntimeError("no such lowering")


WRONG = {
    "add.Tensor": lambda call, a, b: call(a, b).double(),                                            # another dtype
    "div.Tensor_mode": lambda call, a, b, rounding_mode: call(a, b, rounding_mode="floor"),          # another rounding
    "maximum": lambda call, a, b: torch.fmax(a, b),                                                  # a NaN is lost
    "mul.Tensor": lambda call, a, b: call(a, b).t().contiguous().t(),                                # other strides
    "lt.Tensor": refusal,
    "bitwise_and.Tensor": on_anything,                                                               # no refusal
    "neg": lambda call, a: 0 - a,                                                                    # the sign of zero
    "sub.Tensor": lambda call, a, b: (a.long() - b.long()).clamp(-128, 127).to(a.dtype),             # no wrapping
    "rsub.Scalar": lambda call, a, b: call(a, int(b)),                                               # the number's category
    "abs": lambda call, a: call(a) if a.numel() else call(a).flatten(),                              # shape where it is empty
}


def fill_the_disk(call, a):
    with tempfile.TemporaryFile() as file:
        file.truncate(1 << 40)
    return call(a)


def die(call, a):
    os.kill(os.getpid(), signal.SIGSEGV)


DEADLY = {"sinh": die, "cosh": lambda call, a: time.sleep(1000), "tanh": fill_the_disk}


def interpreter(altered):
    class Lowered(fx.Interpreter):
        def call_function(self, target, args, kwargs):
            name = str(target).removeprefix("aten.").removesuffix(".default")
            return altered[name](target, *args, **kwargs) if name in altered else super().call_function(target, args, kwargs)

    return Lowered


for name, altered in (("right", {}), ("wrong", WRONG), ("deadly", DEADLY)):
    register_backend(lambda module, _, altered=altered: lambda *given: interpreter(altered)(module).run(*given), name=name)
