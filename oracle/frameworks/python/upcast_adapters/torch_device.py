"""Devices of torch: how bytes get to a device and back, and how to wait for it."""

import ctypes
import os
import sys

import torch

from upcast_protocol import Skipped
from upcast_protocol.server import one_line
from upcast_protocol.tensor import DTYPES as NAMES

DTYPES = {name: getattr(torch, name) for name in NAMES if hasattr(torch, name)}
BYTES = bytes(range(1, 17))  # 16: one element of the widest dtype


class DeviceFailed(Exception):
    """The device's own fault, not a refusal: the case is a crash."""


def host_bytes(data):
    """A tensor on the CPU of bytes."""
    if len(data) == 0:
        return torch.empty(0, dtype=torch.uint8)
    # A bytearray, because torch warns about a buffer that is not writable.
    return torch.frombuffer(data if isinstance(data, bytearray) else bytearray(data), dtype=torch.uint8)


def whole(flat, dtype):
    """The whole elements of a tensor of bytes, in another dtype."""
    odd = flat.numel() % dtype.itemsize
    return (flat[:-odd] if odd else flat).view(dtype)


def bytes_of(tensor):
    """The elements of a tensor on the CPU in logical order. Needs no NumPy."""
    tensor = tensor.contiguous()
    return ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""


class Storage:
    """Bytes that operands share. They are moved once, so that the operands also share them on the device."""

    def __init__(self, data, device):
        self.host, self.device, self.is_written = host_bytes(data), device, isinstance(data, bytearray)
        self.moved = {}  # the tensors on the device, by dtype; None: as bytes

    def there(self, dtype):
        """On the device: the tensor of bytes, or of a dtype where the device has no other view of bytes."""
        key = None if self.device.views_bytes else dtype
        if key not in self.moved:
            if self.moved and self.is_written:
                raise Skipped(f"{self.device.name} has no views of one storage in two dtypes")
            self.moved[key] = self.device.move(self.host if key is None else whole(self.host, dtype))
        return self.moved[key]

    def tensor(self, dtype, shape, strides, offset):
        flat = self.there(dtype)
        made = (whole(flat, dtype) if flat.dtype != dtype else flat).as_strided(shape, strides, offset)
        made.upcast_storage = self
        return made

    def check_unwritten(self):
        """Raises DeviceFailed if a call wrote to this storage, which it only reads; mends it for later calls first."""
        for there in self.moved.values():
            back = there.cpu()
            if bytes_of(back) != bytes_of(self.host)[:back.numel() * back.element_size()]:
                there.copy_(whole(self.host, there.dtype) if there.dtype != torch.uint8 else self.host)
                raise DeviceFailed("the call wrote to an operand that it only reads")


class Device:
    """A device of torch, which must be known to it. Ends the program, in one line, where it is not or takes no tensor."""

    def __init__(self, name):
        self.name = name
        self.is_cpu, self.is_meta = name == "cpu", name.partition(":")[0] == "meta"
        try:
            self.device = torch.device(name)
            self.wait, self.waits_by = self.synchronizer()
            torch.empty(1, dtype=torch.uint8, device=self.device)
            self.wait()
        except Exception as error:  # noqa: BLE001: a backend may raise anything
            sys.exit(f"torch {torch.__version__} has no device '{name}' here; import=MODULE names the module that "
                     f"registers one: {one_line(error)}")
        self.views_bytes = self.is_meta or self.can_view_bytes()
        self.dtypes = [dtype for dtype in DTYPES if self.is_meta or self.can_hold(dtype)]
        if not self.dtypes:
            sys.exit(f"the device '{name}' takes no tensor of any dtype from the CPU: {self.why_not}")

    def synchronizer(self):
        """(how to wait for the device, its name)"""
        kind = self.device.type
        module = getattr(torch, kind, None)
        accelerator = getattr(torch, "accelerator", None)
        if kind not in ("cpu", "meta") and callable(getattr(module, "synchronize", None)):
            return module.synchronize, f"torch.{kind}.synchronize"
        if accelerator is not None and accelerator.is_available() and accelerator.current_accelerator().type == kind:
            return accelerator.synchronize, "torch.accelerator.synchronize"
        return (lambda: None), "copies to the CPU"

    def move(self, tensor):
        """A copy there, on the CPU too: only what torch has allocated can be resized."""
        return tensor.to(self.device, copy=True)

    def can_view_bytes(self):
        """Whether a typed view of bytes there has the bytes' elements."""
        try:
            there = self.move(host_bytes(BYTES)).view(torch.int32).as_strided((2,), (1,), 1)
            there.as_strided((4,), (1,), 0).cpu()
        except Exception:  # noqa: BLE001
            return False
        return True

    def can_hold(self, dtype):
        try:
            Storage(BYTES, self).tensor(DTYPES[dtype], (1,), (1,), 0).cpu()
            self.wait()
        except Exception as error:  # noqa: BLE001
            self.why_not = one_line(error)
            return False
        return True

    def finish(self):
        """Waits for the device. An error here is the device's."""
        try:
            self.wait()
        except Exception as error:  # noqa: BLE001
            self.end_if_lost(error)
            raise DeviceFailed(f"waiting for it: {one_line(error)}") from None

    def end_if_lost(self, error):
        """Ends this process if the device no longer accepts work: a new process starts it again."""
        try:
            self.move(host_bytes(BYTES))
            self.wait()
        except Exception:  # noqa: BLE001
            print(f"the device '{self.name}' is lost: {one_line(error)}", file=sys.stderr, flush=True)
            os._exit(1)

    def operand(self, storage, dtype, shape, strides, offset):
        try:
            return storage.tensor(dtype, shape, strides, offset)
        except Skipped:
            raise
        except Exception as error:  # noqa: BLE001
            self.end_if_lost(error)
            raise DeviceFailed(f"an operand cannot be moved to it: {one_line(error)}") from None

    def to_host(self, value):
        """A tensor on the CPU: the bytes of its storage, so that no kernel of the device can change its elements."""
        if value.device.type == "cpu":
            return value.detach().resolve_conj().resolve_neg()
        try:
            value = value.detach().resolve_conj().resolve_neg()
            if not self.views_bytes:
                return value.cpu()
            elements = value.untyped_storage().nbytes() // value.element_size()
            flat = value.as_strided((elements,), (1,), 0).cpu()
            return flat.as_strided(value.shape, value.stride(), value.storage_offset())
        except Exception as error:  # noqa: BLE001
            self.end_if_lost(error)
            raise DeviceFailed(f"its result cannot be read: {one_line(error)}") from None
