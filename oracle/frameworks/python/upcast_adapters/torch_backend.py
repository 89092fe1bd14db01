"""The common part of torch's adapters: operands and results as tensors of torch, on a device."""

import re

import torch

from upcast_adapters.torch_device import DTYPES, Device, DeviceFailed, Storage, bytes_of
from upcast_protocol import Backend, Skipped

NUMBERS = "Python cannot pass a number as a tensor here"
# The two messages by which torch refuses a number for a tensor: that of torch.ops, and that of torch's functions in
# Python.
NO_NUMBER = re.compile(r"Expected a value of type '(Tensor|Optional\[Tensor\])'|must be Tensor, not (bool|int|float|complex)\b")
OF_DTYPES = ("result_type", "promote_types", "can_cast")
DEFAULTS = ("float32", "float64", "float16", "bfloat16")


def overload_of(callable_name):
    """The overload of torch.ops.aten for a name like "add.Tensor"; None where there is none."""
    name, _, overload = callable_name.partition(".")
    return getattr(getattr(torch.ops.aten, name, None), overload or "default", None)


def refuses_number(why):
    return NO_NUMBER.search(str(why)) is not None


class TorchBackend(Backend):
    """A backend over tensors of torch on one device. A case that names CUDA, such as one with operands on two
    devices, gets that device instead of CUDA."""

    def __init__(self, device, trusted):
        """`trusted`: calls are not checked for writing to operands that they may only read, which would cost a copy
        of each operand."""
        self.device, self.trusted, self.cpu = Device(device), trusted, None
        self.dtypes = self.device.dtypes
        self.devices = ("cpu",) if self.device.is_cpu else ("cpu", "cuda")
        self.versions = {"torch": torch.__version__, "torch.device": device,
                         "torch.capability": torch.backends.cpu.get_cpu_capability()}
        if not self.device.is_cpu:
            self.versions["torch.device.waits"] = self.device.waits_by
            lacks = [dtype for dtype in DTYPES if dtype not in self.dtypes]
            if lacks:
                self.versions["torch.device.lacks"] = ", ".join(lacks)
        self.names = {dtype: name for name, dtype in DTYPES.items()}
        torch.set_num_threads(1)

    def set_default_dtype(self, dtype):
        if dtype not in DEFAULTS:
            return False
        torch.set_default_dtype(DTYPES[dtype])
        return True

    def place(self, device):
        """The device on which a case says that an operand lies; None where it does not say."""
        if device != "cpu" or self.device.is_cpu:
            return self.device
        if self.cpu is None:
            self.cpu = Device("cpu")
        return self.cpu

    def storage(self, data, device):
        return Storage(data, self.place(device))

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        return buffer.device.operand(buffer, DTYPES[dtype], shape, strides, offset)

    def dtype(self, name):
        if name not in DTYPES:
            raise Skipped(f"torch {torch.__version__} has no dtype {name}")
        return DTYPES[name]

    def watched(self, call):
        """Wraps `call`, which takes (args, named, out), in a check that it writes `out` and nothing else."""

        def watched_call(args, named, out):
            value = call(args, named, out)
            if out:
                returned = value if isinstance(value, (tuple, list)) else (value,)
                if any(one is not other for one, other in zip(returned, out)):
                    raise DeviceFailed("the call returns another tensor than the one that it should write")
                value = out[0] if len(out) == 1 else tuple(out)
            self.device.finish()
            self.check_unwritten([*args, *named.values()], out)
            return value

        return call if self.trusted else watched_call

    @staticmethod
    def check_unwritten(operands, out):
        written = {id(each.upcast_storage) for each in out}
        storages = {id(each.upcast_storage): each.upcast_storage for each in operands if isinstance(each, torch.Tensor)}
        for key, storage in storages.items():
            if key not in written:
                storage.check_unwritten()

    def result(self, value):
        if isinstance(value, torch.dtype):
            return value, None
        if not isinstance(value, torch.Tensor):
            value = torch.tensor(value)
        data = None if value.is_meta else bytes_of(self.device.to_host(value))
        return (value.dtype, tuple(value.shape), value.stride()), data

    def describe(self, key):
        dtype = key if isinstance(key, torch.dtype) else key[0]
        if dtype not in self.names:
            raise Skipped(f"the result has torch's dtype {dtype}, which upcast does not have")
        return self.names[dtype] if isinstance(key, torch.dtype) else (self.names[dtype], *key[1:])
