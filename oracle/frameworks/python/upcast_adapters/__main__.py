"""python -m upcast_adapters NAME [SETTING=VALUE&...]: the program that answers for the side python:NAME. Every
adapter has the setting import=MODULE,...: modules to import after the framework, such as one that makes a device
known to it."""

import sys

if sys.version_info < (3, 9):
    sys.exit(f"{sys.executable} is Python {sys.version.split()[0]}; upcast's package needs 3.9 or later")

import hashlib  # noqa: E402
import importlib.util  # noqa: E402
import os  # noqa: E402
import pathlib  # noqa: E402
import sqlite3  # noqa: E402

from upcast_protocol.kept_answers import KeptAnswers  # noqa: E402
from upcast_protocol.server import cannot_serve, one_line, serve, take_output  # noqa: E402


def imported(name):
    """Imports a module. Ends the program with one line if there is no such module, or if importing it fails."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        sys.exit(f"{sys.executable} has no module {error.name}" + (f", which {name} imports" if error.name != name else ""))
    except SystemExit as error:
        sys.exit(f"importing {name} ends the program: {error}")
    except BaseException as error:  # noqa: BLE001: a module may raise anything
        sys.exit(f"importing {name} fails: {one_line(error)}")


def digest_of_module(name):
    """The first 16 digits of the SHA-256 of an imported module's file, or of all files in its package's folders. So a module
    that was changed is another version, although it calls itself the same."""
    package, digest = sys.modules[name.partition(".")[0]], hashlib.sha256()
    inside = [file for folder in getattr(package, "__path__", []) for file in sorted(pathlib.Path(folder).rglob("*"))
              if "__pycache__" not in file.parts]
    for file in filter(pathlib.Path.is_file, inside or [pathlib.Path(getattr(package, "__file__", None) or "")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def adapter_of(name):
    module = f"upcast_adapters.{name.replace('-', '_')}_adapter"
    if importlib.util.find_spec(module) is None:
        sys.exit(f"there is no adapter for {name}")
    return imported(module).Adapter


def backend_of(name, text=""):
    settings = dict(part.partition("=")[::2] for part in text.split("&") if part)
    if "device" in settings or "module" in settings:
        # torch reads ATEN_CPU_CAPABILITY only when it is loaded. With "default", calls that a backend leaves to torch's
        # CPU run as in the default oracle.
        os.environ.setdefault("ATEN_CPU_CAPABILITY", "default")
    adapter = adapter_of(name)
    modules = list(filter(None, settings.pop("import", "").split(",")))
    for module in modules:
        imported(module)
    answers = settings.pop("answers", None)
    unknown = [key for key in settings if key not in adapter.settings]
    if unknown:
        sys.exit(f"unknown setting '{unknown[0]}'; there are {', '.join([*adapter.settings, 'answers', 'import', 'python'])}")
    backend = adapter(**settings)
    modules += [settings["module"]] if "module" in settings else []
    backend.versions = {**backend.versions, **{f"module {module}": digest_of_module(module) for module in modules}}
    return backend, None if answers is None else kept_answers(answers, backend, settings)


def kept_answers(file, backend, settings):
    """Opens a file of kept answers. Ends the program with one line if the file is of another kind."""
    versions = {**backend.versions, "name": backend.name, "version": backend.version, **settings}
    try:
        kept = KeptAnswers(file, versions)
    except sqlite3.Error as why:
        sys.exit(f"answers={file}: {why}")
    backend.versions = {**backend.versions, "answers": f"new ones, and those that {file} keeps"}
    return kept


def main():
    output = take_output()
    try:
        backend, kept = backend_of(*sys.argv[1:])
    except SystemExit as why:
        cannot_serve(str(why), output)
    else:
        serve(backend, output, kept)


main()
