"""Writes docs/findings.md: the declared differences of class bug in LibTorch, the worst first.

    tools/findings/findings_page.py KNOWN_DIFFERENCES PAGE [--readme README.md] [--upcast build/bin/upcast] [--check]

Each finding's signature is asked of `upcast repro --all-known`. --check compares, and fails where the page is another one;
without --upcast, as in a build that has no LibTorch, it leaves the signatures out. --readme is a page with a table of all
classes of difference, a row each, which is kept in step in the same way."""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tomllib

HEAD = """# Findings in LibTorch

This page lists the bugs of LibTorch that `cases/known_differences.toml` declares, the worst first: {count} in all
({kinds}).
They have {causes} causes. Findings of one cause share a section.
Each has a witness ([decision 14](decisions/0014-an-accusation-needs-a-witness.md)). {linked} have a thread upstream
about the same fault. The [broken laws](#broken-laws) come last: contradictions between calls of LibTorch. Our
implementation copies most of them.

`upcast-measure-findings` measures the severity of a finding, its clearest case, its values and its program. It writes
them into `cases/measured_findings.json`, and `ctest -R findings.measured` measures them again.
`tools/findings/findings_page.py` makes this page from both files.

- `upcast findings list` has this table, with filters.
- `upcast findings issue NAME -o FILE` writes one finding as an issue for PyTorch, `--all -o FOLDER` all of them.
- `upcast explain CASE` shows what a case computes.
- `upcast repro CASE --short` writes a program such as those below ([how to](how_to/reproduce_a_difference.md)).

The severities, the worst first:
- a *crash*;
- a *wrong kind*: NaN, an infinity, another dtype or a refusal, in common dtypes;
- a *wrong value* for ordinary operands of common dtypes;
- a wrong value for *extreme arguments*;
- anything that shows only in *experimental dtypes*: float8, unsigned integers of 16 bits and more, complex of half
  precision.

Findings of one severity are in this order: what Python's public functions can call, then what PyTorch computes without
a setting, then how many of 1,024 ordinary random inputs are wrong, then the relative error.

*Since* is the oldest LibTorch from which on every version at hand shows the case ({versions}). Each finding shows in
the newest one, so none is fixed.

A *place* in a header was read in LibTorch 2.15.0 itself. One in a `.cpp` file was read in an older commit, and what
2.15.0 answers was measured. Look before you cite a line.
"""
SIDES = {"libtorch:cpu?capability=native": ", vector paths", "libtorch:cpu?capability=native&onednn=on": ", oneDNN", "libtorch:meta": ", meta"}


def kinds(entry):
    return [entry["kind"]] if isinstance(entry["kind"], str) else entry["kind"]


def witness(entry):
    """The witness of an entry, which makes it a bug (docs/decisions/0014), as Markdown: calls are in backticks."""
    texts = [entry["witness"]] if isinstance(entry["witness"], str) else entry["witness"]
    return "; ".join(re.sub(r"^path: (.*)$", r"path: `\1`", text) for text in texts)


def short_name(link):
    """A short name for a link to a thread or page, as the report writes it (reports/html/upstream.cc)."""
    thread = re.fullmatch(r"https://github\.com/[^/]+/([^/]+)/(?:issues|pull|discussions)/(\d+)", link)
    if thread:
        return f"{thread.group(1)}#{thread.group(2)}"
    host, *_, page = link.removeprefix("https://").split("/")
    return f"{host}: {page.removesuffix('.html')}"


def upstream(entry, key="link"):
    links = as_list(entry.get(key, []))
    return ", ".join(f"[{short_name(link)}]({link})" for link in links)


def signatures(upcast):
    """{id of a known difference: signature}, read from the comments in the programs of `upcast repro --all-known`."""
    done = subprocess.run([upcast, "repro", "--all-known", "--cpp", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"findings_page: {upcast} repro --all-known: {done.stderr.strip()}")
    written = done.stdout
    found = re.findall(r"^// signature (.+)\nint reproduce_(\w+)\(", written, re.MULTILINE)
    return {name.replace("_", "-"): signature for signature, name in found}


def without_signatures(page):
    return re.sub(r"^- signature: .*\n", "", page, flags=re.MULTILINE)


def words(severity):
    return severity.replace("_", " ")


def answer(text):
    """An answer as text; if all its elements are equal, it shows one of them: float32[4]{1,...}."""
    found = re.fullmatch(r"(\w+\[\d+\])\{(.*)\}", text)
    elements = set(found.group(2).split(",")) if found else set()
    return f"{found.group(1)}{{{elements.pop()},...}}" if len(elements) == 1 and "," in found.group(2) else text


def reach(measured):
    called = measured["reach"]["python"] or ("torch.ops.aten" if measured["python"] else "C++ only")
    return called + ("" if measured["reach"]["default_path"] else ", by a setting")


def share(measured):
    sample = measured["sample"]
    return f"{sample['wrong']:,} of {sample['inputs']:,} in {sample['dtype']}" if sample else ""


def error(measured):
    return "" if measured["relative_error"] is None else f"{measured['relative_error']}"


def in_order(versions):
    """[(version, what it answers)], the oldest version first."""
    return sorted(versions.items(), key=lambda each: [int(part) for part in each[0].split(".")])


def since(measured):
    """The oldest version from which on every version shows the finding; "... or before" if it is the oldest that was asked."""
    asked = in_order(measured["versions"])
    first = len(asked)
    while first > 0 and asked[first - 1][1] == "shows":
        first -= 1
    return asked[first][0] + (" or before" if first == 0 else "") if first < len(asked) else ""


def versions(measured):
    """What the versions of LibTorch answer, in words: "2.7.1, 2.9.1: right; 2.11.0: shows"."""
    if set(measured["versions"].values()) == {"shows"}:
        return "all of them show it"
    by_answer = {}
    for version, answer in in_order(measured["versions"]):
        by_answer.setdefault(answer, []).append(version)
    return "; ".join(f"{', '.join(which)}: {answer}" for answer, which in by_answer.items())


def model(entry):
    """" (NAME)", with the name of the model that computes an entry's wrong answer; "" if it has none."""
    wrong = entry.get("oracle", entry.get("answer"))
    return f" (model `{wrong.removeprefix('model:')}`)" if wrong.startswith("model:") else ""


def by_cause(bugs):
    """[(name of a cause, its entries)]. `bugs` has the worst entry first, and so have the causes and the entries of each."""
    causes = {}
    for entry in bugs:
        causes.setdefault(entry.get("cause", entry["id"]), []).append(entry)
    return list(causes.items())


def table(bugs, measured):
    rows = ["| finding | severity | called as | relative error | ordinary inputs that are wrong | since |", "| --- | --- | --- | --- | --- | --- |"]
    for name, entries in by_cause(bugs):
        mine = measured[entries[0]["id"]]
        rows.append(f"| [{name}](#{anchor(name, entries[0])}) | {words(mine['severity'])} | {reach(mine)} | {error(mine)} | {share(mine)} | {since(mine)} |")
    return "\n".join(rows)


def heading(name, entry):
    return name + SIDES.get(entry.get("subject", ""), "")


def anchor(name, entry):
    return re.sub(r"[^a-z0-9 _-]", "", heading(name, entry).lower()).replace(" ", "-")


def cause_section(name, entries, measured, by_id):
    """The page's section about a cause. If the cause has several entries, each has a section within it."""
    if len(entries) == 1:
        return f"## {heading(name, entries[0])}\n\n" + section(entries[0], measured[name], by_id.get(name, ""))
    parts = [f"### {heading(entry['id'], entry)}\n\n" + section(entry, measured[entry["id"]], by_id.get(entry["id"], "")) for entry in entries]
    return f"## {heading(name, entries[0])}\n\nOne cause, which shows in {len(entries)} ways.\n\n" + "\n\n".join(parts)


def section(entry, mine, signature):
    lines = [f"{entry['reason']}.", ""]
    program = ("python", mine["python"]) if mine["python"] else ("cpp", mine["cpp"])
    if program[1]:
        lines += [f"```{program[0]}", program[1].rstrip("\n"), "```", ""]
    lines += [f"- {words(mine['severity'])}; {', '.join(kinds(entry))}, LibTorch {entry['libtorch']}; called as {reach(mine)}",
              f"- right: `{answer(mine['right'])}`", f"- wrong: `{answer(mine['wrong'])}`{model(entry)}",
              f"- witness: {witness(entry)}", f"- case: `{mine['case']}`", f"- first seen in: `{entry['case']}`", f"- signature: `{signature}`"]
    if mine["sample"]:
        sample = mine["sample"]
        lines.append(f"- {sample['wrong']:,} of {sample['inputs']:,} ordinary random inputs in {sample['dtype']} are wrong; relative error {sample['median_error']} "
                     f"in the median, {sample['largest_error']} at most")
    lines.append(f"- versions of LibTorch: {versions(mine)}")
    if "python" in entry:
        lines.append(f"- C++ only: {entry['python']}")
    if "place" in entry:
        lines.append(f"- place: `{entry['place']}`. {entry['mend']}")
    lines.append(f"- found {entry['found']}, upstream: {upstream(entry) or 'no thread known'}")
    if "related" in entry:
        lines.append(f"- possibly related: {upstream(entry, 'related')}")
    return "\n".join(lines)


def page_of(toml, measured, by_id):
    entries = {entry["id"]: entry for entry in tomllib.loads(toml)["difference"] if entry["class"] == "bug"}
    missing = [name for name in entries if name not in measured] + [name for name in measured if name not in entries]
    if missing:
        sys.exit(f"cases/measured_findings.json is out of date: {', '.join(missing)}; run upcast-measure-findings --out cases/measured_findings.json")
    bugs = [entries[name] for name in measured]
    counts = counts_by_kind(bugs)
    newest = {each["id"]: in_order(each["versions"])[-1] for each in measured.values()}
    fixed = [f"{name} in {version}" for name, (version, answer) in newest.items() if answer != "shows"]
    if fixed:
        sys.exit(f"the page says that the newest LibTorch shows every finding, and that one does not show {', '.join(fixed)}")
    asked = in_order({version: "" for each in measured.values() for version in each["versions"]})
    head = HEAD.format(count=len(bugs), causes=len(by_cause(bugs)), versions=", ".join(version for version, _ in asked), linked=sum("link" in entry for entry in bugs),
                       kinds=", ".join(f"{count} of kind {kind}" for kind, count in counts))
    sections = [cause_section(name, entries, measured, by_id) for name, entries in by_cause(bugs)]
    return head + "\n" + table(bugs, measured) + "\n\n" + "\n\n".join(sections) + "\n"


LAWS = """## Broken laws

`upcast laws` finds contradictions between calls of LibTorch ([laws](laws.md)), and `cases/laws/broken_laws.toml`
declares them: {count} causes, {classes}; {kinds}.
Two calls that should give the same answer show each of them. The first call is wrong, the second contradicts it.
`ctest -R oracle.broken_laws` asks both.
"""
LAW_CLASSES = {"bug": "Another call of the same function, or a sentence of the documentation, contradicts them",
               "by_design": "The documentation says so",
               "ambiguous": "No sentence says which of the two calls is meant"}


def as_list(value):
    return [value] if isinstance(value, str) else value


def counts_by_kind(entries):
    return collections.Counter(kind for entry in entries for kind in kinds(entry)).most_common()


def law_section(entry):
    lines = [f"#### {entry['id']}", "", f"{entry['reason']}.", "",
             f"- {', '.join(kinds(entry))}, law {', '.join(as_list(entry['law']))}, LibTorch {entry['libtorch']}, found {entry['found']}",
             f"- call: `{entry['case']}`", f"- witness: `{entry['witness'].removeprefix('path: ')}`"]
    if "link" in entry:
        lines.append(f"- source: {upstream(entry)}")
    return "\n".join(lines)


def laws_of(toml):
    entries = tomllib.loads(toml)["broken"]
    classes = collections.Counter(entry["class"] for entry in entries)
    parts = [LAWS.format(count=len(entries), classes=", ".join(f"{classes[name]} of class {name}" for name in LAW_CLASSES),
                         kinds=", ".join(f"{count} of kind {kind}" for kind, count in counts_by_kind(entries)))]
    for name, sentence in LAW_CLASSES.items():
        mine = [law_section(entry) for entry in entries if entry["class"] == name]
        parts.append(f"### Class {name}\n\n{sentence}.\n\n" + "\n\n".join(mine) + "\n")
    return "\n".join(parts)


def class_row(entries, name):
    """The row of the README's table: entries of a class, how many of each kind, how many with a thread or page upstream."""
    mine = [entry for entry in entries if entry["class"] == name]
    by_kind = ", ".join(f"{count} {kind}" for kind, count in counts_by_kind(mine))
    return f"| `{name}` | {len(mine)} | {by_kind} | {sum('link' in entry for entry in mine)} |"


def with_class_rows(readme, entries):
    for name in sorted({entry["class"] for entry in entries}):
        row = rf"^\| `{re.escape(name)}` \|.*$"
        if not re.search(row, readme, re.MULTILINE):
            sys.exit(f"the README's table of known differences has no row of class `{name}`")
        readme = re.sub(row, lambda _, name=name: class_row(entries, name), readme, flags=re.MULTILINE)
    return readme


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("known", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path)
    parser.add_argument("--upcast", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check and not options.upcast:
        sys.exit("give --upcast build/bin/upcast, which knows the signatures")
    measured = json.loads((options.known.parent / "measured_findings.json").read_text())["findings"]
    page = page_of(options.known.read_text(), {each["id"]: each for each in measured}, signatures(options.upcast) if options.upcast else {})
    page += "\n" + laws_of((options.known.parent / "laws/broken_laws.toml").read_text())
    found = options.page.read_text() if options.check else ""
    if not options.upcast:
        page, found = without_signatures(page), without_signatures(found)
    written = {options.page: (found, page)}
    if options.readme:
        readme = options.readme.read_text()
        entries = tomllib.loads(options.known.read_text())["difference"]
        written[options.readme] = (readme, with_class_rows(readme, entries))
    for file, (old, new) in written.items():
        if not options.check:
            file.write_text(new)
        elif old != new:
            again = f"tools/findings/findings_page.py {options.known} {options.page} --upcast build/bin/upcast"
            sys.exit(f"{file} is not what {options.known} says; run: {again}" +
                     (f" --readme {options.readme}" if options.readme else ""))


if __name__ == "__main__":
    main()
