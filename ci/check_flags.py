"""Checks that the commands and flags of upcast which the documents name exist, also in examples that check_docs.py does not run.

usage: check_flags.py <upcast> <page or folder>...

Looks at every `upcast COMMAND ... --flag` of code blocks and of code in the text, and asks `upcast COMMAND --help`.
Prints a line for each that is unknown; exits with 1 if there is one, or if no flag was found.
"""

import functools
import pathlib
import re
import subprocess
import sys

# Matches a command of upcast with its arguments, up to the end of the line or to a character such as | or ;. Within
# quotes such a character does not end it.
COMMAND = re.compile(r"(?:^|[`$(;&|] ?)upcast ([a-z-]+)((?:'[^'\n]*'|\"[^\"\n]*\"|\\\n|[^`\n|#;&'\"])*)", re.M)


def code_of(text):
    """The text of a page with blanks in place of everything but code, so that the numbers of lines stay."""
    return "".join(part if index % 2 else re.sub(r"[^\n]", " ", part)
                   for index, part in enumerate(re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.M | re.S)))


@functools.cache
def help_text(upcast, *words):
    """What `upcast WORDS --help` prints; None if upcast has no such command."""
    told = subprocess.run([upcast, *words, "--help"], capture_output=True, text=True, check=False)
    return told.stdout if told.returncode == 0 else None


def flags_of(upcast, page):
    """(line, command, flag, whether upcast knows it) of each flag on a page, and, with "" for the flag, of each unknown command."""
    text = code_of(page.read_text())
    for found in COMMAND.finditer(text):
        line = text.count("\n", 0, found.start(1)) + 1
        command, rest = found[1], re.sub(r"'[^']*'|\"[^\"]*\"", "", found[2])
        known = help_text(upcast, command)
        if known is None:
            yield line, command, "", False
            continue
        if second := re.match(r" ([a-z]+)\b", rest):  # upcast findings list
            known += help_text(upcast, command, second[1]) or ""
        for flag in re.findall(r"(?<![\w-])--[a-z][\w-]*", rest):
            yield line, command, flag, bool(re.search(rf"(?<![\w-]){flag}(?![\w-])", known))


def main():
    upcast, *places = sys.argv[1:]
    paths = map(pathlib.Path, places)
    pages = [page for path in paths for page in (sorted(path.rglob("*.md")) if path.is_dir() else [path])]
    flags = [(page, *flag) for page in pages for flag in flags_of(upcast, page)]
    unknown = [f"{page}:{line}: upcast {command} has no {flag}" if flag else f"{page}:{line}: there is no upcast {command}"
               for page, line, command, flag, is_known in flags if not is_known]
    print("\n".join(unknown) or f"{len(flags)} flags on {len(pages)} pages, all known")
    sys.exit(1 if unknown or not flags else 0)


main()
