"""PyTorch's own samples of elementwise ops (OpInfo), on the device "upcast": a test of our implementation that others wrote.

    opinfo.py LIBRARY DECLARED [--op NAME...] [--every N] [--skip CHECK...] [--json FILE] [--control]

LIBRARY is libupcast_device.so, DECLARED the file of what may fail (cases/opinfo_declared.toml). Checks, each counted:
  sample     sample_inputs of each dtype that the OpInfo claims: as torch on the CPU, dtype and shape exactly, values
             within torch.testing's tolerances; in_place and out: the same samples in these forms
  reference  reference_inputs: as the OpInfo's NumPy reference, or as torch's CPU where that does not meet it either
  error      error_inputs: an error of the type that the OpInfo wants
  claim      every other dtype: refused where torch on the CPU refuses it
  routed     the op's samples reach kernels of ours
Exit code 0 where everything that fails is declared and everything that is declared fails; 1 otherwise.
--op, --every and --skip take a part; --control plants a wrong result in each op and expects that it is noticed.
"""

import argparse
import collections
import json
import os
import pathlib
import sys
import tomllib
import types
import warnings

# Chooses scalar paths, because vector paths contract to FMA. torch reads ATEN_CPU_CAPABILITY only when it is loaded.
os.environ["ATEN_CPU_CAPABILITY"] = "default"
import torch_without_dsls  # noqa: F401
import torch
import upcast_device

warnings.filterwarnings("ignore")
CHECKS = ["sample", "in_place", "out", "reference", "error", "claim", "routed"]
DEVICE = "upcast"
ROOT = pathlib.Path(__file__).parents[3]
SHOWN = 2  # failures that are printed for a check, op and dtype


def title(op):
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def on_cpu(value):
    return value.transform(lambda x: x.cpu() if isinstance(x, torch.Tensor) else x)


def outcome(call, *arguments, **keywords):
    """Makes the call. Returns (results, None), or (None, the exception) if it raised one."""
    try:
        return call(*arguments, **keywords), None
    except Exception as error:  # noqa: BLE001: any error is an answer
        return None, error


def flat(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


class Kind(str):
    """The text of a difference of dtype or shape, which a declaration of wrong values does not cover."""


def difference(actual, expected):
    """The text of how two outcomes differ, or None if they agree."""
    (ours, our_error), (theirs, their_error) = actual, expected
    if our_error or their_error:
        if our_error and their_error:
            return None
        return f"refuses: {first_line(our_error)}" if our_error else f"answers where it should refuse: {first_line(their_error)}"
    for one, other in zip(flat(ours), flat(theirs), strict=True):
        if not isinstance(other, torch.Tensor):
            if one != other:
                return f"{one} for {other}"
            continue
        if one.device.type != DEVICE:
            return f"the result is on {one.device}"
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return Kind(f"{one.dtype}{list(one.shape)} for {other.dtype}{list(other.shape)}")
        try:
            torch.testing.assert_close(one.cpu(), other, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())[:200]
    return None


def first_line(error):
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


class Suite:
    def __init__(self, declared, control, skipped):
        self.declared = declared
        self.control = control
        self.skipped = skipped
        self.ran = collections.Counter()
        self.failed = []  # (check, op, dtype, what failed) of each failure
        self.declared_failures = collections.Counter()  # failures by the index of the entry that declares them
        self.without_samples = 0  # pairs of op and unclaimed dtype for which the OpInfo makes no sample
        self.unmet = 0  # expectations of an OpInfo that torch's CPU does not meet either
        self.calls = collections.Counter()

    def record(self, check, op, dtype, what):
        self.ran[check] += 1
        if what is None:
            return
        dtype = str(dtype).removeprefix("torch.")
        for index, entry in enumerate(self.declared):
            if not isinstance(what, Kind) and title(op) in entry["op"] and check in entry["check"] and dtype in entry.get("dtype", [dtype]):
                self.declared_failures[index] += 1
                return
        self.failed.append((check, title(op), dtype, what))
        if sum(1 for failure in self.failed if failure[:3] == (check, title(op), dtype)) <= SHOWN:
            print(f"{check:10} {title(op)} {dtype}: {what}", flush=True)

    def call(self, function, *arguments, **keywords):
        """Makes a call on the device and returns outcome(). With --control it spoils the first element of the
        result."""
        results, error = outcome(function, *arguments, **keywords)
        if self.control and error is None and isinstance(results, torch.Tensor) and results.numel():
            first = (0,) * results.ndim
            results = results.clone()
            results[first] = ~results[first] if results.dtype == torch.bool else results[first] * 2 + 1
        return results, error

    def run(self, op):
        upcast_device.take_counts()
        self.routed = collections.Counter()
        for dtype in sorted(op.supported_dtypes("cpu"), key=str):
            self.samples(op, dtype)
            self.references(op, dtype)
        others = {torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
                  torch.float32, torch.float64, torch.complex32, torch.complex64, torch.complex128}
        for dtype in sorted(others - set(op.supported_dtypes("cpu")), key=str):
            self.claim(op, dtype)
        self.errors(op)
        self.record("routed", op, "", None if self.routed else "no call of it reaches a kernel of ours")

    def counted(self, function, *arguments, **keywords):
        upcast_device.take_counts()
        results = self.call(function, *arguments, **keywords)
        counts = upcast_device.take_counts()
        self.routed.update(counts["ours"])
        for where in counts:
            self.calls[where] += sum(counts[where].values())
        return results

    def samples(self, op, dtype):
        torch.manual_seed(0)
        for sample in op.sample_inputs(DEVICE, dtype):
            there = on_cpu(sample)
            expected = outcome(op, there.input, *there.args, **there.kwargs)
            actual = self.counted(op, sample.input, *sample.args, **sample.kwargs)
            self.record("sample", op, dtype, difference(actual, expected))
            if "out" not in self.skipped and expected[1] is None and isinstance(expected[0], torch.Tensor) and op.supports_out:
                outs = [torch.full_like(expected[0], 7, device=device) for device in (DEVICE, "cpu")]
                self.record("out", op, dtype, difference(
                    self.counted(op, sample.input, *sample.args, out=outs[0], **sample.kwargs),
                    outcome(op, there.input, *there.args, out=outs[1], **there.kwargs)))
            if "in_place" not in self.skipped and op.inplace_variant is not None and isinstance(sample.input, torch.Tensor):
                selves = [sample.input.clone(), there.input.clone()]
                self.record("in_place", op, dtype, difference(
                    self.counted(op.inplace_variant, selves[0], *sample.args, **sample.kwargs),
                    outcome(op.inplace_variant, selves[1], *there.args, **there.kwargs)))

    def references(self, op, dtype):
        if "reference" in self.skipped or op.ref is None or dtype in (torch.bfloat16, torch.complex32):  # NumPy has neither
            return
        torch.manual_seed(0)
        for sample in op.reference_inputs(DEVICE, dtype):
            there = on_cpu(sample)
            arrays = there.numpy()
            expected, no_reference = outcome(op.ref, arrays.input, *arrays.args, **arrays.kwargs)
            actual = self.counted(op, sample.input, *sample.args, **sample.kwargs)
            what = "the reference refuses" if no_reference else self.against_reference(actual, expected)
            if what is not None:  # does the error come from ours, or from the reference?
                theirs = outcome(op, there.input, *there.args, **there.kwargs)
                what = difference(actual, theirs)
                self.unmet += what is None
            self.record("reference", op, dtype, what)

    @staticmethod
    def against_reference(actual, expected):
        results, error = actual
        if error is not None:
            return first_line(error)
        try:
            for one, other in zip(flat(results), flat(expected), strict=True):
                torch.testing.assert_close(one.cpu(), torch.as_tensor(other), equal_nan=True, check_dtype=False)
        except (AssertionError, TypeError, ValueError, RuntimeError) as error:
            return first_line(error)
        return None

    def errors(self, op):
        if op.error_inputs_func is None:
            return
        torch.manual_seed(0)
        for wrong in op.error_inputs(DEVICE):
            sample = wrong.sample_input
            _, error = outcome(op, sample.input, *sample.args, **sample.kwargs)
            there = on_cpu(sample)
            _, of_cpu = outcome(op, there.input, *there.args, **there.kwargs)
            met = isinstance(error, wrong.error_type)
            if not met and type(error) is type(of_cpu):  # no error of either, mostly
                met = True
                self.unmet += 1
            if self.control:
                met = not met
            self.record("error", op, "", None if met else f"{first_line(error) if error else 'no error'} for {wrong.error_type.__name__}")

    def claim(self, op, dtype):
        torch.manual_seed(0)
        samples, impossible = outcome(lambda: list(op.sample_inputs(DEVICE, dtype)))
        if impossible:
            self.without_samples += 1
            return
        for sample in samples:
            there = on_cpu(sample)
            expected = outcome(op, there.input, *there.args, **there.kwargs)
            self.record("claim", op, dtype, difference(self.counted(op, sample.input, *sample.args, **sample.kwargs), expected))


def load_declared(path):
    path = pathlib.Path(path)
    entries = tomllib.loads(path.read_text())["declared"]
    known = {entry["id"] for entry in tomllib.loads((ROOT / "cases/known_differences.toml").read_text())["difference"]}
    for entry in entries:
        for key in ("op", "check", "reason"):
            if not entry.get(key):
                sys.exit(f"opinfo: {path}: an entry without {key}; each has op, check and reason")
        for key in ("op", "check", "dtype"):
            if isinstance(entry.get(key), str):
                entry[key] = [entry[key]]
        if entry.get("known", "") not in known | {""}:
            sys.exit(f"opinfo: {path}: there is no known difference '{entry['known']}'")
        if unknown := set(entry["check"]) - set(CHECKS):
            sys.exit(f"opinfo: {path}: there is no check {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    return entries


def declares_values_only(declared):
    """A control of the declarations: a declared cell covers a wrong value, but not a wrong dtype."""
    entry = declared[0]
    op = types.SimpleNamespace(name=entry["op"][0], variant_test_name="")
    probe = Suite(declared, control=True, skipped=[])
    for what in ("a value", Kind("a dtype")):
        probe.record(entry["check"][0], op, entry.get("dtype", ["float32"])[0], what)
    return sum(probe.declared_failures.values()) == 1 and [failure[3] for failure in probe.failed] == ["a dtype"]


def elementwise_ops(options):
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.opinfo.core import BinaryUfuncInfo, UnaryUfuncInfo
    ops = [op for op in op_db if isinstance(op, (UnaryUfuncInfo, BinaryUfuncInfo))]
    if unknown := set(options.op) - {title(op) for op in ops}:
        sys.exit(f"opinfo: there is no elementwise OpInfo {', '.join(sorted(unknown))}")
    return [op for op in ops[::options.every] if not options.op or title(op) in options.op]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("declared")
    parser.add_argument("--op", nargs="+", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--skip", nargs="+", default=[], choices=["in_place", "out", "reference"])
    parser.add_argument("--json")
    parser.add_argument("--control", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    upcast_device.load(options.library)
    ops = elementwise_ops(options)
    suite = Suite(load_declared(options.declared), options.control, options.skip)
    for done, op in enumerate(ops, 1):
        suite.run(op)
        if sys.stderr.isatty():
            print(f"\r{done} of {len(ops)} {title(op):40}", end="", file=sys.stderr)

    asked = {title(op) for op in ops}
    stale = [entry for index, entry in enumerate(suite.declared) if suite.declared_failures[index] == 0 and
             set(entry["op"]) <= asked and not set(entry["check"]) & set(options.skip)]
    for entry in stale:
        print(f"stale: {entry['check']} of {entry['op']} no longer fails; delete its entry in {options.declared}")
    failed = collections.Counter(check for check, *_ in suite.failed)
    declared = sum(suite.declared_failures.values())
    print(f"{len(ops)} elementwise OpInfos: " + ", ".join(f"{suite.ran[check]} {check}" for check in CHECKS))
    print(f"{sum(suite.ran.values()) - sum(failed.values()) - declared} as PyTorch, {declared} declared, {sum(failed.values())} not; "
          f"{suite.unmet} expectations that torch's CPU does not meet either; "
          f"{suite.without_samples} unclaimed dtypes without samples; "
          f"{suite.calls['ours']} calls ran on impl:cpu, {suite.calls['fallback']} on LibTorch's CPU")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({
            "opinfos": len(ops), "ran": suite.ran, "failed": failed, "declared": declared, "stale": len(stale),
            "unmet": suite.unmet, "calls": suite.calls}, indent=1) + "\n")
    if options.control:
        blind = sorted({title(op) for op in ops} - {op for check, op, *_ in suite.failed if check not in ("error", "routed")})
        print(f"control: {len(ops) - len(blind)} of {len(ops)} ops notice a wrong result" + (f", not {', '.join(blind)}" if blind else ""))
        if not declares_values_only(suite.declared):
            sys.exit("opinfo: a declaration of values covers a wrong dtype")
        sys.exit(1 if blind else 0)
    sys.exit(1 if suite.failed or stale or not suite.ran["sample"] else 0)


if __name__ == "__main__":
    main()
