"""The programs of upcast as a Python package. pip puts the command `upcast` on the path; all other programs are in this folder."""

import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent


def main():
    """Replaces this process by the program `upcast`. The script that pip installs as `upcast` calls it."""
    program = os.fspath(FOLDER / "bin" / "upcast")
    os.execv(program, ["upcast", *sys.argv[1:]])
