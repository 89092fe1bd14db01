"""python -m upcast_adapters NAME [SETTING=VALUE&...]: what python:NAME runs."""

import importlib
import sys

from upcast_protocol import serve


def main():
    settings = dict(part.partition("=")[::2] for part in sys.argv[2].split("&") if part) if len(sys.argv) > 2 else {}
    name = sys.argv[1].replace("-", "_")
    try:
        module = importlib.import_module(f"upcast_adapters.{name}_adapter")
    except ModuleNotFoundError as error:
        sys.exit(f"no adapter for {sys.argv[1]}, or its framework is not in this environment: {error}")
    unknown = [key for key in settings if key not in module.Adapter.settings]
    if unknown:
        sys.exit(f"unknown setting '{unknown[0]}' of python:{sys.argv[1]} ({', '.join(module.Adapter.settings) or 'none'})")
    serve(module.Adapter(**settings))


main()
