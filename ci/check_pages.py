"""The pages of the documents: run from the root of the tree, by ci/lint.sh docs.

- docs/README.md, the index, links to every page in docs/.
- A relative link of README.md, CONTRIBUTING.md, CHANGELOG.md or a page leads to a file, and its #anchor to a heading of it.
- README.md fits a screen and a half: 90 lines of at most 120 characters.

Prints what is wrong, and exits with 1 if anything is.
"""

import pathlib
import re
import sys

INDEX = pathlib.Path("docs/README.md")
README = pathlib.Path("README.md")
README_LINES = 90
README_COLUMNS = 120


def prose(page):
    """The text of a page without its code."""
    without_blocks = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda code: code[0] if "](" not in code[0] else "", without_blocks)


def links(page):
    """The relative links of a page: (link, file, anchor)."""
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"[a-z]+:", link):
            target, _, anchor = link.partition("#")
            yield link, (page.parent / target).resolve() if target else page.resolve(), anchor


def anchors(page):
    """What GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def dead_links(page):
    for link, file, anchor in links(page):
        if not file.exists():
            yield f"{page}: the link {link} leads to no file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"{page}: the link {link} leads to no heading of {file.name}"


def missing_pages(pages):
    listed = {file for _, file, _ in links(INDEX)}
    for page in pages:
        if page != INDEX and page.resolve() not in listed:
            yield f"{INDEX}: {page} is not listed; add a line to the table of its task"


def too_long(readme):
    lines = readme.read_text().splitlines()
    if len(lines) > README_LINES:
        yield f"{readme}: {len(lines)} lines, the limit is {README_LINES}: move what a stranger can do without to docs/"
    for number, line in enumerate(lines, 1):
        if len(line) > README_COLUMNS:
            yield f"{readme}:{number}: {len(line)} characters, the limit is {README_COLUMNS}"


def main():
    for needed in (README, INDEX):
        if not needed.is_file():
            sys.exit(f"{needed} is missing")
    pages = sorted(pathlib.Path("docs").rglob("*.md"))
    others = [page for page in map(pathlib.Path, ("CONTRIBUTING.md", "CHANGELOG.md")) if page.is_file()]
    wrong = [*missing_pages(pages), *too_long(README)]
    for page in [README, *others, *pages]:
        wrong += dead_links(page)
    print("\n".join(wrong) or f"{len(pages)} pages, every one in the index, no dead link")
    sys.exit(1 if wrong else 0)


main()
