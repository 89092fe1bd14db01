"""PyTorch's ONNX exporter, torch.onnx.export(dynamo=True): its models run in ONNX Runtime on the CPU. A complex tensor is there one
of floats with a last dimension of 2, as the exporter has it."""

import functools
import logging
import warnings

import onnxruntime
import onnxscript
import torch
from onnxruntime.capi import onnxruntime_pybind11_state as errors
from torch.onnx._internal.exporter import _registration

from upcast_adapters.importer import Importer, of_torch


def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])


class Adapter(Importer):
    name, version = "onnx-export", torch.__version__
    no_op = "No ONNX function found for"
    no_dtype = "NOT_IMPLEMENTED"
    refused = (errors.Fail, errors.InvalidArgument, errors.InvalidGraph, errors.NotImplemented, errors.RuntimeException)

    def warm(self):
        logging.disable(logging.ERROR)
        warnings.filterwarnings("ignore")
        # torch reads its library of ONNX functions anew for each export, which takes longer than the export of a small graph.
        _registration.ONNXRegistry.from_torchlib = staticmethod(functools.cache(_registration.ONNXRegistry.from_torchlib))
        self.versions = {**self.versions, "onnxruntime": onnxruntime.__version__, "onnxscript": onnxscript.__version__}
        self.exported(torch.nn.Identity(), (torch.zeros(1),))

    @staticmethod
    def exported(module, inputs):
        return torch.onnx.export(torch.export.export(module, inputs, strict=False), dynamo=True, verbose=False)

    def lower(self, module, inputs):
        program = self.exported(module, inputs)
        program.initialize_inference_session(session)
        dtypes = [dtype for call in module.calls for dtype in call.results]
        return lambda operands: [of_torch(joined(each, dtype)) for each, dtype in zip(program(*operands), dtypes, strict=True)]


def joined(result, dtype):
    """Real and imaginary parts, where there should be complex numbers."""
    is_pairs = dtype.is_complex and result.is_floating_point() and result.dim() > 0 and result.shape[-1] == 2
    return torch.view_as_complex(result.contiguous()) if is_pairs else result
