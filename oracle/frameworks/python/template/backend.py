"""A backend for upcast in Python: copy this file, and put your own implementation where it adds and negates.

    upcast run 'add.Tensor(float32[3], 2.5)' --subject 'process:python3 backend.py' --oracle impl:cpu

PYTHONPATH names the folder of upcast_protocol (oracle/frameworks/python).
"""

from upcast_protocol import Backend, Skipped, Tensor, serve

DTYPES = ["int32", "float32", "float64"]  # in the order of promotion: of two dtypes, the later one is the result


def dtype_of(operands):
    """The result dtype. Tensors with dimensions decide before zero-dim tensors. Zero-dim tensors and numbers that
    are floating raise an int32 result, and no other."""
    def widest(tensors):
        return max((each.dtype for each in tensors), key=DTYPES.index, default="")

    tensors = [each for each in operands if isinstance(each, Tensor)]
    found, others = widest([each for each in tensors if each.shape]), widest([each for each in tensors if not each.shape])
    found = others if not found or (found == "int32" and others) else found
    return "float32" if found == "int32" and any(isinstance(each, float) for each in operands) else found


def elementwise(function):
    """An op on tensors of one shape, zero-dim tensors and numbers. What is not supported yet is skipped, not refused."""

    def call(*operands):
        shapes = [each.shape for each in operands if isinstance(each, Tensor)]
        if not shapes or any(isinstance(each, complex) for each in operands):
            raise Skipped("numbers without a tensor and complex numbers are not supported yet")
        shape = max(shapes, key=len)
        if any(each not in (shape, []) for each in shapes):
            raise Skipped("no broadcasting yet")
        dtype, count = dtype_of(operands), len(Tensor("int32", shape).values())
        columns = []
        for each in operands:
            values = each.values() if isinstance(each, Tensor) else [each]
            # Operands are converted to the result dtype before the function computes.
            values = Tensor.of(dtype, [len(values)], values).values()
            columns.append(values * count if len(values) == 1 else values)
        return Tensor.of(dtype, shape, [function(*row) for row in zip(*columns)])

    return call


class Template(Backend):
    name, version = "template", "1.0"
    dtypes = DTYPES
    chains = "rounded"  # a result may be an operand of the next call, after it is rounded to its dtype
    functions = {"add": elementwise(lambda a, b: a + b), "neg": elementwise(lambda a: -a)}

    def describe(self, key):
        return (*key[:2], None)  # results have no strides, so strides are not judged


if __name__ == "__main__":
    serve(Template())
