"""A stand-in for a wrong importer: imported as a setting of a side, it alters the graphs that torch.export gives."""

import os
import signal

import torch

aten = torch.ops.aten
OTHER = {aten.maximum.default: aten.minimum.default, aten.add.Tensor: aten.sub.Tensor}  # another value
real_export = torch.export.export


def broken_export(*args, **named):
    program = real_export(*args, **named)
    for node in list(program.graph.nodes):
        node.target = OTHER.get(node.target, node.target)
        if node.target is aten.atan.default:
            raise RuntimeError("no such lowering")
        if node.target is aten.cosh.default:
            os.kill(os.getpid(), signal.SIGSEGV)
    program.graph_module.recompile()
    return program


torch.export.export = broken_export
