"""Kernels of a few ops, with the one mistake that UPCAST_BREAK names. python:functions takes them as a module, and
broken_backend.py gives them to the device "upcast". BROKEN has the mistakes; UNBROKEN has kernels that are right
in an unusual way.

Each kernel takes tensors of any device: on_host() copies their storages to the CPU, and copies back what changed.
"""

import functools
import os
import threading

import torch

aten = torch.ops.aten
SECONDS = 0.3  # how late a delayed result comes, in seconds


class Host:
    """Copies of tensors' storages on the CPU. A storage that several tensors share is copied once."""

    def __init__(self):
        self.storages = {}
        self.device = torch.device("cpu")

    def tensor(self, there):
        if not isinstance(there, torch.Tensor) or there.device.type == "cpu":
            return there
        self.device = there.device
        key = there.untyped_storage().data_ptr()
        if key not in self.storages:
            flat = there.as_strided((there.untyped_storage().nbytes() // there.element_size(),), (1,), 0)
            here = flat.cpu()
            self.storages[key] = flat, here, here.clone()
        here = self.storages[key][1]
        made = here if here.dtype == there.dtype else here.view(torch.uint8).view(there.dtype)
        return made.as_strided(there.shape, there.stride(), there.storage_offset())

    def write_back(self):
        for flat, here, before in self.storages.values():
            if not torch.equal(here.view(torch.uint8), before.view(torch.uint8)):
                flat.copy_(here)


def on_host(kernel):
    """Turns a kernel for CPU tensors into one for tensors of any device. The kernel may give `out` another shape."""

    @functools.wraps(kernel)
    def moved(*args, **named):
        host = Host()
        here_args, here_named = [host.tensor(each) for each in args], {key: host.tensor(value) for key, value in named.items()}
        result = kernel(*here_args, **here_named)
        host.write_back()
        if host.device.type == "cpu":
            return result
        for there, here in [*zip(args, here_args), *((named[key], here_named[key]) for key in named)]:
            if here is result and isinstance(there, torch.Tensor) and there is not here:
                if there.shape != here.shape:
                    moved_result = here.to(host.device)
                    there.set_(moved_result.untyped_storage(), 0, here.shape, here.stride())
                return there
        return result.to(host.device)

    return moved


def add(self, other, alpha=1):
    return aten.add.Tensor(self, other, alpha=alpha)


def add_in_place(self, other, alpha=1):
    return aten.add_.Tensor(self, other, alpha=alpha)


def add_out(self, other, alpha=1, out=None):
    return aten.add.out(self, other, alpha=alpha, out=out)


def maximum(self, other):
    return aten.maximum.default(self, other)


def neg(self):
    return aten.neg.default(self)


RIGHT = {"add.Tensor": add, "add_.Tensor": add_in_place, "add.out": add_out, "maximum": maximum, "neg": neg}


def last_element(self, other, alpha=1):
    result = add(self, other, alpha)
    if result.numel() > 4:
        result[(-1,) * result.dim()] += 1
    return result


def as_if(tensor, strides, offset):
    """The tensor with other strides and another offset over its storage; unchanged if the storage is too small for
    them."""
    last = offset + sum((size - 1) * stride for size, stride in zip(tensor.shape, strides))
    fits = tensor.numel() and (last + 1) * tensor.element_size() <= tensor.untyped_storage().nbytes()
    return tensor.as_strided(tensor.shape, strides, offset) if fits else tensor


def ignores_strides(self):
    return neg(as_if(self, torch.empty(self.shape, device="meta").stride(), self.storage_offset()))


def ignores_offset(self):
    return neg(as_if(self, self.stride(), 0))


def in_place_copies(self, other, alpha=1):
    return add(self, other, alpha).to(self.dtype)


def out_keeps_shape(self, other, alpha=1, out=None):
    result = add(self, other, alpha)
    if result.shape == out.shape:
        return add_out(self, other, alpha, out)
    count = min(result.numel(), out.numel())
    out.view(-1)[:count] = result.reshape(-1)[:count]
    return out


def out_is_cast(self, other, alpha=1, out=None):
    result = add(self, other, alpha)
    return out.resize_(result.shape).copy_(result)


def overlap_is_answered(self, other, alpha=1, out=None):
    return add_out(*(each.clone() if isinstance(each, torch.Tensor) else each for each in (self, other)), alpha, out)


def zero_dim_is_dim(self, other, alpha=1):
    result = add(self, other, alpha)
    if not isinstance(other, torch.Tensor) or other.device != self.device or self.dim() == other.dim():
        return result
    return result.to(torch.promote_types(self.dtype, other.dtype))


def number_is_tensor(self, other, alpha=1):
    if not isinstance(other, torch.Tensor) or other.device != self.device:  # PyTorch hands a number on the CPU to a device
        value = other.item() if isinstance(other, torch.Tensor) else other
        other = torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)
    return on_host(add)(self, other, alpha)


def alpha_is_ignored(self, other, alpha=1):
    return add(self, other)


def comes_late(self, other, alpha=1):
    result = on_host(add)(self, other, alpha)
    made = torch.zeros_like(result)
    threading.Timer(SECONDS, lambda: made.copy_(result)).start()
    return made


waiting = []  # work that an asynchronous device has not done yet


def comes_when_awaited(self, other, alpha=1):
    result = on_host(add)(self, other, alpha)
    made = torch.zeros_like(result)
    waiting.append(lambda: made.copy_(result))
    return made


def synchronize(device=None):
    if is_lost:
        raise RuntimeError("the device has met an illegal address")
    while waiting:
        waiting.pop(0)()


is_lost = []


def loses_the_device(self):
    if self.dtype == torch.int16:
        is_lost.append(True)
    return neg(self)


def nan_is_lost(self, other):
    return torch.fmax(self, other) if self.dtype.is_floating_point or other.dtype.is_floating_point else maximum(self, other)


def negative_zero_is_lost(self):
    return neg(self) + 0


def writes_operand(self, other, alpha=1):
    result = add(self, other, alpha)
    if self.dim():
        self.zero_()
    return result


def dies(self):
    if self.dtype == torch.int16:
        os.abort()
    return neg(self)


def on_the_device(kernel):
    """Marks a kernel that checks the devices of its operands itself."""
    kernel.looks_at_devices = True
    return kernel


BROKEN = {
    "last element": {"add.Tensor": last_element},
    "ignores strides": {"neg": ignores_strides},
    "ignores offset": {"neg": ignores_offset},
    "in-place copies": {"add_.Tensor": in_place_copies},
    "out keeps its shape": {"add.out": out_keeps_shape},
    "out is cast": {"add.out": out_is_cast},
    "overlap is answered": {"add.out": overlap_is_answered},
    "zero-dim is dim": {"add.Tensor": zero_dim_is_dim},
    "number is a tensor": {"add.Tensor": on_the_device(number_is_tensor)},
    "alpha is ignored": {"add.Tensor": alpha_is_ignored},
    "result comes late": {"add.Tensor": on_the_device(comes_late)},
    "NaN is lost": {"maximum": nan_is_lost},
    "negative zero is lost": {"neg": negative_zero_is_lost},
    "writes an operand": {"add.Tensor": writes_operand},
    "dies": {"neg": dies},
    "device is lost": {"neg": loses_the_device},
}
UNBROKEN = {
    "": {},
    "asynchronous": {"add.Tensor": on_the_device(comes_when_awaited)},
}


def kernels_of(mistake):
    """{overload: kernel} with the mistake of this name; the kernels take tensors of any device."""
    chosen = {**RIGHT, **{**BROKEN, **UNBROKEN}[mistake]}
    return {name: kernel if hasattr(kernel, "looks_at_devices") else on_host(kernel) for name, kernel in chosen.items()}


kernels = kernels_of(os.environ.get("UPCAST_BREAK", ""))
