"""Apache TVM's Relax, which imports a program of torch.export and compiles it for the CPU with LLVM."""

import logging
import os
import warnings

os.environ.setdefault("TVM_NUM_THREADS", "1")

import torch  # noqa: E402
import tvm  # noqa: E402
from tvm import relax  # noqa: E402
from tvm.relax.frontend.torch.exported_program_translator import ExportedProgramImporter  # noqa: E402

from upcast_adapters.importer import Importer, blame, of_torch  # noqa: E402
from upcast_adapters.torch_device import DTYPES  # noqa: E402
from upcast_protocol import Skipped  # noqa: E402


def has(dtype):
    try:
        return bool(ExportedProgramImporter._convert_data_type(dtype))
    except NotImplementedError:
        return False


class Adapter(Importer):
    name, version = "tvm", tvm.__version__
    lacks = tuple(dtype for dtype in DTYPES.values() if not has(dtype))

    def warm(self):
        logging.disable(logging.ERROR)
        warnings.filterwarnings("ignore")
        self.versions = {**self.versions, "tvm": tvm.__version__}
        torch.export.export(torch.nn.Identity(), (torch.zeros(1),), strict=False).run_decompositions()

    def screened(self, call):
        """Skips a call with dtypes that TVM lacks before FakeTensor sees it, because FakeTensor crashes on some of
        them."""
        lacking = [each.dtype for each in call.operands if each.dtype in self.lacks]
        return Skipped(f"{self.lacks_why}: {lacking[0]}") if lacking else super().screened(call)

    def lower(self, module, inputs):
        exported = torch.export.export(module, inputs, strict=False).run_decompositions()
        faults = {}
        imported = watched(faults).from_exported_program(exported, False, False, False, None)
        blame(exported, module.calls, faults.get)
        machine = relax.VirtualMachine(tvm.compile(imported, target="llvm"), tvm.cpu())
        return lambda operands: self.run(machine, operands)

    def run(self, machine, operands):
        return [of_torch(torch.from_dlpack(each)) for each in machine["main"](*map(given, operands))]


def given(operand):
    """Copies an operand: compiled code takes aligned memory without gaps. It also takes the strides of an empty
    tensor for gaps."""
    if operand.numel() == 0:
        return tvm.runtime.empty(tuple(operand.shape), str(operand.dtype).removeprefix("torch."))
    return tvm.runtime.from_dlpack(operand.clone(memory_format=torch.contiguous_format))


def watched(faults):
    """A copy of the importer in from_exported_program that goes on after a node it cannot convert. It puts all such
    nodes into `faults`, so that one import finds all."""
    importer = ExportedProgramImporter()
    known = importer.convert_map

    def convert(node):
        try:
            if node.target.__name__ not in known:
                raise Skipped(f"no converter of {node.target.__name__}")
            return known[node.target.__name__](node)
        except Exception as why:  # noqa: BLE001
            faults[node] = why
            values = node.meta["val"]
            made = [importer.block_builder.emit(relax.op.zeros(list(each.shape), importer._convert_data_type(each.dtype)))
                    for each in (values if isinstance(values, (tuple, list)) else [values])]
            return made if isinstance(values, (tuple, list)) else made[0]

    class Watched(dict):
        def __contains__(self, name):
            return True

        def __getitem__(self, name):
            return known["getitem"] if name == "getitem" else convert

    importer.convert_map = Watched()
    return importer
