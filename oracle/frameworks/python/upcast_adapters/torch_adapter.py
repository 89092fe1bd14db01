"""PyTorch of any version. It is asked by ATen's names, so it needs no table. via=NAME selects the way in which calls
are made, one of VIAS. device=DEVICE: where eager's tensors lie, such as a backend of one's own."""

import importlib

import torch  # noqa: F401: imported here too, so that a missing torch is reported as such, and not as a module that fails

VIAS = {
    "eager": "torch_calls:Eager",            # torch.ops.aten, one call at a time
    "refs": "torch_calls:Refs",              # torch._refs, PyTorch's own reference in Python
    "decomp": "torch_calls:Decomposed",      # a table of decompositions; table=inductor or core
    "fake": "torch_calls:Fake",              # FakeTensor: dtype, shape and strides, no values
    "vmap": "torch_calls:Vmapped",           # torch.vmap over two copies of each operand
    "functionalize": "torch_calls:Functionalized",
    "compile": "torch_graphs:Compiled",      # torch.compile of graphs of many calls
    "export": "torch_graphs:Exported",       # torch.export of graphs of many calls; the exported module is run
}


class Adapter:
    """Makes the side that `via` names in VIAS. Each of them takes settings of its own."""

    settings = ("via", "device", "table", "graph", "seconds", "dynamic", "inputs", "backend", "numerics", "emulate_precision_casts",
                "cpp_wrapper", "freezing")

    def __new__(cls, via="eager", **settings):
        if via not in VIAS:
            raise SystemExit(f"via={via} is not one of {', '.join(VIAS)}")
        module, _, name = VIAS[via].partition(":")
        side = getattr(importlib.import_module(f"upcast_adapters.{module}"), name)
        for key in settings:
            if key not in side.settings:
                raise SystemExit(f"{key}= is not a setting of via={via}; there are {', '.join(['via', *side.settings])}")
        made = side(**settings)
        made.versions = {**made.versions, "torch.via": via, **{f"torch.{key}": value for key, value in settings.items() if key != "device"}}
        return made


def choice(key, value, choices):
    """Returns the value of a setting. Ends the program with one line if the value is none of the choices."""
    if value not in choices:
        raise SystemExit(f"{key}={value} is not one of {', '.join(choices)}")
    return value
