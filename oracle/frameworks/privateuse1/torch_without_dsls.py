"""Makes torch.testing importable in a torch without its CUDA half (ci/torch_python.py); import it first. Such a
torch has no kernels that torch._native could override."""

import sys
import types


class _NoDsls:
    def list_all_dsls(self):
        return []

    list_available_dsls = list_all_dsls

    def is_dsl_available(self, name):
        return False


if "torch._native" not in sys.modules:
    native = types.ModuleType("torch._native")
    native.__path__ = []
    registry = types.ModuleType("torch._native.dsl_registry")
    registry.dsl_registry = _NoDsls()
    sys.modules.update({"torch._native": native, "torch._native.dsl_registry": registry})
