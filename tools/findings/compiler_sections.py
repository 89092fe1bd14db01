"""Reads and writes the part of a section of docs/compiler_findings.md that has its program and what that printed."""
import dataclasses
import re


@dataclasses.dataclass
class Shown:
    """The program of a section of docs/compiler_findings.md, and what it printed."""
    language: str
    program: str
    printed: str = ""
    silent: str = ""  # ways of the entry that show no difference in the case


def parsed(page):
    """{cause: Shown}"""
    shown = {}
    for section in re.split(r"^(?=### )", page, flags=re.MULTILINE)[1:]:
        found = re.search(r"^```(python|sh)\n(.*?)\n```$(?:\n\nIt prints:\n\n^```text\n(.*?)\n```$)?", section, re.MULTILINE | re.DOTALL)
        if found:
            silent = re.search(r"^- no difference here by (.*)$", section, re.MULTILINE)
            shown[section.split("\n")[0].removeprefix("### ")] = Shown(found[1], found[2], found[3] or "", silent[1] if silent else "")
    return shown
