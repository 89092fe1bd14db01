"""Checks the tree in the working directory against the layers of docs/architecture.md.

A folder includes only itself and folders on lower lines; a quoted include is a path from the repository root;
each third-party library is included in its own folders only; only one file starts and reaps processes. Prints one line a violation and
exits 1 if there is one.
"""

import pathlib
import re
import sys

# The layers, the lowest first. Folders on one line do not include each other. Each name is a pattern for folders, or for
# one file without its ending. If several patterns fit a path, the last of them counts.
LAYERS = [
    ["impl/core"], ["impl/promotion"], ["impl/tensor"], ["impl/iterator"], ["impl/math"], ["impl/ops"],
    ["impl/cpu", "impl/cuda"],
    ["cases"], ["oracle"], ["oracle/known"], ["oracle/(conclude(_test)?|laws)"], ["oracle/(host|plugin|protocol)"], ["properties"], ["fuzz"], ["reports"], ["tools"], ["bench"],
]
RANK = {folder: rank for rank, folders in enumerate(LAYERS) for folder in folders}

# Third-party headers: {pattern of <header>: where it may be included, as beginnings of folders or endings of file names}.
HOMES = [
    (r"(ATen|c10|torch)/", ["oracle/libtorch/", "oracle/frameworks/privateuse1/", "bench/"]),
    (r"(gtest|gmock)/", ["_test.cc", "_test.h", "reports/testing/", "tools/testing/", "properties/", "fuzz/"]),
    (r"rapidcheck", ["properties/", "_test.cc"]),
    (r"benchmark/", ["bench/"]),
    (r"(mpfr|flint|arb)", ["oracle/truth/", "properties/"]),
    (r"sqlite3\.h", ["reports/"]),
    (r"dlpack/", ["oracle/plugin/"]),
    (r"CLI/", ["tools/"]),
    (r"iostream", ["cases/", "oracle/", "properties/", "fuzz/", "reports/", "tools/", "bench/", "_test.cc"]),
]
# Matches calls that start or reap processes. Only oracle/process may make them, and two more files: one contains the text of
# stand-alone programs, and one is a test that adopts the children of killed commands.
PROCESS = re.compile(r"(?<![.\w])(v?fork|posix_spawnp?|popen|prctl|waitpid|waitid|wait[34])\s*\(")
PROCESS_HOMES = {"oracle/process/child.cc", "oracle/process/keeper.cc", "fuzz/findings/cpp_reproducer.cc",
                 "tools/kills_test.cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    for folder in reversed(RANK):
        if re.match(folder + "[/.]", path):
            return folder
    return None


def violation(path, quote, header):
    if quote == "<":
        for pattern, homes in HOMES:
            if re.match(pattern, header) and not any(path.startswith(h) or path.endswith(h) for h in homes):
                return f"<{header}> belongs to {', '.join(homes)}"
        return None
    mine, theirs = layer_of(path), layer_of(header)
    if theirs is None:
        return f'"{header}" is not a path from the repository root'
    if mine != theirs and RANK[mine] <= RANK[theirs]:
        return f"{mine} may not include {theirs}"
    return None


def main():
    files = violations = 0
    for folder in sorted({folder.split("/")[0] for folder in RANK}):
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.suffix not in {".h", ".cc", ".cu", ".cuh"}:
                continue
            files += 1
            path = file.as_posix()
            if layer_of(path) is None:
                violations += 1
                print(f"{path}: the folder {file.parent} has no layer; add it to ci/check_layers.py")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                what = match and violation(path, *match.groups())
                call = PROCESS.search(line)
                if call and path not in PROCESS_HOMES:
                    what = f"{call[1]}() belongs to oracle/process/child.cc; start an upcast::Child"
                if what:
                    violations += 1
                    print(f"{path}:{number}: {what}")
    print(f"check_layers: {files} files, {violations} violations")
    sys.exit(1 if violations or not files else 0)


main()
