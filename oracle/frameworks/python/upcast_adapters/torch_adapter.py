"""PyTorch of any version, by ATen's names: no table is needed. via= says by which way a call is made: VIAS. device=DEVICE: where
the tensors of eager lie, such as a backend of one's own."""

import importlib

import torch  # noqa: F401: the sides import it too; told here, its absence names it alone

VIAS = {
    "eager": "torch_calls:Eager",            # torch.ops.aten, one call at a time
    "refs": "torch_calls:Refs",              # torch._refs, its own reference in Python
    "decomp": "torch_calls:Decomposed",      # table=inductor|core: a table of decompositions
    "fake": "torch_calls:Fake",              # FakeTensor: dtype, shape and strides, no values
    "vmap": "torch_calls:Vmapped",           # torch.vmap over two copies of each operand
    "functionalize": "torch_calls:Functionalized",
    "compile": "torch_graphs:Compiled",      # torch.compile of graphs of many calls
    "export": "torch_graphs:Exported",       # torch.export of such graphs, then the module
}


class Adapter:
    """Makes the way that `via` names in VIAS; each has settings of its own."""

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
    """The value. Ends the program, in one line, if it is not one of the choices."""
    if value not in choices:
        raise SystemExit(f"{key}={value} is not one of {', '.join(choices)}")
    return value
