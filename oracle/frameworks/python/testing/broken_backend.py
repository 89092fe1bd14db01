"""The device "upcast" with the kernels of broken_kernels.py instead of its own; UPCAST_BREAK names the mistake. It
does what a backend outside of PyTorch does: importing the module registers its kernels."""

import os

import broken_kernels
import torch
import upcast_backend  # noqa: F401: makes the device known

print("a backend that greets on standard output")
library = torch.library.Library("aten", "IMPL")
for name, kernel in broken_kernels.kernels.items():
    library.impl(name, kernel, "PrivateUse1", allow_override=True)
if os.environ.get("UPCAST_WITHOUT_BYTE_VIEWS"):  # as a device whose memory has types
    def no_view(self, dtype):
        raise NotImplementedError("the device has no views of another dtype")

    library.impl("view.dtype", no_view, "PrivateUse1", allow_override=True)
torch.upcast.synchronize = broken_kernels.synchronize
