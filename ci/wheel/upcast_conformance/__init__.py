"""The programs of upcast as a Python package: `upcast` is on the path, everything else in this folder."""

import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent


def main():
    """Becomes the program; the script that pip writes for `upcast` calls it."""
    program = os.fspath(FOLDER / "bin" / "upcast")
    os.execv(program, ["upcast", *sys.argv[1:]])
