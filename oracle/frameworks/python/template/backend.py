"""A backend for upcast in Python: copy this file, and put your own implementation where it adds and negates.

    upcast run 'add.Tensor(float32[3], 2.5)' --subject 'process:python3 backend.py' --oracle impl:cpu

PYTHONPATH names the folder of upcast_protocol (oracle/frameworks/python, or share/upcast/python where upcast is installed).
"""

from upcast_protocol import Backend, Refused, Tensor, serve

DTYPES = ["int32", "float32", "float64"]  # in the order in which they promote


def dtype_of(operands):
    """Tensors promote to the widest of them; a number (a Python bool, int or float) only raises int32 to float32."""
    dtype = max((each.dtype for each in operands if isinstance(each, Tensor)), key=DTYPES.index)
    if dtype == "int32" and any(isinstance(each, float) for each in operands):
        return "float32"
    return dtype


def elementwise(function):
    """An op on tensors of one shape, on zero-dim tensors and on numbers."""

    def call(*operands):
        if any(isinstance(each, complex) for each in operands):
            raise Refused("no complex numbers here")
        shapes = [each.shape for each in operands if isinstance(each, Tensor)]
        shape = max(shapes, key=len)
        if any(each not in (shape, []) for each in shapes):
            raise Refused(f"shapes {shapes} are not one")
        dtype, count = dtype_of(operands), len(Tensor("int32", shape).values())
        columns = []
        for each in operands:
            values = each.values() if isinstance(each, Tensor) else [each]
            columns.append(values * count if len(values) == 1 else values)
        return Tensor.of(dtype, shape, [function(*row) for row in zip(*columns)])

    return call


class Template(Backend):
    name, version = "template", "1.0"
    dtypes = DTYPES
    functions = {"add": elementwise(lambda a, b: a + b), "neg": elementwise(lambda a: -a)}


if __name__ == "__main__":
    serve(Template())
