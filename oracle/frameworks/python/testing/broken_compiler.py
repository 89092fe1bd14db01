"""Backends of torch.compile. `right` runs a graph as it is. `wrong` has eleven lowerings that break what PyTorch promises. `deadly` has
three, which kill the process, hang, or fill the disk. `wrong_inductor` passes the altered graph to Inductor."""

import os
import signal
import tempfile
import time

import torch
from torch._dynamo import register_backend
from torch._inductor.compile_fx import compile_fx


def refusal(call, *_):
    raise RuntimeError("no such lowering")


# Wrong lowerings by overload. Each shows in a case of the grid compile_slice.
WRONG = {
    "add.Tensor": lambda call, a, b: call(a, b).double(),                                            # another dtype
    "div.Tensor_mode": lambda call, a, b, rounding_mode: call(a, b, rounding_mode="floor"),          # another rounding
    "sqrt": lambda call, a: torch.where(a < 0, 0.0, call(a)),                                        # turns NaN into 0
    "mul.Tensor": lambda call, a, b: call(a, b).t().contiguous().t(),                                # other strides
    "lt.Tensor": refusal,
    "bitwise_and.Tensor": lambda call, a, b: torch.zeros_like(a),                                    # no refusal
    "relu": lambda call, a: torch.where(a > 0, a, -0.0),                                             # turns 0 into -0
    "sub.Tensor": lambda call, a, b: (a.long() - b.long()).clamp(-128, 127).to(a.dtype),             # another range
    # This mistake takes the exponent as an integer, so that the result may have another category.
    "pow.Tensor_Scalar": lambda call, a, b: call(a, int(b)),
    # This mistake gives an empty result another shape.
    "special_xlog1py": lambda call, a, b: call(a, b) if a.numel() else call(a, b).flatten(),
    "rsqrt": lambda call, a: (call(a) * 256).round() / 256,                                          # fewer digits
}


def fill_the_disk(call, a):
    with tempfile.TemporaryFile() as file:
        file.truncate(1 << 40)
    return call(a)


def die(call, a):
    os.kill(os.getpid(), signal.SIGSEGV)


DEADLY = {"sinh": die, "cosh": lambda call, a: time.sleep(1000), "tanh": fill_the_disk}


def bound(lowering, call):
    """Binds a lowering to a call, as a function. AOTAutograd reads its __name__, which a functools.partial lacks."""
    return lambda *args, **named: lowering(call, *args, **named)


def lowered(altered, module):
    for node in module.graph.nodes:
        lowering = altered.get(str(node.target).removeprefix("aten.").removesuffix(".default"))
        if node.op == "call_function" and lowering is not None:
            node.target = bound(lowering, node.target)
    module.recompile()
    return module


for name, altered in (("right", {}), ("wrong", WRONG), ("deadly", DEADLY)):
    register_backend(lambda module, _, altered=altered: lowered(altered, module).forward, name=name)
register_backend(lambda module, inputs: compile_fx(lowered(WRONG, module), inputs), name="wrong_inductor")
