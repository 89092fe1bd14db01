"""The Python interpreters that ci/frameworks.sh installs, for tests."""

import os
import pathlib
import sys


def python_of(name):
    """The Python interpreter of a framework's environment. Ends the test with 77, and the reason, if there is none."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    found = pathlib.Path(cache, "upcast/frameworks", name, "bin/python")
    if not found.exists():
        print(f"skipped: no environment of {name}; run: ci/frameworks.sh {name}", file=sys.stderr)
        sys.exit(77)
    return found
