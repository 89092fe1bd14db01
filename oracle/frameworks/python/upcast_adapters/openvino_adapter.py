"""OpenVINO on the CPU, which converts a program of torch.export. It is told to compute in float32. By default it
computes in bfloat16 on processors that have that."""

import logging
import re
import warnings

import numpy as np
import openvino
import torch
from openvino import Type
from openvino.frontend import GeneralFailure, NotImplementedFailure, OpConversionFailure, OpValidationFailure
from openvino.frontend.pytorch.fx_decoder import TorchFXPythonDecoder

from upcast_adapters.importer import Importer, blame
from upcast_adapters.torch_device import DTYPES, bytes_of
from upcast_protocol import Skipped

# The dtypes that OpenVINO's importer of torch knows. Complex ones are left out, because OpenVINO's tensors cannot hold
# them.
TYPES = {"bool": Type.boolean, "uint8": Type.u8, "int8": Type.i8, "int16": Type.i16, "int32": Type.i32, "int64": Type.i64,
         "float16": Type.f16, "bfloat16": Type.bf16, "float32": Type.f32, "float64": Type.f64, "float8_e4m3fn": Type.f8e4m3,
         "float8_e5m2": Type.f8e5m2}
NAMES = {kind: name for name, kind in TYPES.items()}
# INFERENCE_NUM_THREADS=1 is left out: with it OpenVINO loses exceptions, and results are empty.
CONFIG = {"INFERENCE_PRECISION_HINT": "f32"}


class Adapter(Importer):
    name, version = "openvino", openvino.__version__
    lacks = tuple(dtype for name, dtype in DTYPES.items() if name not in TYPES)
    no_op = "No conversion rule found"
    no_dtype = "unsupported (src|dst)_prc"
    refused = (GeneralFailure, NotImplementedFailure, OpConversionFailure, OpValidationFailure)

    def warm(self):
        logging.disable(logging.ERROR)
        warnings.filterwarnings("ignore")
        self.versions = {**self.versions, "openvino": openvino.__version__}
        openvino.convert_model(torch.export.export(torch.nn.Identity(), (torch.zeros(1),), strict=False))

    def converted(self, exported, calls):
        try:
            return openvino.convert_model(exported)
        except OpConversionFailure as why:
            lacking = re.search(self.no_op + r" for operations: (.*)", str(why))
            names = lacking[1].split(", ") if lacking else []
            if names:
                blame(exported.run_decompositions(TorchFXPythonDecoder._decomp_table), calls, lambda node: self.fault_of(node, names))
            raise

    @staticmethod
    def fault_of(node, names):
        return Skipped(f"no conversion rule of {node.target}") if str(node.target) in names else None

    def lower(self, module, inputs):
        model = self.converted(torch.export.export(module, inputs, strict=False), module.calls)
        request = openvino.Core().compile_model(model, "CPU", CONFIG).create_infer_request()
        return lambda operands: self.run(request, operands)

    def run(self, request, operands):
        request.infer([given(each) for each in operands])
        return [told(each) for each in request.output_tensors]


def given(operand):
    tensor = openvino.Tensor(TYPES[str(operand.dtype).removeprefix("torch.")], openvino.Shape(operand.shape))
    if operand.numel():
        tensor.data.reshape(-1).view(np.uint8)[:] = np.frombuffer(bytes_of(operand), np.uint8)
    return tensor


def told(tensor):
    return NAMES.get(tensor.element_type, tensor.element_type.get_type_name()), tuple(tensor.shape), tensor.data.tobytes()
