"""Checks that no code compares an op's name: properties of an op belong in its row (OpSpec in impl/ops/op_spec.h).

usage: check_op_names.py [ROOT]

Fails where C++ or Python compares a text with the name of an op, of an alias or of a callable, or with a part of one
(name.find("_polynomial_")), and where a list holds such names only. Code that must name ops uses an OpSet or a list of Callables, whose names are looked up in the catalogue.
"""

import ast
import pathlib
import re
import sys

IDS = pathlib.Path(__file__).parent.parent / "fuzz" / "callable_ids.txt"  # names of all callables; a test compares the file with the catalogue
# Files that may name ops. impl/ops is the catalogue. The truth and the known differences are about single ops.
# impl/math is below the catalogue. Rule books and adapters name functions of other systems. hard_cases.py writes cases
# for the truth.
EXEMPT = ("impl/ops/", "impl/math/", "impl/promotion/rulebooks/", "oracle/truth/", "oracle/known/", "oracle/frameworks/python/",
          "cases/rulebook_", "build", ".")
EXEMPT_SCRIPTS = ("hard_cases.py", "probe_jax.py")
IS_TEST = re.compile(r"(^|/)testing/|_test\.\w+$")  # tests may compare names of ops
# Names of ops that also mean other things in our code: rounding modes, categories, what a campaign does with a finding.
OTHER_WORDS = {"floor", "trunc", "complex", "real", "log", "copy", "equal", "max", "min", "where", "sign", "positive"}
IS_OP = re.compile(r"(^|_)(op|name|callable|schema|overload)s?$")

LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
SUBJECT = r"([\w.:>\-\[\]()*&]+)"
COMPARED = re.compile(rf"{SUBJECT}\s*[=!]=\s*{LITERAL}|{LITERAL}\s*[=!]=\s*{SUBJECT}")
SEARCHED = re.compile(rf"{SUBJECT}(?:\.|->)(?:starts_with|ends_with|find|rfind|contains|count|compare)\(\s*{LITERAL}")
LISTED = re.compile(r"(?:std::\w+\s*<[^;{}]*(?:string_view|std::string|char)\b[^;{}]*>|(?:std::string_view|char\s*\*)[^;{}(),=]*\[\d*\])[^;(){}]*=?\s*"
                    rf"\{{+\s*({LITERAL}(?:\s*,\s*{LITERAL})*)\s*,?\s*\}}")


def read_names():
    callables = [line.split()[1] for line in IDS.read_text().splitlines() if line and not line.startswith("#")]
    bases = {callable.partition(".")[0] for callable in callables}
    return set(callables) | bases | {base.rstrip("_") for base in bases}


NAMES = read_names()


def asks(subject, text, searched=False):
    """Whether code compares an expression with a text to find out which op it has."""
    words = re.findall(r"[A-Za-z_]\w*", subject)
    of_op = bool(words) and bool(IS_OP.search(words[-1]))
    if text in NAMES:
        return of_op or text not in OTHER_WORDS
    part = re.compile(rf"(^|[_.]){re.escape(text.strip('_.'))}([_.]|$)")
    return searched and of_op and len(text) > 3 and any(part.search(name) for name in NAMES)


def without_comments(text):
    """The source with blanks in place of comments. Literals and line ends stay."""
    return re.sub(rf'//[^\n]*|/\*.*?\*/|{LITERAL}', lambda found: found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0]),
                  text, flags=re.S)


def of_cpp(text):
    text = without_comments(text)
    for found in COMPARED.finditer(text):
        subject, literal = (found[1], found[2]) if found[1] is not None else (found[4], found[3])
        if asks(subject, literal):
            yield found.start(), literal
    for found in SEARCHED.finditer(text):
        if asks(found[1], found[2], searched=True):
            yield found.start(), found[2]
    for found in LISTED.finditer(text):
        literals = re.findall(LITERAL, found[1])
        if all(each in NAMES for each in literals) and not OTHER_WORDS.issuperset(literals):
            yield found.start(), ", ".join(literals[:3])


def texts_in(node):
    """The strings of a list, tuple, set or dictionary whose elements (or keys) are all strings; else an empty list."""
    elements = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    texts = [each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return texts if len(texts) == len(elements) else []


def of_python(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        at = starts[node.lineno - 1] if hasattr(node, "lineno") else 0
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for side in sides:
                others = " ".join(ast.unparse(each) for each in sides if each is not side).replace("'", " ").replace('"', " ")
                searched = isinstance(node.ops[0], (ast.In, ast.NotIn))
                if isinstance(side, ast.Constant) and isinstance(side.value, str) and asks(others, side.value, searched):
                    yield at, side.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("startswith", "endswith", "find", "count"):
            for side in node.args:
                if isinstance(side, ast.Constant) and isinstance(side.value, str) and asks(ast.unparse(node.func.value), side.value, searched=True):
                    yield at, side.value
        elif isinstance(node, (ast.Set, ast.List, ast.Tuple, ast.Dict)):
            texts = texts_in(node)
            if texts and all(each in NAMES for each in texts) and not OTHER_WORDS.issuperset(texts):
                yield at, ", ".join(texts[:3])


READERS = {".cc": of_cpp, ".h": of_cpp, ".cu": of_cpp, ".cuh": of_cpp, ".in": of_cpp, ".py": of_python}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    faults = checked = 0
    for path in sorted(root.rglob("*.*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in READERS or name.startswith(EXEMPT) or path.name in EXEMPT_SCRIPTS or IS_TEST.search(name) or not path.is_file():
            continue
        checked += 1
        text = path.read_text()
        for at, literal in READERS[path.suffix](text):
            faults += 1
            line = text.count("\n", 0, at) + 1
            print(f"{name}:{line}: '{literal}' names an op; put this into the op's row (OpSpec), or use an OpSet", file=sys.stderr)
    print(f"{checked} files, {faults} names of ops")
    return 1 if faults or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
