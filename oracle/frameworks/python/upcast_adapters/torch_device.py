"""Devices of torch: how bytes get to a device and back, and how to wait for it."""

import ctypes
import os
import sys

import torch

from upcast_protocol import Skipped
from upcast_protocol.server import one_line
from upcast_protocol.tensor import DTYPES as NAMES

DTYPES = {name: getattr(torch, name) for name in NAMES if hasattr(torch, name)}
BYTES = bytes(range(1, 17))  # 16 bytes to try a device with: one element of the widest dtype


class DeviceFailed(Exception):
    """The device itself failed, which is no refusal: the case gets the verdict crash."""


def host_bytes(data):
    """Makes a CPU tensor of uint8 over a copy of the bytes, or over a bytearray itself."""
    if len(data) == 0:
        return torch.empty(0, dtype=torch.uint8)
    # Takes a bytearray, because torch warns about a buffer that is not writable.
    return torch.frombuffer(data if isinstance(data, bytearray) else bytearray(data), dtype=torch.uint8)


def whole(flat, dtype):
    """Views a tensor of bytes in another dtype. Bytes after the last whole element are left out."""
    odd = flat.numel() % dtype.itemsize
    return (flat[:-odd] if odd else flat).view(dtype)


def bytes_of(tensor):
    """The elements of a tensor on the CPU in logical order. Needs no NumPy."""
    tensor = tensor.contiguous()
    return ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""


class Storage:
    """Bytes that operands share. They are copied to the device once, so that the operands share them there too."""

    def __init__(self, data, device):
        self.host, self.device, self.is_written = host_bytes(data), device, isinstance(data, bytearray)
        self.moved = {}  # {dtype, or None for bytes: the tensor on the device}

    def there(self, dtype):
        """The tensor on the device: of bytes, or of `dtype` if the device cannot view bytes in another dtype."""
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
        """Raises DeviceFailed if a call wrote to this storage although it may only read it. Restores the bytes
        first, for later calls."""
        for there in self.moved.values():
            back = there.cpu()
            if bytes_of(back) != bytes_of(self.host)[:back.numel() * back.element_size()]:
                there.copy_(whole(self.host, there.dtype) if there.dtype != torch.uint8 else self.host)
                raise DeviceFailed("the call wrote to an operand that it only reads")


class Device:
    """A device that torch knows by this name. Ends the program with one line if torch does not know it, or it takes
    no tensor."""

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
        """Returns (the function that waits for the device, that function's name)."""
        kind = self.device.type
        module = getattr(torch, kind, None)
        accelerator = getattr(torch, "accelerator", None)
        if kind not in ("cpu", "meta") and callable(getattr(module, "synchronize", None)):
            return module.synchronize, f"torch.{kind}.synchronize"
        if accelerator is not None and accelerator.is_available() and accelerator.current_accelerator().type == kind:
            return accelerator.synchronize, "torch.accelerator.synchronize"
        return (lambda: None), "copies to the CPU"

    def move(self, tensor):
        """Copies a tensor to the device, on the CPU too: only memory that torch has allocated can be resized."""
        return tensor.to(self.device, copy=True)

    def can_view_bytes(self):
        """Whether the device can view a tensor of bytes in another dtype, with strides and an offset."""
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
        """Waits for the device. An error that shows here is the device's own fault."""
        try:
            self.wait()
        except Exception as error:  # noqa: BLE001
            self.end_if_lost(error)
            raise DeviceFailed(f"waiting for it: {one_line(error)}") from None

    def end_if_lost(self, error):
        """Ends this process if the device no longer accepts work. `upcast` then starts a new process, in which the
        device works again."""
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
        """Makes a CPU tensor from the bytes of a result's storage. No kernel of the device runs that could change
        its elements."""
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
