"""Backends of torch.compile that run a graph node by node: `right_fusion` as it is; `lost_writes` and `lost_casts` are right for
each call alone, and wrong for calls that feed each other."""

import torch
from torch import fx
from torch._dynamo import register_backend

NARROW = (torch.float16, torch.bfloat16, torch.float32)


class LostWrites(fx.Interpreter):
    """Makes an in-place call write to a copy. Its own result is right, but a later call that reads the tensor gets
    the old elements."""

    def call_function(self, target, args, kwargs):
        if isinstance(target, torch._ops.OpOverload) and target._schema.name.endswith("_"):
            args = (args[0].clone(), *args[1:])
        return super().call_function(target, args, kwargs)


class LostCasts(fx.Interpreter):
    """Gives a call the floating result of another call as it was before that result was rounded to its dtype."""

    def run_node(self, node):
        value = super().run_node(node)
        is_call = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
        if not is_call or node.target._schema.is_mutable or getattr(value, "dtype", None) not in NARROW:
            return value
        self.unrounded = getattr(self, "unrounded", {})
        takes_unrounded = any(each in self.unrounded for each in node.all_input_nodes)

        def wide(each):
            each = self.unrounded.get(each, self.env[each])
            return each.double() if isinstance(each, torch.Tensor) and each.dtype == value.dtype else each

        try:
            self.unrounded[node] = node.target(*fx.map_arg(node.args, wide), **fx.map_arg(node.kwargs, wide))
        except RuntimeError:  # it has no such kernel
            return value
        return self.unrounded[node].to(value.dtype) if takes_unrounded else value


for name, kind in (("right_fusion", fx.Interpreter), ("lost_writes", LostWrites), ("lost_casts", LostCasts)):
    register_backend(lambda module, _, kind=kind: lambda *given: kind(module).run(*given), name=name)
