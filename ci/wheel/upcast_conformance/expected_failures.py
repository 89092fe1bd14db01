"""Reads and writes files of expected failures in two forms: our own, and that of PyTorch's op_overrides.

A file in our own form has a line for each callable: its name, the dtypes of the cases that fail, and what fails after a '#':

    add.Tensor  float32 float64  # 12 cases, differ(value): add.Tensor(float32[7], float32[7])
"""

import os
import pathlib
import re

DTYPE = re.compile(r"\b((?:b?complex|bfloat|float|uint|int)\d+(?:_\w+)?|bool)\[")

OP_OVERRIDES = '''"""Expected failures of {subject}, for PyTorch's own device tests:

    from torch.testing._internal.common_device_type import PrivateUse1TestBase
    PrivateUse1TestBase.set_test_configs(op_overrides=op_overrides)
"""

import unittest

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import DecorateInfo

FAILURES = {{  # dtypes by ATen's name of the op
{rows}}}

op_overrides = {{
    info.full_name: [DecorateInfo(unittest.expectedFailure, dtypes=FAILURES[info.aten_name])]
    for info in op_db if info.aten_name in FAILURES
}}
'''


def dtypes_of(records):
    """The names of the dtypes in the case lines of the records."""
    return {name for record in records for name in DTYPE.findall(record["line"])}


def load(file):
    """{callable: dtypes}: the failures that a file of expected failures lists."""
    listed = {}
    for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words:
            listed.setdefault(words[0], set()).update(words[1:])
    return listed


def write(file, failures, subject):
    """Writes a file of expected failures, in PyTorch's form for NAME.py, in our own form for other names. `failures`: {callable: records}."""
    text = op_overrides(failures, subject) if file.endswith(".py") else own(failures, subject)
    path = pathlib.Path(os.path.realpath(file))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    part = path.with_name(f".upcast-{os.getpid()}.part")  # writes a draft first, so that the old file stays if the disk is full
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def own(failures, subject):
    lines = [f"# Expected failures of {subject}. Written by pytest --upcast-write-expected."]
    for name, records in sorted(failures.items()):
        first = records[0]
        lines.append(f"{name}  {' '.join(sorted(dtypes_of(records)))}  # {len(records)} recorded, {first['verdict']}: {first['line']}")
    return "\n".join(lines) + "\n"


def op_overrides(failures, subject):
    dtypes = {}
    for name, records in failures.items():
        dtypes.setdefault(name.partition(".")[0].rstrip("_"), set()).update(dtypes_of(records))
    rows = "".join(f'    "{op}": ({"".join(f"torch.{name}, " for name in sorted(names))[:-1]}),\n' for op, names in sorted(dtypes.items()))
    return OP_OVERRIDES.format(subject=subject, rows=rows)
