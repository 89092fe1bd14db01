"""PyTorch's ONNX exporter, torch.onnx.export(dynamo=True), whose models run in ONNX Runtime on the CPU. The exporter
represents a complex tensor by a floating one with a last dimension of 2, and so does this adapter."""

import functools
import logging
import warnings

import onnx
import onnxruntime
import onnxscript
import torch
from onnxruntime.capi import onnxruntime_pybind11_state as errors
from torch.onnx._internal.exporter import _core, _dispatching, _fx_passes, _registration

from upcast_adapters.importer import Blamed, Importer, blame, of_torch
from upcast_adapters.torch_device import DTYPES
from upcast_protocol import Skipped

# By default torch reads its library of ONNX functions anew for each export, which takes longer than exporting a small
# graph.
registry = functools.cache(_registration.ONNXRegistry.from_torchlib)


def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def blame_parts(model, calls):
    """Finds the calls for which ONNX Runtime cannot load a model, by loading each call's part alone. That costs less
    than halving."""
    parts, at = onnx.utils.Extractor(model), {}
    inputs, outputs = [each.name for each in model.graph.input], iter(model.graph.output)
    computed = {name for node in model.graph.node for name in node.output}
    for i, call in enumerate(calls):
        names = [next(outputs).name for _ in call.results]
        try:
            if computed.issuperset(names):  # what is constant needs no kernel
                session(parts.extract_model(inputs, names))
        except Exception as why:  # noqa: BLE001
            at[i] = why
    if at:
        raise Blamed(at)


class Adapter(Importer):
    name, version = "onnx-export", torch.__version__
    lacks = tuple(dtype for dtype in DTYPES.values() if dtype not in _core._TORCH_DTYPE_TO_ONNX)
    no_op = "No ONNX function found for"
    no_dtype = "NOT_IMPLEMENTED"
    refused = (errors.Fail, errors.InvalidArgument, errors.InvalidGraph, errors.NotImplemented, errors.RuntimeException)

    def warm(self):
        logging.disable(logging.ERROR)
        warnings.filterwarnings("ignore")
        _registration.ONNXRegistry.from_torchlib = staticmethod(registry)
        self.versions = {**self.versions, "onnxruntime": onnxruntime.__version__, "onnxscript": onnxscript.__version__}
        torch.onnx.export(torch.export.export(torch.nn.Identity(), (torch.zeros(1),), strict=False), dynamo=True, verbose=False)

    def lower(self, module, inputs):
        exported = torch.export.export(module, inputs, strict=False)
        try:
            program = torch.onnx.export(exported, dynamo=True, verbose=False)
        except torch.onnx.OnnxExporterError as why:
            if self.no_op in str(why):
                blame(_fx_passes.decompose_with_registry(exported, registry()), module.calls, fault_of)
            # The exporter's message begins with other advice, which is dropped.
            raise type(why)(str(why).rpartition("## Exception summary")[2].strip()) from None
        model = program.model_proto
        try:
            program.initialize_inference_session(lambda _: session(model))
        except Exception:
            blame_parts(model, module.calls)
            raise
        dtypes = [dtype for call in module.calls for dtype in call.results]
        return lambda operands: [of_torch(joined(each, dtype)) for each, dtype in zip(program(*operands), dtypes, strict=True)]


def fault_of(node):
    function, _ = _dispatching.dispatch(node, registry()) if isinstance(node.target, torch._ops.OpOverload) else (node, "")
    return Skipped(f"no ONNX function of {node.target}") if function is None else None


def joined(result, dtype):
    """Joins pairs of real and imaginary parts to complex numbers if the result should be complex."""
    is_pairs = dtype.is_complex and result.dtype == dtype.to_real() and result.dim() > 0 and result.shape[-1] == 2
    return result.flatten().view(dtype).reshape(result.shape[:-1]) if is_pairs else result
