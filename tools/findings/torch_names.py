"""Writes torch_names.json: for each function of ATen, such as "sub" or "elu", its names in Python: in torch, as a method, in torch._refs.

    PYTHON_OF_TORCH tools/findings/torch_names.py fuzz/callable_ids.txt fuzz/findings/torch_names.json [--check]

The member `out` says that the function takes out=. The member `parameters` has the parameters of a function that is written in Python: it
may broadcast operands or rename arguments before it calls ATen."""
import inspect
import json
import pathlib
import sys

import torch
import torch._refs.nn.functional
import torch._refs.special


def first(name, places):
    """(Python name, function) of the first of `places` that has a function of ATen's name; None if none has."""
    for text, place in places:
        short = name.removeprefix("special_") if text.endswith("special") else name
        if (short != name or not text.endswith("special")) and hasattr(place, short):
            return f"{text}.{short}", getattr(place, short)
    return None


def names_of(name):
    told = {}
    if name.endswith("_") and hasattr(torch.Tensor, name):
        told["method"] = name
    elif not name.startswith("_"):
        found = first(name, (("torch", torch), ("torch.special", torch.special), ("F", torch.nn.functional)))
        if found:
            told["function"] = found[0]
            if "out=" in (found[1].__doc__ or ""):
                told["out"] = True
            if inspect.isfunction(found[1]):
                told["parameters"] = list(inspect.signature(found[1]).parameters)
    refs = first(name, (("torch._refs", torch._refs), ("torch._refs.nn.functional", torch._refs.nn.functional),
                        ("torch._refs.special", torch._refs.special)))
    return told | ({"refs": refs[0]} if refs else {})


def main():
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    bases = sorted({line.split()[1].partition(".")[0] for line in lines if line and not line.startswith("#")})
    text = ",\n".join(f"  {json.dumps(name)}: {json.dumps(names_of(name))}" for name in bases)
    text, file = f"{{\n{text}\n}}\n", pathlib.Path(sys.argv[2])
    if "--check" not in sys.argv:
        file.write_text(text)
    elif file.read_text() != text:
        sys.exit(f"{file} is not what torch {torch.__version__} has; run: {sys.executable} {' '.join(sys.argv[:3])}")


if __name__ == "__main__":
    main()
