"""Checks the words of the documents. ci/lint.sh docs runs it from the root of the tree.

Looks at README.md, CONTRIBUTING.md, SECURITY.md and the pages in docs/ that people write. It fails for
- a line of more than 120 characters that could be broken: tables and code cannot;
- a sentence of more than 45 words, and warns above 30; code in backticks is one word;
- an idiom that misleads (IDIOMS), or a word that docs/glossary.md lists under "Words that are not used";
- a page of more than 250 lines;
- a page with ```console, ```sh or ```case blocks that no test in ci/ names: its examples would not be run;
- a page in docs/measured/ that lacks a date (or says that none was recorded), a machine or a command.
In the pages that programs write it checks idioms and words only. A name such as digamma-beside-minus-one is not prose.

Looks at the reasons and mends of the entries in *.toml files too: reports and pages show each of them alone. It fails for
- an idiom, or a word that is not used;
- a sentence of more than 30 words, or one with a semicolon: it has two facts;
- the name of another entry: a reader of one card does not have it.

Prints what is wrong, and exits with 1 if anything is.
"""

import pathlib
import re
import sys
import tomllib
import typing

PAGES = [pathlib.Path(name) for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
GLOSSARY = pathlib.Path("docs/glossary.md")
MEASURED = pathlib.Path("docs/measured")
AVOIDED = "## Words that are not used"
# Pages that programs write (tools/regenerate.sh, ci/fuzz.sh, ci/mutate.sh). Their generators are responsible for their
# sentences.
GENERATED = {pathlib.Path("docs", f"{name}.md") for name in (
    "accuracy", "catalogue", "compiler_findings", "findings", "mutation", "planted_bugs", "properties", "truth_gaps", "witnesses")}
COLUMNS = 120
LINES = 250
LONG, TOO_LONG = 30, 45
IDIOMS = [
    (r"[Bb]eside", "against, near, next to, compared with"),
    (r"(?<=[,(] )save|save (?:for|where|that|of|when|in|those)", "except"),
    (r"[Bb]ehind", "after"),
    (r"[Nn]obody|[Ww]hoever", "no one, unused, or the subject of the sentence"),
    (r"bur(?:y|ies|ied|ial)|graves?|corpses?", "what happens to the process"),
]


TOLD = re.compile(r"(reason|mend|python) = ")  # the keys of an entry that reports and pages print


class Passage(typing.NamedTuple):
    """A paragraph, list item, heading or table cell of a page: the number of its first line, and its text without markup."""
    line: int
    text: str


def prose_lines(page):
    """The lines of a page that are outside of code blocks, with their numbers."""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if re.match(r"\s*```", line):
            fenced = not fenced
            yield number, ""
        elif not fenced:
            yield number, line


def plain(text):
    """A Markdown text as a reader sees it: code counts as one word, and links and images are their texts."""
    text = re.sub(r"<!--.*?-->", "", text)
    text = re.sub(r"`+[^`]*`+", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"[*_]{1,2}(\S[^*_]*?)[*_]{1,2}", r"\1", text)


def passages(page):
    start, parts = 0, []
    for number, line in [*prose_lines(page), (0, "")]:
        stripped = line.strip()
        row = stripped.startswith("|")
        if parts and (not stripped or row or re.match(r"(#+|[-*]|\d+\.) ", stripped)):
            yield Passage(start, plain(" ".join(parts)))
            parts = []
        if row:
            yield from (Passage(number, plain(cell.strip())) for cell in re.split(r"(?<!\\)\|", stripped.strip("|")))
        elif stripped:
            start = start if parts else number
            parts.append(re.sub(r"^(#+|[-*]|\d+\.) ", "", stripped))
            if stripped.startswith("#"):
                yield Passage(start, plain(parts.pop()))


def sentences(text):
    return re.split(r"(?<=[.!?])[\"')]*\s+", re.sub(r"\b(e\.g|i\.e|cf|etc|vs)\.", r"\1", text))


def first_letter_free(word):
    """A pattern for a word whose first letter may be a capital. A word all in capitals, as in another project's title, does not match."""
    return f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}"


def avoided_words():
    """(word to avoid, word to write) from the glossary's last table, whose first column may hold several words with commas between."""
    _, _, section = GLOSSARY.read_text().partition(AVOIDED)
    for left, right in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, re.M)[2:]:
        yield from ((first_letter_free(word.strip()), right.strip()) for word in left.split(","))


def bad_lines(page):
    for number, line in prose_lines(page):
        breakable = " " in re.sub(r"`[^`]*`", "CODE", line.strip()).lstrip("-*0123456789. ")
        if len(line) > COLUMNS and breakable and not line.lstrip().startswith("|"):
            yield f"{page}:{number}: {len(line)} characters, the limit is {COLUMNS}"


def bad_words(page, texts, words):
    for passage in texts:
        for word, instead in words:
            for found in re.findall(rf"(?<![\w-])(?:{word})(?![\w-])", passage.text):
                yield f"{page}:{passage.line}: '{found}': say {instead}"
        for sentence in sentences(passage.text):
            if re.match(r"Of\b", sentence):
                yield f"{page}:{passage.line}: a sentence begins with 'Of': put its subject first: {sentence[:60]}"


def words_of(sentence):
    return len(re.findall(r"[\w'./:+-]*\w[\w'./:+-]*", sentence))


def long_sentences(page):
    for passage in passages(page):
        for sentence in sentences(passage.text):
            count = words_of(sentence)
            if count > LONG:
                yield count, f"{page}:{passage.line}: a sentence of {count} words: {sentence[:60]}..."


def too_long(page):
    lines = len(page.read_text().splitlines())
    if lines > LINES:
        yield f"{page}: {lines} lines, the limit is {LINES}: split it by meaning"


def not_run(page):
    """A fault for a page that has examples but that no test in ci/ names, so that they are never run."""
    if re.search(r"^```(console|sh|case)$", page.read_text(), re.M):
        tests = [pathlib.Path("ci/CMakeLists.txt"), *pathlib.Path("ci").glob("*_test.py")]
        if not any(page.name in test.read_text() for test in tests if test.is_file()):
            yield f"{page}: no test of ci/ names it, so that its ```console, ```sh or ```case blocks are not run"


def not_repeatable(page):
    """A fault for each thing that a page of measurements lacks, without which a reader cannot repeat the measurement."""
    if page.is_relative_to(MEASURED):
        for needed in ("date", "machine", "command"):
            if not re.search(needed, page.read_text(), re.I):
                yield f"{page}: a measurement without its {needed}"


def entry_files():
    return sorted(file for folder in ("cases", "properties") for file in pathlib.Path(folder).rglob("*.toml"))


def entry_passages(file):
    """The sentences in a TOML file's entries that reports print, a passage for each key. A text must be on one line."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if told := TOLD.match(line):
            yield Passage(number, plain(tomllib.loads(line)[told[1]]))


def faults_of_entry(file, passage, words, names):
    place = f"{file}:{passage.line}"
    yield from bad_words(file, [passage], words)
    for sentence in sentences(passage.text):
        if (count := words_of(sentence)) > LONG:
            yield f"{place}: a sentence of {count} words, the limit is {LONG}: {sentence[:60]}..."
        if ";" in sentence:
            yield f"{place}: a semicolon joins two facts: make two sentences of them: {sentence[:60]}"
    for name in names & set(re.findall(r"[\w-]+", passage.text)):
        yield f"{place}: names the entry {name}, which a reader of this one does not have: say what it says"


def main():
    if not GLOSSARY.is_file():
        sys.exit(f"{GLOSSARY} is missing")
    avoided = list(avoided_words())
    if not avoided:
        sys.exit(f"{GLOSSARY}: no table under '{AVOIDED}'")
    pages = [page for page in PAGES if page.is_file()] + sorted(pathlib.Path("docs").rglob("*.md"))
    wrong, warnings = [], []
    for page in pages:
        wrong += bad_words(page, passages(page), IDIOMS if page == GLOSSARY else IDIOMS + avoided)
        if page in GENERATED:
            continue
        lengths = list(long_sentences(page))
        warnings += [f"warning: {text}" for count, text in lengths if count <= TOO_LONG]
        wrong += [f"{text} The limit is {TOO_LONG}" for count, text in lengths if count > TOO_LONG]
        wrong += [*bad_lines(page), *too_long(page), *not_run(page), *not_repeatable(page)]
    files = entry_files()
    names = {name for file in files for name in re.findall(r'^id = "(\w+(?:-\w+)+)"', file.read_text(), re.M)}
    entries = [(file, passage) for file in files for passage in entry_passages(file)]
    for file, passage in entries:
        wrong += faults_of_entry(file, passage, IDIOMS + avoided, names)
    print("\n".join(warnings + wrong))
    print(f"{len(pages)} pages and {len(entries)} texts of entries read: {len(wrong)} faults of words, {len(warnings)} warnings")
    sys.exit(1 if wrong else 0)


main()
