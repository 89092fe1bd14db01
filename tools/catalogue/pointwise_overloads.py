"""Writes cases/pointwise_overloads.txt: the overloads that LibTorch tags `pointwise`, a callable a line.

usage: pointwise_overloads.py <native_functions.yaml> <version> [--check <file>]
With --check: exits 1 if the file is not what would be written.
"""

import pathlib
import re
import sys


def overloads(text):
    """The callables of native_functions.yaml that have the tag `pointwise`, in the order of the file."""
    for block in re.split(r"^- func: ", text, flags=re.M)[1:]:
        tags = re.search(r"^  tags: *(.*)$", block, re.M)
        if tags and "pointwise" in re.findall(r"\w+", tags.group(1)):
            yield block[: block.index("(")]


def main():
    names = list(overloads(pathlib.Path(sys.argv[1]).read_text()))
    page = f"# The {len(names)} overloads that LibTorch {sys.argv[2]} tags pointwise: tools/catalogue/pointwise_overloads.py.\n"
    page += "".join(name + "\n" for name in names)
    if "--check" not in sys.argv:
        sys.stdout.write(page)
    elif pathlib.Path(sys.argv[4]).read_text() != page:
        sys.exit(f"{sys.argv[4]} is not what {sys.argv[1]} says: regenerate it with {sys.argv[0]}")


main()
