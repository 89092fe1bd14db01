"""Reads mutants from mutants/*.toml, and puts them into a copy of the tree. A program chooses one of them when it runs.

    area = "iterator"                    # detectors.toml says what should notice
    [[file]]
    path = "impl/iterator/compute_shape.cc"
    ops = ["add"]                        # the ops whose cases reach it; of a functor found by itself
    mutants = [
      ["size == 1", "size <= 1"],        # text that stands once in the file, and what it becomes
      {old = "==", new = "!=", at = "operator()(T a, T b) const {"},   # the first one after a text that stands once
      {old = "a", new = "a + 0", equivalent = "a number plus 0 is itself"},
      {old = "x", new = "{0} && MUTANT ? y : x", each = [["p"], ["q"]]},   # one mutant an entry
      {op = "add.Tensor", set = "checks_overlap = false"},           # a field of the op's spec
      {old = "_mm512_f(x)", new = "x", needs = "x86-64-v4"},         # code that only such a machine runs (capabilities.py)
    ]

An expression becomes (chosen ? new : old), a statement (its text ends with `;` or holds one) if (chosen) {new} else {old}.
Where neither is C++, `new` says MUTANT itself. Blanks in `old` stand for any blanks.
"""

import dataclasses
import pathlib
import re
import tomllib
import zlib

HEADER = "impl/core/mutant.h"
SPECS = "impl/ops/mutated_specs.h"


class MutantError(Exception):
    """Raised if a mutant cannot be made. Its text names the file and the fault."""


@dataclasses.dataclass
class Mutant:
    area: str
    path: str
    line: int
    old: str
    new: str
    span: tuple = None  # (begin, end) of `old` in the file; None for a field of an op's spec
    at: str = ""
    op: str = ""
    ops: list = dataclasses.field(default_factory=list)
    detectors: list = dataclasses.field(default_factory=list)  # names of the file's own detectors, which run before the area's
    equivalent: str = ""
    needs: str = ""  # the capability (impl/core/capability.h) that runs this code; "": any machine

    @property
    def id(self):
        """The number in UPCAST_MUTANT that chooses this mutant when a program runs."""
        start = self.span[0] if self.span else self.op
        return zlib.crc32(f"{self.path}|{self.old}|{self.new}|{start}".encode())

    @property
    def key(self):
        """The mutant's key in files of results. It stays the same if code around the mutant changes."""
        return f"{zlib.crc32('|'.join((self.path, one_line(self.old), self.new, self.at, self.op)).encode()):08x}"

    def __str__(self):
        return f"{self.path}:{self.line}: {one_line(self.old)}  ->  {one_line(self.new)}"


def one_line(text):
    return " ".join(text.split())


def pattern(text):
    return re.compile(r"\s+".join(re.escape(word) for word in text.split()))


def find(source, path, old, at=None):
    """(begin, end) of the text `old` in a file: the only one or, with `at`, the first after that text. Raises MutantError."""
    start = 0
    if at:
        anchors = list(pattern(at).finditer(source))
        if len(anchors) != 1:
            raise MutantError(f"{path}: {len(anchors)} times '{at}', the text that a mutant follows; it must occur once")
        start = anchors[0].end()
    found = list(pattern(old).finditer(source, start))
    if not found:
        raise MutantError(f"{path}: no '{one_line(old)}'; correct the mutant in tools/mutation/mutants")
    if len(found) > 1 and not at:
        raise MutantError(f"{path}: {len(found)} times '{one_line(old)}'; name a text before it by `at`")
    return found[0].span()


def check_whole(source, path, span):
    """Raises MutantError unless `old` is a whole expression. Brackets around a part of one would change the program even without a mutant."""
    depth, top = 0, ""
    for letter in source[slice(*span)].replace("->", ""):
        depth -= letter in ")]}"
        top += letter if depth == 0 else ""
        depth += letter in "([{"
    before, after = source[:span[0]].rstrip()[-1:], source[span[1]:].lstrip()[:1]
    sums = re.search(r"[-+?|]|[<>=!]=|\s[<>&]\s", re.sub(r"[\w)\]](->|\.)", "", top.strip().lstrip("-+")))
    if sums and ";" not in top and (before in "*/%" or after in "*/%"):
        text = one_line(source[slice(*span)])
        raise MutantError(f"{path}: '{text}' is not the whole expression: '{before}' stands before it, '{after}' after it")


def is_statement(text):
    return text.endswith(";") or text.endswith("}") and ";" in text


def check_expression(source, path, span):
    """Raises MutantError if `old`, which is no statement, is clearly no expression either: the mutated tree would not compile."""
    old = source[slice(*span)]
    colons, outside, inside = old.replace("::", "").count(":"), old, None
    while inside != outside:  # leaves what stands outside of all brackets
        inside, outside = outside, re.sub(r"\([^()]*\)|\[[^][]*\]|\{[^{}]*\}|<[\w:, ]*>", "", outside)
    if (re.match(r"(if|for|while|using|return)\b", old) or re.search(r"[-+*/%<=&|^!~?:,]$", old) or old.count("?") != colons or "," in outside or
            any(old.count(a) != old.count(b) for a, b in ("()", "[]", "{}"))):
        raise MutantError(f"{path}: '{one_line(old)}' is neither an expression nor a statement")
    if re.search(r"\w$", old) and source[span[1]:].startswith("("):
        raise MutantError(f"{path}: '{one_line(old)}' ends within a call: '(' stands after it")


def check_statement(source, path, span):
    """Raises MutantError if `old`, which ends as a statement does, starts within one."""
    before = re.sub(r"((//|^ *#)[^\n]*\s*)+\Z", "", source[:span[0]], flags=re.M).rstrip()  # without comments and #pragma
    if not re.search(r"([;{})\]:]|\belse)$", before):
        raise MutantError(f"{path}: '{one_line(source[slice(*span)])}' is the end of a statement: give all of it, or an expression without ';'")


def target_of(source, position):
    """The capability for which the function at a position of the source is compiled; "" if every machine runs it."""
    function = source[max(source.rfind("\n}", 0, position), 0):position]
    found = re.findall(r"^ *UPCAST_TARGET_V([34]) ", function, re.M)
    return f"x86-64-v{found[-1]}" if found else ""


def op_of(source, position):
    """[the name of the op] whose struct holds a position of a file; [] if the position is in no struct of an op."""
    structs = list(re.finditer(r"^struct (\w+) \{.*?^\};", source, re.M | re.S))
    for struct in structs:
        if struct.start() <= position < struct.end():
            name = re.search(r"OpSpec spec\{\s*\.name = \"([^\"]+)\"", struct.group())
            return [name.group(1)] if name else []
    return []


def from_row(root, area, file, row):
    """The mutants that one entry of a table stands for. Raises MutantError."""
    row = {"old": row[0], "new": row[1]} if isinstance(row, list) else dict(row)
    path = file["path"]
    source = (root / path).read_text()
    common = {"area": area, "path": path, "detectors": file.get("detectors", []),
              "equivalent": row.get("equivalent", ""), "at": row.get("at", ""), "needs": row.get("needs", "")}
    if "op" in row:
        start, _ = find(source, path, f'"{row["op"]}(')
        name = op_of(source, start)
        return [Mutant(**common, line=source.count("\n", 0, start) + 1, old=row["op"], new=row["set"], op=row["op"], ops=name)]
    span = find(source, path, row["old"], row.get("at"))
    check_whole(source, path, span)
    if "MUTANT" not in row["new"]:
        check = check_statement if is_statement(source[slice(*span)]) else check_expression
        check(source, path, span)
    if (target := target_of(source, span[0])) != common["needs"]:
        where = f"code for {target}: say needs = \"{target}\"" if target else "code that every machine runs: it needs nothing"
        raise MutantError(f"{path}: '{one_line(row['old'])}' stands in {where}")
    ops = row.get("ops", file.get("ops")) or op_of(source, span[0])
    line = source.count("\n", 0, span[0]) + 1
    made = []
    for values in row.get("each", [[]]):
        new = row["new"]
        for number, value in enumerate(values):
            new = new.replace("{%d}" % number, value)
        made.append(Mutant(**common, line=line, old=source[slice(*span)], new=new, span=span, ops=ops))
    return made


def load(root, folder):
    """All mutants that the tables in `folder` describe, for the source tree at `root`. Raises MutantError."""
    mutants, errors = [], []
    for table in sorted(pathlib.Path(folder).glob("*.toml")):
        try:
            data = tomllib.loads(table.read_text())
        except tomllib.TOMLDecodeError as error:
            raise MutantError(f"{table}: {error}") from None
        for file in data["file"]:
            for row in file["mutants"]:
                try:
                    mutants += from_row(root, data["area"], file, row)
                except MutantError as error:
                    errors.append(str(error))
    if errors:
        raise MutantError("\n".join(errors))
    ids = {}
    for mutant in mutants:
        if ids.setdefault(mutant.id, mutant) is not mutant:
            raise MutantError(f"{mutant.path}: twice the mutant '{mutant}'")
    return mutants


def chosen(mutant):
    return f"::upcast::mutant_is(0x{mutant.id:08x}U)"


def replacement(mutants, text):
    """C++ that runs the chosen mutant instead of `text`. `mutants`: those of one span. `text`: that span, with mutants of spans within it."""
    old = mutants[0].old
    raw = [mutant for mutant in mutants if "MUTANT" in mutant.new]
    for mutant in raw:
        if mutant.new.endswith(": " + old):  # an expression that ends in the old one
            text = f"({mutant.new[: -len(old)].replace('MUTANT', chosen(mutant))}{text})"
        elif len(mutants) == 1 and text == old:
            return mutant.new.replace("MUTANT", chosen(mutant))
        else:
            raise MutantError(f"{mutant.path}:{mutant.line}: '{one_line(mutant.new)}' leaves no room for the other mutants of this text")
    statement = is_statement(old)
    for mutant in mutants:
        if mutant in raw:
            continue
        if statement:
            text = f"{{ if ({chosen(mutant)}) {{ {mutant.new} }} else {{ {text} }} }}"
        else:
            text = f"({chosen(mutant)} ? ({mutant.new}) : ({text}))"
    return text


def mutated_text(source, path, spans, start=0, end=None):
    """source[start:end] with all mutants put in. `spans`: {(begin, end): mutants}; spans may lie within each other."""
    end = len(source) if end is None else end
    inner = sorted((span for span in spans if start <= span[0] and span[1] <= end), key=lambda span: (span[0], -span[1]))
    text, at = "", start
    for span in inner:
        if span[1] <= at:
            continue  # this span is already put in, as a part of the span before it
        if span[0] < at:
            raise MutantError(f"{path}: the mutants of '{one_line(source[span[0]:span[1]])}' and of what stands before it overlap")
        within = {one: spans[one] for one in inner if one != span and span[0] <= one[0] and one[1] <= span[1]}
        text += source[at:span[0]] + replacement(spans[span], mutated_text(source, path, within, *span))
        at = span[1]
    return text + source[at:end]


def mutated_specs(mutants):
    """The text of a header that applies mutants of op specs: it changes a field of an op's spec while the catalogue is made."""
    cases = "".join(
        f'  if (spec->overloads[0].schema.starts_with("{mutant.op}(") && {chosen(mutant)}) {{\n'
        f"    static OpSpec changed = *spec;\n    changed.{mutant.new};\n    return &changed;\n  }}\n"
        for mutant in mutants)
    return (f'#pragma once\n#include "{HEADER}"\n#include "impl/ops/op_spec.h"\nnamespace upcast::internal {{\n'
            f"inline const OpSpec* mutated_spec(const OpSpec* spec) {{\n{cases}  return spec;\n}}\n}}\n")


def mutated_files(root, mutants):
    """{path: text} of all files with mutants in them, and of the headers that those files need."""
    texts = {HEADER: (pathlib.Path(__file__).parent / "mutant.h").read_text()}
    specs = [mutant for mutant in mutants if mutant.span is None]
    by_path = {}
    for mutant in mutants:
        if mutant.span:
            by_path.setdefault(mutant.path, {}).setdefault(mutant.span, []).append(mutant)
    if specs:
        texts[SPECS] = mutated_specs(specs)
        path = "impl/ops/make_op.h"
        by_path.setdefault(path, {})
    for path, spans in by_path.items():
        source = (root / path).read_text()
        source = mutated_text(source, path, spans)
        if specs and path == "impl/ops/make_op.h":
            start, end = find(source, path, ".spec = &O::spec")
            source = source[:start] + ".spec = mutated_spec(&O::spec)" + source[end:]
            source = f'#include "{SPECS}"\n' + source
        texts[path] = f'#include "{HEADER}"\n' + source
    return texts
