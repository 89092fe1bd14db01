"""Kernels whose names are tested, not their results."""

import torch


def add(self, other):
    return NotImplemented if self.is_complex() else torch.add(self, other)


def mul_(self, other):
    self.mul_(other)


kernels = {"add.Tensor": add, "pow": torch.pow, "mul_": mul_, "sgn": lambda self: None}
