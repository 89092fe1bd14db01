"""What broken_export.py is to the others, to Lightning Thunder: its table of torch's functions."""

import os
import signal

import thunder.torch as lowerings
import torch


def refusal(*_):
    raise RuntimeError("no such lowering")


def death(*_):
    os.kill(os.getpid(), signal.SIGSEGV)


lowerings._torch_to_thunder_function_map.update({torch.maximum: lowerings.minimum, torch.add: lowerings.sub, torch.atan: refusal,
                                                 torch.cosh: death})
