"""docs/findings.md: the declared differences of class bug in LibTorch, by op.

    tools/findings/findings_page.py KNOWN_DIFFERENCES PAGE [--readme README.md] [--upcast build/bin/upcast] [--check]

Each finding's signature is asked of `upcast repro --all-known`. --check compares, and fails where the page is another one;
without --upcast, as in a build that has no LibTorch, it leaves the signatures out. --readme is a page with a table of all
classes of difference, a row each, which is kept in step in the same way."""
import argparse
import collections
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib

HEAD = """# Findings in LibTorch

What `cases/known_differences.toml` declares as a bug of LibTorch, {count} in all ({kinds}), by op, and last what Python cannot show. Each has a
witness ([decision 14](decisions/0014-an-accusation-needs-a-witness.md)). Of each the simplest case, the right answer and the wrong one,
the day on which it was declared, and the thread upstream about this very thing where one is known: {linked} have one.
Found by grids, properties, sweeps and fuzzing; each has been minimised. Made by `tools/findings/findings_page.py`; the file itself has what is by design, decided by the
host or ambiguous besides. Last come the [broken laws](#broken-laws): contradictions between calls of LibTorch, most of which our implementation copies.

For any case of this page, `upcast explain CASE` says what is computed, and `upcast repro CASE --cpp repro.cc --python repro.py` writes two programs that show the
difference and have nothing to do with `upcast` ([how to](how_to/reproduce_a_difference.md)). Two cases of one signature are one finding (`oracle/signature.h`). `upcast repro --all-known --cpp known.cc --python known.py` writes those of all;
`ctest -R findings` builds and runs them, and fails where one no longer shows its difference.

A kind is said of LibTorch (*refusal*: it refuses what it should answer, *accepts*: the reverse), a signature of our implementation beside it. LibTorch is `libtorch:cpu`, its scalar kernels, unless *vector paths* (AVX2, AVX-512) or *meta* stand beside the id.
Errors are in ulp of the exact value, ours and LibTorch's; `inf` is a wrong special value, sign or integer.
"""
CPP_ONLY = "From C++ only"  # last: no user of Python can meet them
SIDES = {"libtorch:cpu?capability=native": ", vector paths", "libtorch:cpu?capability=native&onednn=on": ", oneDNN", "libtorch:meta": ", meta"}


def op_of(case):
    """"add" of "add_.Tensor(...)", "special_i0" of "special_i0.out(...)"."""
    name = re.match(r"[a-zA-Z0-9_]+", case).group(0)
    return name if name.startswith("__") else name.rstrip("_")


def wrong_answer(entry):
    answer = entry.get("oracle", entry.get("answer"))
    return "by a formula: `" + answer.removeprefix("model:") + "`" if answer.startswith("model:") else f"`{answer}`"


def kinds(entry):
    return [entry["kind"]] if isinstance(entry["kind"], str) else entry["kind"]


def witness(entry):
    """What makes it a bug (docs/decisions/0014): calls in code."""
    texts = [entry["witness"]] if isinstance(entry["witness"], str) else entry["witness"]
    return "; ".join(re.sub(r"^path: (.*)$", r"path: `\1`", text) for text in texts)


def errors(entry):
    if "ours_ulp" in entry:
        return f"ours {entry['ours_ulp']:g}, LibTorch {entry['wrong_ulp']:g}"
    return entry.get("no_truth", "")


def reproducer(entry):
    """The command that writes its two programs, with the sides between which it shows (tools/findings/repro_main.cc)."""
    subject = entry.get("subject", "")
    sides = ""
    if subject == "libtorch:meta":
        sides = " --subject impl:meta --oracle libtorch:meta"
    elif subject:
        oracle = "libtorch:meta" if subject.startswith("impl:") else "libtorch:cpu"
        sides = f" --subject {shlex.quote(subject)} --oracle {oracle}"
    return f"upcast repro {shlex.quote(entry['case'])}{sides} --cpp repro.cc --python repro.py"


def short_name(link):
    """The name that the report gives a link (reports/html/upstream.cc)."""
    thread = re.fullmatch(r"https://github\.com/[^/]+/([^/]+)/(?:issues|pull|discussions)/(\d+)", link)
    if thread:
        return f"{thread.group(1)}#{thread.group(2)}"
    host, *_, page = link.removeprefix("https://").split("/")
    return f"{host}: {page.removesuffix('.html')}"


def upstream(entry):
    links = entry.get("link", [])
    links = [links] if isinstance(links, str) else links
    return ", ".join(f"[{short_name(link)}]({link})" for link in links) or "no thread known"


def signatures(upcast):
    """By id, as the comments of the programs that show the known differences have them."""
    done = subprocess.run([upcast, "repro", "--all-known", "--cpp", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"findings_page: {upcast} repro --all-known: {done.stderr.strip()}")
    written = done.stdout
    found = re.findall(r"^// signature (.+)\nint reproduce_(\w+)\(", written, re.MULTILINE)
    return {name.replace("_", "-"): signature for signature, name in found}


def without_signatures(page):
    return re.sub(r"^- signature: .*\n", "", page, flags=re.MULTILINE)


def section(entry, signature):
    lines = [f"### {entry['id']}{SIDES.get(entry.get('subject', ''), '')}", "", f"{entry['reason']}.", "",
             f"- {', '.join(kinds(entry))}, class {entry['class']}, LibTorch {entry['libtorch']}", f"- signature: `{signature}`",
             f"- case: `{entry['case']}`", f"- programs: `{reproducer(entry)}`"]
    lines.append(f"- witness: {witness(entry)}")
    if "truth" in entry:
        lines.append(f"- right: `{entry['truth']}`")
    lines.append(f"- LibTorch: {wrong_answer(entry)}")
    if errors(entry):
        lines.append(f"- errors: {errors(entry)}")
    if "python" in entry:
        lines.append(f"- C++ only: {entry['python']}")
    lines.append(f"- found {entry['found']}, upstream: {upstream(entry)}")
    return "\n".join(lines)


def page_of(toml, by_id):
    bugs = [entry for entry in tomllib.loads(toml)["difference"] if entry["class"] == "bug"]
    counts = counts_by_kind(bugs)
    parts = [HEAD.format(count=len(bugs), linked=sum("link" in entry for entry in bugs),
                         kinds=", ".join(f"{count} of kind {kind}" for kind, count in counts))]
    topics = {}
    for entry in sorted(bugs, key=lambda entry: ("python" in entry, op_of(entry["case"]))):
        topics.setdefault(CPP_ONLY if "python" in entry else op_of(entry["case"]), []).append(entry)
    for topic, entries in topics.items():
        parts.append(f"## {topic}\n\n" + "\n\n".join(section(entry, by_id.get(entry["id"], "")) for entry in entries) + "\n")
    return "\n".join(parts)


LAWS = """## Broken laws

What `upcast laws` finds between calls of LibTorch ([laws](laws.md)) and `cases/laws/broken_laws.toml` declares: {count} causes, {classes}; {kinds}.
Each is shown by two calls that have to answer alike: the first is at fault, the second contradicts it. `ctest -R oracle.broken_laws` asks both.
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
    page = page_of(options.known.read_text(), signatures(options.upcast) if options.upcast else {})
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
