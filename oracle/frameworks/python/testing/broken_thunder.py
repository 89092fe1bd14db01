"""A wrong Lightning Thunder, as broken_export.py is a wrong torch.export: some functions of torch get another
meaning in it."""

import os
import signal

import torch
from thunder.core.interpreter import interpreter_needs_wrap
from thunder.core.jit_ext import _general_jit_lookaside_map as lowerings


@interpreter_needs_wrap
def refusal(*_):
    raise RuntimeError("no such lowering")


@interpreter_needs_wrap
def death(*_):
    os.kill(os.getpid(), signal.SIGSEGV)


lowerings.update({torch.maximum: lowerings[torch.minimum], torch.add: lowerings[torch.sub], torch.atan: refusal, torch.cosh: death})
