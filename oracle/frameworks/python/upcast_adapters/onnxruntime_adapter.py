"""ONNX Runtime on the CPU. Each call becomes a model of one node, which is made and loaded once for each tuple of
dtypes. ONNX has neither wrapped numbers nor promotion, so a call with a number is not judged. opset=N takes that
version of the operators."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from upcast_adapters.framework import Framework
from upcast_adapters.numpy_adapter import NAMES, array
from upcast_protocol import Refused, Skipped

TYPES = {name: helper.np_dtype_to_tensor_dtype(np.dtype(name)) for name in NAMES if not name.startswith("complex")}
OPSET = "22"  # the default version of the operators, at which each op of the table has its newest kernels
OF_RULE = (onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph, onnxruntime.capi.onnxruntime_pybind11_state.Fail,
           onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument)
OF_KERNEL = (onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented,)


class Nodes:
    """Makes functions of operators: its attribute Add is a function that runs a node Add."""

    def __init__(self, opset):
        self.opset = opset

    def __getattr__(self, node):
        sessions = {}

        def run(*operands):
            if not all(isinstance(each, np.ndarray) for each in operands):
                raise Skipped("ONNX has no numbers")
            key = tuple(each.dtype for each in operands)
            if key not in sessions:
                sessions[key] = load(node, key, self.opset)
            if isinstance(sessions[key], Refused):
                raise sessions[key]
            return sessions[key].run(None, {f"x{i}": each for i, each in enumerate(operands)})[0]

        return run


def load(node, dtypes, opset):
    """Loads a model of one node. Returns its session, or the reason why there is none."""
    inputs = [helper.make_tensor_value_info(f"x{i}", TYPES[dtype.name], None) for i, dtype in enumerate(dtypes)]
    graph = helper.make_graph([helper.make_node(node, [each.name for each in inputs], ["y"])], node, inputs,
                              [helper.make_empty_tensor_value_info("y")])
    imports = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    except OF_RULE as why:
        return Refused(str(why))
    except OF_KERNEL as why:
        return Refused("no kernel: " + str(why))


class Adapter(Framework):
    settings = ("opset",)
    name, version, dtypes = "onnxruntime", onnxruntime.__version__, list(TYPES)

    def __init__(self, opset=OPSET):
        if not opset.isdigit():
            raise SystemExit(f"opset={opset} is not a number")
        super().__init__("onnxruntime", {"onnx": Nodes(int(opset))})
        self.versions = {"onnx": onnx.__version__, "onnx.opset": opset}
        self.names = {np.dtype(name): name for name in TYPES}

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        return np.array(array(dtype, shape, strides, offset, buffer), order="C")

    def result(self, value):
        return (value.dtype, value.shape), value.tobytes()

    def describe(self, key):
        return self.names[key[0]], key[1], None
