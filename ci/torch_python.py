"""Makes torch importable in Python from the pinned wheel without its CUDA half (three gigabytes of NVIDIA's wheels).

    ci/torch_python.py LIBTORCH PROGRAM   prints the folder for PYTHONPATH; exits 77, with a reason, where it cannot

LIBTORCH is the unpacked wheel's torch/ folder (ci/setup.sh), PROGRAM a program of upcast, which knows where libcudart lies.
A whole torch is its own folder. Otherwise it is torch-python-VERSION in the cache, with links to the wheel's files, except
  lib/libtorch_cuda.so   what libtorch_python wants of the CUDA half: functions that return 0, type information
  typing_extensions.py, sympy, mpmath   which torch imports; ci/setup.sh fetches them, so that a test needs no network
  __init__.py            torch as if built without torch.distributed and torch._native, which start on a CUDA build
"""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).with_suffix(".txt")
EMPTY = ["libc10_cuda.so", "libcudnn.so.9", "libcufile.so.0"]
PATCHES = [
    ("    if USE_GLOBAL_DEPS:\n        _load_global_deps()\n    from torch._C import *  # noqa: F403\n",
     "    from torch._C import *  # noqa: F403\n"
     "    for _name in (\"_c10d_init\", \"_rpc_init\", \"_dist_autograd_init\", \"_faulty_agent_init\"):\n"
     "        vars(sys.modules[\"torch._C\"]).pop(_name, None)\n"),
    ("import torch._native\n", ""),
]


def give_up(why):
    print(f"skipped: {why}", file=sys.stderr)
    sys.exit(77)


def symbols(library, option):
    """(kind, name) of each dynamic symbol of a library, by nm. `option` selects the defined or the undefined ones."""
    output = subprocess.run(["nm", "-D", option, library], check=True, capture_output=True, text=True).stdout
    return {(fields[-2], fields[-1]) for fields in map(str.split, output.splitlines())}


def stub_source(lib):
    """Assembler text that defines the symbols which libtorch_python needs, and which only LibTorch's CUDA libraries have."""
    defined = {name.split("@")[0] for library in ("libtorch_cpu.so", "libc10.so", "libshm.so")
               for _, name in symbols(lib / library, "--defined-only")}
    wanted = set()
    for kind, name in symbols(lib / "libtorch_python.so", "--undefined-only"):
        name = re.sub(r"@libcud(nn|art).*", "", name)
        if kind == "U" and "@" not in name and not re.match("_?Py", name):
            wanted.add(name)
    text = ['.section .note.GNU-stack,"",@progbits', ".bss", "scratch: .skip 64"]
    for name in sorted(wanted - defined):
        text += [f".globl {name}"]
        if name.startswith("_ZTI"):
            text += [".data", f".type {name},@object", ".balign 16",
                     f"{name}: .quad _ZTVN10__cxxabiv117__class_type_infoE+16", ".quad 1f", f'1: .asciz "{name[4:]}"']
        elif name.startswith("_ZTV"):
            text += [".data", f".type {name},@object", ".balign 16", f"{name}: .skip 256"]
        else:  # a static initialiser writes through what get_gil_checker returns
            value = "lea scratch(%rip),%rax" if "get_gil_checker" in name else "xor %eax,%eax"
            text += [".text", f".type {name},@function", f"{name}: {value}", "ret"]
    return "\n".join(text) + "\n"


def link_library(path, source):
    subprocess.run(["g++", "-shared", "-x", "assembler", "-o", path, f"-Wl,-soname,{path.name}", "-"],
                   input=source, text=True, check=True)


def libraries_of(program):
    """The paths of the libcudart and libcupti that the loader finds for a program."""
    output = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return [pathlib.Path(path) for path in re.findall(r"=> (\S*/libcu(?:dart|pti)\S*)", output)]


def assemble(wheel, imports, program, folder):
    torch = folder / "torch"
    lib = torch / "lib"
    lib.mkdir(parents=True)
    for entry in wheel.iterdir():
        if entry.name not in ("lib", "__init__.py"):
            (torch / entry.name).symlink_to(entry)
    for entry in [*(wheel / "lib").iterdir(), *libraries_of(program)]:
        (lib / entry.name).symlink_to(entry)
    (folder / "torchgen").symlink_to(wheel.parent / "torchgen")
    text = (wheel / "__init__.py").read_text()
    for old, new in PATCHES:
        if text.count(old) != 1:
            give_up(f"torch/__init__.py of this version has not once: {old.strip().splitlines()[0]}")
        text = text.replace(old, new)
    (torch / "__init__.py").write_text(text)
    link_library(lib / "libtorch_cuda.so", stub_source(lib))
    for name in EMPTY:
        link_library(lib / name, '.section .note.GNU-stack,"",@progbits\n')
    for entry in imports.iterdir():
        if entry.name != ".complete":
            (folder / entry.name).symlink_to(entry)


def main():
    wheel, program = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if not pathlib.Path(program).is_file():
        sys.exit(f"torch_python.py: {program} is missing; ci/report.sh builds it")
    extensions = list(wheel.glob("_C.*.so"))
    if not extensions or not (wheel / "lib/libtorch_python.so").exists():
        give_up(f"{wheel} holds no Python half of torch; ci/setup.sh unpacks it")
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}-"
    if tag not in extensions[0].name:
        give_up(f"{extensions[0].name} is for another Python than {sys.version.split()[0]}")
    dynamic = subprocess.run(["readelf", "-d", wheel / "lib/libtorch_python.so"], check=True, capture_output=True, text=True)
    if "[libtorch_cuda.so]" not in dynamic.stdout or (wheel / "lib/libtorch_cuda.so").exists():
        print(wheel.parent)  # a whole torch can be imported from its own folder
        return
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
    cache.mkdir(parents=True, exist_ok=True)
    imports = cache / f"torch-python-imports-{re.search('==([^ ]*)', REQUIREMENTS.read_text()).group(1)}"
    if not (imports / ".complete").exists():
        give_up(f"{imports.name} is not in {cache}; run: ci/setup.sh")
    version = re.search(r"__version__ = '([^']+)'", (wheel / "version.py").read_text()).group(1)
    folder = cache / f"torch-python-{version}"
    made_from = pathlib.Path(__file__).read_text() + REQUIREMENTS.read_text() + str(imports) + str(wheel) + str(libraries_of(program))
    with open(cache / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        complete = folder / ".complete"
        if not complete.exists() or complete.read_text() != made_from:
            temporary = folder.with_name(f".tmp.{folder.name}")
            shutil.rmtree(temporary, ignore_errors=True)
            assemble(wheel, imports, program, temporary)
            (temporary / ".complete").write_text(made_from)
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(temporary, folder)
    print(folder)


if __name__ == "__main__":
    main()
