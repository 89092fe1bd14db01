"""Compares how the dtypes of CUDA's kernels differ from a CPU's, as impl/ops/dispatch_macro.cc has it, with PyTorch's OpInfo.

    cuda_dtypes.py UPCAST     exit code 0: alike; 1: not. ci/opinfo.sh --dtypes finds torch and calls it

OpInfo says which dtypes an op takes on a CPU and on CUDA. A dtype that it has for one device only must be so in
`upcast list dispatch`, unless the CPU's kernel has the dtype too.
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "oracle/frameworks/privateuse1"))


def claims():
    """What OpInfo claims: {name of an op: [(dtypes on a CPU, dtypes on CUDA)]}, with a pair for each variant of the op."""
    import torch_without_dsls  # noqa: F401, I001: must be imported before torch.testing
    from torch.testing._internal.common_methods_invocations import op_db
    found = collections.defaultdict(list)
    for op in op_db:
        plain = op.name.removeprefix("nn.functional.").replace(".", "_")
        dtypes = [{str(dtype).removeprefix("torch.") for dtype in each} for each in (op.dtypes, op.dtypesIf["cuda"] or op.dtypes)]
        for name in {plain, op.aten_name}:
            found[name].append(dtypes)
    return found


def listed(upcast):
    rows = json.loads(subprocess.run([upcast, "list", "dispatch", "--json", "-"], check=True, capture_output=True, text=True).stdout)["rows"]
    ops = collections.defaultdict(lambda: {"cpu": set(), "cuda": set()})
    for row in rows:
        ops[row["op"]][row["device"]] |= set(row["dtypes"].split())
    return ops


def main():
    said = claims()
    compared = wrong = differ = 0
    for op, ours in listed(sys.argv[1]).items():
        if op not in said:
            continue
        compared += 1
        more = set().union(*(cuda - cpu for cpu, cuda in said[op])) - ours["cpu"]
        fewer = set.intersection(*(cpu - cuda for cpu, cuda in said[op])) & ours["cpu"]
        differ += bool(more or fewer)
        if ours["cuda"] != (ours["cpu"] | more) - fewer:
            wrong += 1
            print(f"{op}: OpInfo has {sorted(more)} on CUDA alone and {sorted(fewer)} on a CPU alone, "
                  f"`upcast list dispatch` {sorted(ours['cuda'] - ours['cpu'])} and {sorted(ours['cpu'] - ours['cuda'])}")
    print(f"{compared} ops compared, {differ} differ by device, {wrong} wrong")
    sys.exit(1 if wrong or not differ else 0)


main()
