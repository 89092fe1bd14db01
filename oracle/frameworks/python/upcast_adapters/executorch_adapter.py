"""ExecuTorch: a program of the Edge dialect, without a partitioner, run by the kernels of its wheel."""

import logging
import re
import warnings

import torch

warnings.filterwarnings("ignore")
from executorch import version  # noqa: E402
from executorch.exir import EdgeCompileConfig, to_edge  # noqa: E402
from executorch.exir.error import ExportError, InternalError  # noqa: E402
from executorch.exir.tensor import scalar_type_enum  # noqa: E402
from executorch.exir.verification import verifier  # noqa: E402
from executorch.extension.pybindings import portable_lib  # noqa: E402
from torch._export.verifier import SpecViolationError  # noqa: E402

from upcast_adapters.importer import Importer, Logs, blame, of_torch  # noqa: E402
from upcast_adapters.torch_device import DTYPES  # noqa: E402
from upcast_protocol import Skipped  # noqa: E402

UNCHECKED = EdgeCompileConfig(_check_ir_validity=False)


def has(dtype):
    """Whether ExecuTorch has the dtype. Some dtypes of float8 have a name in its programs, but no kernel takes them."""
    try:
        return scalar_type_enum(dtype) is not None and not str(dtype).startswith("torch.float8")
    except KeyError:
        return False


class Adapter(Importer):
    name, version = "executorch", version.__version__
    lacks = tuple(dtype for dtype in DTYPES.values() if not has(dtype))
    # ExecuTorch's messages about a dtype that a kernel lacks.
    no_dtype = r"Unhandled dtype \w+ for|Expected to find an? \w+ type, but tensor has type Complex"
    refused = (SpecViolationError, ExportError, InternalError)

    def warm(self):
        logging.disable(logging.ERROR)
        self.versions = {**self.versions, "executorch": self.version}
        to_edge(torch.export.export(torch.nn.Identity(), (torch.zeros(1),), strict=False))

    def screened(self, call):
        """Skips a call with dtypes that ExecuTorch lacks before FakeTensor sees it, because FakeTensor crashes on
        some of them."""
        lacking = [each.dtype for each in call.operands if each.dtype in self.lacks]
        return Skipped(f"{self.lacks_why}: {lacking[0]}") if lacking else super().screened(call)

    def lower(self, module, inputs):
        edge = to_edge(torch.export.export(module, tuple(map(dense, inputs)), strict=False), compile_config=UNCHECKED)
        exported = edge.exported_program()
        blame(exported, module.calls, faults_of(exported.graph_module).get)
        verifier.EXIREdgeDialectVerifier()(exported)
        program = edge.to_executorch()
        return lambda operands: self.run(program, operands)

    def run(self, program, operands):
        with Logs() as logs:
            try:
                method = portable_lib._load_for_executorch_from_buffer(program.buffer)
                return [of_torch(each) for each in method.forward(list(map(dense, operands)))]
            except RuntimeError as error:
                why = error
        raise RuntimeError(f"{why} {logs.text}")


def dense(tensor):
    """A contiguous copy: a program takes only tensors without gaps."""
    return tensor.clone(memory_format=torch.contiguous_format)


class Dtypes(verifier.EdgeOpArgValidator):
    """Puts into `faults` each node whose dtypes the Edge dialect lacks."""

    def __init__(self, module, faults):
        super().__init__(module)
        self.faults = faults

    def call_function(self, target, args, kwargs):
        value = super().call_function(target, args, kwargs)
        if self.violating_ops:
            dtypes = next(iter(self.violating_ops.values()))[0]
            self.faults[self.node] = Skipped(f"the Edge dialect has no {target._op} of {', '.join(map(str, dtypes.values()))}")
            self.violating_ops.clear()
        return value


def faults_of(module):
    """{node: why} for all nodes that to_edge would refuse; to_edge itself stops at the first one. Limits that the
    Edge dialect declares make a call not judged."""
    faults = {}
    with verifier._detect_fake_mode_from_gm(module):
        Dtypes(module, faults).run(*verifier._get_inputs(module))
    check = verifier.EXIREdgeDialectVerifier()
    for node in module.graph.nodes:
        try:
            if node.op == "call_function":
                check.check_valid_op(node.target)
        except SpecViolationError as why:
            named = re.search(r"Operator \S+ is not in Core ATen", str(why))
            faults[node] = Skipped(named[0]) if named else why
    return faults
