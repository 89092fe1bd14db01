"""Checks the pages of the documents and their links. ci/lint.sh docs runs it from the root of the tree.

- docs/README.md, the index, links to every page in docs/.
- A relative link of README.md, CONTRIBUTING.md, SECURITY.md, CHANGELOG.md or a page leads to a file of the tree, and its #anchor to a heading of it.
- A page that a source or a page names ("design.md") is in the tree.
- README.md fits a screen and a half: 89 lines.

Prints what is wrong, and exits with 1 if anything is.
"""

import pathlib
import re
import sys

INDEX = pathlib.Path("docs/README.md")
README = pathlib.Path("README.md")
README_LINES = 89
SOURCES = {".h", ".cc", ".cu", ".cuh", ".in", ".py", ".sh", ".cmake", ".toml", ".txt", ".md"}
# Names of pages that sources mention although the tree has none: programs write these pages, or controls plant them.
OTHER = {"summary.md", "systems.md", "page.md", "PAGE.md", "x.md", "other_findings.md", "other_compiler_findings.md", "other_operands.md"}
CONTROLS = {pathlib.Path("ci/check_pages.py"), pathlib.Path("ci/lint_controls.sh")}


def prose(page):
    """The text of a page without code blocks and code in backticks."""
    without_blocks = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda code: code[0] if "](" not in code[0] else "", without_blocks)


def links(page):
    """The relative links of a page: (link, file, anchor)."""
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"[a-z]+:", link):
            target, _, anchor = link.partition("#")
            yield link, (page.parent / target).resolve() if target else page.resolve(), anchor


def anchors(page):
    """The anchors that GitHub makes from the headings of a page, for links such as page.md#heading."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def dead_links(page):
    for link, file, anchor in links(page):
        if not file.exists():
            yield f"{page}: the link {link} leads to no file"
        elif not file.is_relative_to(pathlib.Path.cwd()):
            yield f"{page}: the link {link} leads out of the tree"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"{page}: the link {link} leads to no heading of {file.name}"


def tree():
    """The files of the working directory, without hidden folders and the folder build."""
    for folder in sorted(pathlib.Path().iterdir()):
        if folder.is_file():
            yield folder
        elif folder.name != "build" and not folder.name.startswith("."):
            yield from sorted(file for file in folder.rglob("*") if file.is_file())


def strange_pages():
    """Names of pages that a file of the tree mentions, but that the tree does not have."""
    files = list(tree())
    known = {"/".join(file.parts[start:]) for file in files for start in range(len(file.parts))}
    for file in files:
        if file.suffix not in SOURCES or file in CONTROLS:
            continue
        text = re.sub(r"https?://\S+", "", file.read_text(errors="replace"))
        if file.suffix == ".md":  # without its code, whose lines stay
            text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)
        for number, line in enumerate(text.splitlines(), 1):
            for name in re.findall(r"[\w./-]*\w\.md\b", line):
                if name.lstrip("./") not in known and name.rpartition("/")[2] not in OTHER:
                    yield f"{file}:{number}: {name} is not a page of this repository; write here what it says"


def missing_pages(pages):
    listed = {file for _, file, _ in links(INDEX)}
    for page in pages:
        if page != INDEX and page.resolve() not in listed:
            yield f"{INDEX}: {page} is not listed; add a line to the table of its task"


def too_long(readme):
    lines = readme.read_text().splitlines()
    if len(lines) > README_LINES:
        yield f"{readme}: {len(lines)} lines, the limit is {README_LINES}: move what a stranger can do without to docs/"


def main():
    for needed in (README, INDEX):
        if not needed.is_file():
            sys.exit(f"{needed} is missing")
    pages = sorted(pathlib.Path("docs").rglob("*.md"))
    others = [page for page in map(pathlib.Path, ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) if page.is_file()]
    wrong = [*missing_pages(pages), *too_long(README), *strange_pages()]
    for page in [README, *others, *pages]:
        wrong += dead_links(page)
    print("\n".join(wrong) or f"{len(pages)} pages, every one in the index, no dead link, none out of the tree")
    sys.exit(1 if wrong else 0)


main()
