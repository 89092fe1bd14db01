#!/usr/bin/env python3
"""Writes the page of the witnesses' answers that contradict LibTorch: groups of cases, each with a verdict from the triage.

usage: witness_page.py GROUPS.json TRIAGE.toml PAGE [--check]
Fails where a group has no verdict, where a verdict is that of no group, where a bug names no entry of known_differences.toml or laws/broken_laws.toml (both
lie by TRIAGE.toml) and does not say why not, and with --check where the page is not what this writes."""

import json
import pathlib
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatchcase

VERDICTS = ("bug", "convention", "theirs", "open", "mended", "how_it_is_asked")
WORDS = {"theirs": "their fault", "how_it_is_asked": "how it is asked"}


def matches(rule, group):
    """Whether a rule of the triage covers a group: for each of its keys, a pattern fits a text that the group has for the key."""
    for key, globs in rule.items():
        if key in ("verdict", "reason", "entry", "undeclared"):
            continue
        texts = group[key] if isinstance(group[key], list) else [group[key]]
        patterns = globs if isinstance(globs, list) else [globs]
        # In patterns of the triage a '[' is plain text, not the beginning of a class of characters.
        if not any(fnmatchcase(text, glob.replace("[", "[[]")) for text in texts for glob in patterns):
            return False
    return True


def entries_by(path):
    """The ids of the known differences and broken laws that are declared in files next to the triage."""
    found = set()
    for name, table in (("known_differences.toml", "difference"), ("laws/broken_laws.toml", "broken")):
        file = pathlib.Path(path).parent / name
        found |= {entry["id"] for entry in tomllib.loads(file.read_text())[table]}
    return found


def entries_of(rule):
    names = rule.get("entry", [])
    return names if isinstance(names, list) else [names]


def triage(kind, groups, rules, entries):
    """[(rule of the triage, the groups that it covers)], in the order of the rules."""
    told = [(rule, []) for rule in rules]
    for group in groups:
        found = next((of for rule, of in told if matches(rule, group)), None)
        if found is None:
            name = ", ".join(str(group[key]) for key in ("op", "change", "question", "over", "refusal", "case") if key in group)
            sys.exit(f"no [[{kind}]] has a verdict of {name}")
        found.append(group)
    for rule, of in told:
        if rule["verdict"] not in VERDICTS:
            sys.exit(f"'{rule['verdict']}' is not a verdict; one of {', '.join(VERDICTS)}")
        if not rule.get("reason"):
            sys.exit(f"a [[{kind}]] of verdict {rule['verdict']} without a reason")
        for name in entries_of(rule):
            if name not in entries:
                sys.exit(f"no entry '{name}', which a [[{kind}]] names: {rule['reason']}")
        if rule["verdict"] == "bug" and not (rule.get("entry") or rule.get("undeclared")):
            sys.exit(f"a [[{kind}]] that is a bug names no entry: {rule['reason']}")
        if not of:
            sys.exit(f"a [[{kind}]] that is of no group: {rule['reason']}")
    return told


def escaped(text):
    return text.replace("|", "\\|")


def code(text):
    return f"`{escaped(text)}`"


def counts(told):
    groups, cases = Counter(), Counter()
    for rule, of in told:
        groups[rule["verdict"]] += len(of)
        cases[rule["verdict"]] += sum(group["cases"] for group in of)
    rows = [f"| {WORDS.get(verdict, verdict)} | {groups[verdict]} | {cases[verdict]:,} |" for verdict in VERDICTS if groups[verdict]]
    return ["| verdict | groups | cases |", "| --- | ---: | ---: |", *rows, ""]


def why(rule):
    """The last cell of a row: the rule's reason, and the entries that declare the bug, or why none does."""
    declared = ", ".join(code(name) for name in entries_of(rule))
    return escaped(rule["reason"]) + (f". Declared as {declared}" if declared else "") + (f". Not declared: {rule['undeclared']}" if "undeclared" in rule else "")


def witness_rows(told):
    lines = ["| verdict | ops | over | LibTorch | the others | groups | cases | an example | why |",
             "| --- | --- | --- | --- | --- | ---: | ---: | --- | --- |"]
    for rule, of in told:
        example = min(of, key=lambda group: len(group["case"]))
        others = "; ".join(f"{voice} {code(has)}" for voice, has in sorted(example["others"].items()))
        place = "" if example["question"] != "another value" or "values=" not in example["case"] else f" (element {example['element']})"
        lines.append("| " + " | ".join((
            WORDS.get(rule["verdict"], rule["verdict"]), ", ".join(sorted({group["op"] for group in of})),
            "; ".join(sorted({group["over"] for group in of})), code(example["libtorch"]), others, str(len(of)),
            f"{sum(group['cases'] for group in of):,}", code(example["case"]) + place, why(rule))) + " |")
    return [*lines, ""]


def torch_rows(told):
    lines = ["| verdict | change | refusals | ops | cases | an example | why |", "| --- | --- | --- | --- | ---: | --- | --- |"]
    for rule, of in told:
        example = min(of, key=lambda group: len(group["case"]))
        lines.append("| " + " | ".join((
            WORDS.get(rule["verdict"], rule["verdict"]), of[0]["change"], "; ".join(escaped(group["refusal"]) for group in of),
            ", ".join(sorted({op for group in of for op in group["ops"]})), f"{sum(group['cases'] for group in of):,}",
            code(example["case"]), why(rule))) + " |")
    return [*lines, ""]


PARTS = {
    "promotion": "One functional case of each callable and tuple of dtypes and numbers, of the grid `promotion`",
    "values": "Functional cases of the grid `ops` with special values, a few elements each, of float16 to float64, bfloat16, complex64, int32 and bool",
    "earlier": "Blocks of the grid `promotion` with `python:torch==2.5.1` as the subject",
}


def asked_rows(asked):
    """Rows of the page's table of parts: what was asked, and which sides were asked."""
    lines = ["| part | what | cases | of | shards | day | sides |", "| --- | --- | ---: | ---: | --- | --- | --- |"]
    for part, what in PARTS.items():
        runs = [run for run in asked if run["part"] == part]
        if not runs:
            continue
        sides = sorted({f"{side} {version}" for run in runs for side, version in run["versions"].items()})
        lines.append(f"| {part} | {what} | {sum(run['cases'] for run in runs):,} | {runs[0]['of']:,} | {', '.join(run['shard'] for run in runs)} | "
                     f"{max(run['date'] for run in runs)} | {'; '.join(sides)} |")
    return [*lines, ""]


def page(groups, rules, entries):
    witnesses = triage("witnesses", groups["witnesses"], rules["witnesses"], entries)
    torch = triage("torch", groups["torch"], rules["torch"], entries)
    return "\n".join([
        "# Answers of witnesses against LibTorch",
        "",
        "`tools/frameworks/witness_page.py` writes this page from `cases/witness_groups.json` (the answers) and",
        "`cases/witness_triage.toml` (our verdicts). The tour says [how witnesses are",
        "asked](guide.md#ask-witnesses-where-the-truth-is-silent); the witnesses are [frameworks](frameworks.md). These commands",
        "draw the cases, ask, and write the groups:",
        "```",
        "ci/frameworks.sh numpy jax paddle array-api-strict onnxruntime torch",
        "python3 tools/frameworks/ask_witnesses.py build/bin/upcast cases/witness_groups.json",
        "```",
        "`--part PART --shard I/N` asks only a part. Groups are made of all parts that were asked. `--help` has the rules for drawing cases.",
        "",
        *asked_rows(groups["asked"]),
        "## Independent libraries",
        "A group is an op, a question, a class of dtypes and the kinds of both values (NaN, infinite, zero, finite). In a group at",
        "least two independent voices agree with each other against LibTorch, and the truth does not decide. They are more than",
        "half of the voices that answer. array-api-strict wraps NumPy, so both are one voice. float8 has one voice, JAX's, and no",
        "group. A case shows one element: the one in which most witnesses differ.",
        "",
        *counts(witnesses),
        *witness_rows(witnesses),
        "## Refusals of torch 2.5.1",
        "The subject is `python:torch==2.5.1`, the oracle is LibTorch. 49,230 cases of the whole grid differ in a refusal.",
        "",
        *counts(torch),
        *torch_rows(torch),
    ])


def main(arguments):
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    if len(paths) != 3:
        sys.exit(__doc__)
    with open(paths[0]) as file:
        groups = json.load(file)
    with open(paths[1], "rb") as file:
        rules = tomllib.load(file)
    text = page(groups, rules, entries_by(paths[1]))
    if check:
        with open(paths[2]) as file:
            if file.read() != text:
                sys.exit(f"{paths[2]} is not what {sys.argv[0]} writes: run tools/regenerate.sh")
        return
    with open(paths[2], "w") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
