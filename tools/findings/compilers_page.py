"""Writes docs/compiler_findings.md: the declared differences between eager PyTorch and compilers, importers and its other ways to make a call.

    tools/findings/compilers_page.py COMPILER_DIFFERENCES PAGE [--upcast build/bin/upcast] [--check]

Each has a short program (compiler_programs.py) and what that printed. Those stay as the page has them where --upcast is missing, as in
a build that has no command yet; a program that is new or another one runs in the environment of torch. --check compares, and fails
where the page is another one."""
import argparse
import dataclasses
import pathlib
import re
import sys
import tomllib

import run_programs
from compiler_programs import command_of, programs_of
from compiler_sections import Shown, parsed
from findings_page import as_list, kinds, upstream, witness

KINDS = ("crash", "timeout", "value", "dtype", "shape", "strides", "alias", "refusal", "accepts")  # kinds of differences, the worst first
HEAD = """# Findings in PyTorch's compilers and transforms

This page lists calls that another way of PyTorch answers differently from eager.
`cases/compiler_differences.toml` declares {count} causes ({classes}).
[Compilers](compilers.md) has the ways, and how such differences are found. [Findings](findings.md) are about eager
itself. `tools/findings/compilers_page.py` makes this page.

The worst kind comes first: a crash, then a wrong value, dtype, shape or strides, then a *refusal* of what eager
answers, then an answer that eager refuses (*accepts*).

A program prints both answers. Its exit code is 0 while the difference is there. It ends with `AssertionError: mended` once
both agree. Its output is below it. `ctest -R docs.compiler_programs` runs them all.

| cause | kind | class | ways | upstream thread |
| --- | --- | --- | --- | --- |
{rows}
"""


def ways(entry):
    """The subjects of an entry, in short: "compile" for python:torch?via=compile, and "NAME" for python:NAME."""
    return [re.sub(r"^python:torch\?(via=)?|^python:", "", each).replace("&", ", ") for each in [entry["subject"], *as_list(entry.get("also", []))]]


def rank(entry):
    kind = kinds(entry)[0]
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def row(entry):
    threads = upstream(entry).replace("no thread known", "")
    return f"| [{entry['id']}](#{entry['id']}) | {', '.join(kinds(entry))} | {entry['class']} | {', '.join(ways(entry))} | {threads} |"


def section(entry, shown):
    lines = [f"### {entry['id']}", "", f"{entry['reason']}.", "",
             f"- {', '.join(kinds(entry))}, class {entry['class']}, torch {entry['libtorch']}: `{'`, `'.join([entry['subject'], *as_list(entry.get('also', []))])}`",
             f"- case: `{entry['case']}`", f"- right: `{entry['truth']}`" if "truth" in entry else "", f"- wrong: `{entry['answer']}`",
             f"- witness: {witness(entry)}" if "witness" in entry else "", f"- found {entry['found']}, upstream: {upstream(entry)}"]
    lines = [line for i, line in enumerate(lines) if line or i < 4]
    if shown.silent:
        lines.append(f"- no difference here by {shown.silent}")
    lines += ["", f"```{shown.language}", shown.program, "```"]
    if shown.printed:
        lines += ["", "It prints:", "", "```text", shown.printed, "```"]
    return "\n".join(lines)


def page_of(entries, shown):
    entries = sorted(entries, key=rank)
    classes = {name: sum(entry["class"] == name for entry in entries) for name in sorted({entry["class"] for entry in entries})}
    head = HEAD.format(count=len(entries), classes=", ".join(f"{count} of class {name}" for name, count in classes.items()),
                       rows="\n".join(map(row, entries)))
    parts, last = [head], None
    for entry in entries:
        kind = kinds(entry)[0]
        if kind != last:
            parts.append(f"## Kind {kind}\n")
            last = kind
        parts.append(section(entry, shown[entry["id"]]) + "\n")
    return "\n".join(parts)


NOT_ALONE = "a program of this one call shows no difference"


def kept(entry, candidates, before, is_check):
    """What the page shows for an entry, if its program is still one of the candidates; else None, and the program is run again."""
    for i, (_, language, program) in enumerate(candidates):
        if before and (language, program) == (before.language, before.program) and (before.printed or language == "sh"):
            return dataclasses.replace(before, silent=silent_text(candidates, i))
    if is_check and before and (before.language, before.program) == command_of(entry, NOT_ALONE):
        return before
    return None


def silent_text(candidates, turn):
    """The subjects whose programs were tried before candidates[turn] and showed no difference, as Markdown."""
    before = dict.fromkeys(subject for subject, _, _ in candidates[:turn] if subject != candidates[turn][0])
    return ", ".join(f"`{subject}`" for subject in before)


def found_by_running(entries, candidates):
    """{cause: Shown}: for each cause the first program that shows its difference."""
    if entries and not run_programs.PYTHON.exists():
        sys.exit(run_programs.MISSING)
    shown, left = {}, {entry["id"]: entry for entry in entries}
    for turn in range(max((len(candidates[name]) for name in left), default=0)):
        asked = {name: candidates[name][turn] for name in left if turn < len(candidates[name])}
        shown |= {name: Shown(language, program) for name, (_, language, program) in asked.items() if language == "sh"}
        for name, answer in run_programs.run_programs({name: each[2] for name, each in asked.items() if each[1] == "python"}).items():
            fault = run_programs.fault_of(*answer)
            if fault:
                print(f"{name}, {asked[name][0]}: {fault}\n{answer[0]}\n", file=sys.stderr)
            else:
                shown[name] = Shown("python", asked[name][2], answer[0], silent_text(candidates[name], turn))
        left = {name: entry for name, entry in left.items() if name not in shown}
    return shown | {name: Shown(*command_of(entry, NOT_ALONE)) for name, entry in left.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("known", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--upcast", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check and not options.upcast:
        sys.exit("give --upcast build/bin/upcast, which knows the operands")
    entries = tomllib.loads(options.known.read_text())["difference"]
    found = options.page.read_text() if options.page.exists() else ""
    shown = parsed(found)
    again = f"tools/findings/compilers_page.py {options.known} {options.page} --upcast build/bin/upcast"
    if options.upcast:
        candidates = {entry["id"]: programs_of(options.upcast, entry) for entry in entries}
        stored = {entry["id"]: kept(entry, candidates[entry["id"]], shown.get(entry["id"]), options.check) for entry in entries}
        shown = {name: each for name, each in stored.items() if each}
        if not options.check:
            shown |= found_by_running([entry for entry in entries if entry["id"] not in shown], candidates)
    lacking = [entry["id"] for entry in entries if entry["id"] not in shown]
    if lacking:
        sys.exit(f"{options.page} is not what {options.known} says: no program of {', '.join(lacking)}, or another one; run: {again}")
    page = page_of(entries, shown)
    if not options.check:
        options.page.write_text(page)
    elif page != found:
        sys.exit(f"{options.page} is not what {options.known} says; run: {again}")


if __name__ == "__main__":
    main()
