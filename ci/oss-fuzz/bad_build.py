"""Checks a folder that ci/oss-fuzz/build.sh wrote for the faults that OSS-Fuzz refuses (its bad_build_check).

    bad_build.py OUT [--sanitizer address|undefined|none] [--without-edges]

Prints a line a fault, and exits with 1 where there is one. --without-edges: the compiler has no coverage for
libFuzzer (GCC), so that edges are not asked for."""
import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# OSS-Fuzz's own limit: a program built with AddressSanitizer calls it at least so often, any other program less often.
LEAST_ASAN_CALLS = 1000
MOST_BYTES = 10 << 30
SYMBOL = b"LLVMFuzzerTestOneInput"


def targets(out):
    """The fuzz targets in a folder: executables without an extension that hold libFuzzer's entry point."""
    for path in sorted(out.iterdir()):
        if path.is_file() and not path.suffix and path.stat().st_mode & 0o111 and SYMBOL in path.read_bytes():
            yield path


def is_elf_x86_64(path):
    head = path.read_bytes()[:20]
    return head[:4] == b"\x7fELF" and struct.unpack("<H", head[18:20])[0] == 62


def output_of(*arguments, **options):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, errors="replace", **options)
    return done.returncode, done.stdout + done.stderr


def faults_of(target, sanitizer, edges):
    if not is_elf_x86_64(target):
        yield "it is not an ELF program for x86-64"
        return
    with tempfile.TemporaryDirectory() as scratch:  # the file that it leaves if it crashes
        code, text = output_of(target, "-runs=4", f"-artifact_prefix={scratch}/", timeout=300)
    if code != 0 or not re.search(r"Done \d+ runs", text):
        yield f"four runs end with exit code {code}: {text.strip().splitlines()[-1:]}"
    counters = re.search(r"Loaded \d+ modules\s+\((\d+) inline 8-bit counters\)", text)
    if edges and (not counters or int(counters.group(1)) == 0):
        yield "it has no edges: it was made without coverage"
    calls = len(re.findall(r"call.*<__asan", output_of("objdump", "-d", target)[1]))
    if sanitizer == "address" and calls < LEAST_ASAN_CALLS:
        yield f"{calls} calls of ASan's; a build with ASan has {LEAST_ASAN_CALLS}"
    if sanitizer != "address" and calls >= LEAST_ASAN_CALLS:
        yield f"{calls} calls of ASan's in a build with {sanitizer}"
    for name, where in re.findall(r"(\S+) => (.*?)(?: \(0x|$)", output_of("ldd", target)[1], re.M):
        if not (where.startswith(str(target.parent)) or re.match(r"/(usr/)?lib(64)?/", where)):
            yield f"{name} is neither in OUT nor the system's: {where}"


def faults(out, sanitizer="none", edges=True):
    found = list(targets(out))
    if not found:
        yield f"{out} holds no target"
    for target in found:
        for fault in faults_of(target, sanitizer, edges):
            yield f"{target.name}: {fault}"
        for companion in (f"{target.name}.options", f"{target.name}_seed_corpus.zip"):
            if not (out / companion).exists():
                yield f"{target.name}: {companion} is missing"
    if sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) > MOST_BYTES:
        yield "OUT is larger than 10 GB"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sanitizer", choices=["address", "undefined", "none"], default="none")
    parser.add_argument("--without-edges", action="store_true")
    options = parser.parse_args()
    found = list(faults(options.out.resolve(), options.sanitizer, not options.without_edges))
    print("\n".join(found) or f"{options.out}: a good build of {len(list(targets(options.out)))} targets")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
