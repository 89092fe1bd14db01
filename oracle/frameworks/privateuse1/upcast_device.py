"""The PyTorch device "upcast": our implementation in the place of a GPU, as a PrivateUse1 backend.

    upcast_device.load("build/lib/libupcast_device.so")
    torch.add(torch.ones(3, dtype=torch.int32, device="upcast"), 5.5)

Every op of the catalogue runs on impl:cpu, everything else on LibTorch's CPU; take_counts() says which did.
"""

import sys
import types

import torch


def load(library, name="upcast"):
    """Makes the device known. Once in a process, before anything else names a backend."""
    torch.ops.load_library(library)
    torch.utils.rename_privateuse1_backend(name)
    module = types.ModuleType(f"torch.{name}")
    module.is_available = lambda: True
    module.is_initialized = lambda: True
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module.set_device = lambda device: None
    module.synchronize = lambda device=None: None
    module.manual_seed_all = lambda seed: None  # nothing to seed: LibTorch's CPU draws the random numbers
    module._is_in_bad_fork = lambda: False
    torch._register_device_module(name, module)
    sys.modules[f"torch.{name}"] = module


def take_counts():
    """The calls since the last take_counts(): {"ours": {"add.Tensor": 12}, "fallback": {"sort": 3}}."""
    counts = {"ours": {}, "fallback": {}}
    for line in torch.ops.upcast.take_counts().splitlines():
        where, name, calls = line.split()
        counts[where][name] = int(calls)
    return counts
