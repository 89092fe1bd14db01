"""Kernels under a name that ATen does not have."""

kernels = {"add.Tensr": lambda self, other: self}
