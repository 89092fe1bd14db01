#!/usr/bin/env python3
"""The page of what witnesses say against LibTorch: groups joined with their triage.

usage: witness_page.py GROUPS.json TRIAGE.toml PAGE [--check]
Fails where a group has no verdict, where a verdict is that of no group, and with --check where the page is not what this writes."""

import json
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatchcase

VERDICTS = ("bug", "convention", "theirs", "open", "mended", "how_it_is_asked")
WORDS = {"theirs": "their fault", "how_it_is_asked": "how it is asked"}


def matches(rule, group):
    """Whether each key of the rule has a glob for a text of the group's."""
    for key, globs in rule.items():
        if key in ("verdict", "reason"):
            continue
        texts = group[key] if isinstance(group[key], list) else [group[key]]
        patterns = globs if isinstance(globs, list) else [globs]
        # a verdict or reason in brackets is text: '[' is no class of characters here
        if not any(fnmatchcase(text, glob.replace("[", "[[]")) for text in texts for glob in patterns):
            return False
    return True


def triage(kind, groups, rules):
    """[(rule, its groups)], in the order of the rules."""
    told = [(rule, []) for rule in rules]
    for group in groups:
        found = next((of for rule, of in told if matches(rule, group)), None)
        if found is None:
            name = ", ".join(str(group[key]) for key in ("op", "change", "question", "over", "refusal", "case") if key in group)
            sys.exit(f"no [[{kind}]] has a verdict of {name}")
        found.append(group)
    for rule, of in told:
        if rule["verdict"] not in VERDICTS:
            sys.exit(f"'{rule['verdict']}' is no verdict; one of {', '.join(VERDICTS)}")
        if not rule.get("reason"):
            sys.exit(f"a [[{kind}]] of verdict {rule['verdict']} without a reason")
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


def shown(text):
    return "NaN" if text.startswith("bits:") else text


def witness_rows(told):
    lines = ["| verdict | ops | over | LibTorch | the others | groups | cases | an example | why |",
             "| --- | --- | --- | --- | --- | ---: | ---: | --- | --- |"]
    for rule, of in told:
        example = min(of, key=lambda group: len(group["case"]))
        others = "; ".join(f"{voice} {code(shown(has))}" for voice, has in sorted(example["others"].items()))
        place = "" if example["question"] != "another value" or "values=" not in example["case"] else f" (element {example['element']})"
        lines.append("| " + " | ".join((
            WORDS.get(rule["verdict"], rule["verdict"]), ", ".join(sorted({group["op"] for group in of})),
            "; ".join(sorted({group["over"] for group in of})), code(shown(example["libtorch"])), others, str(len(of)),
            f"{sum(group['cases'] for group in of):,}", code(example["case"]) + place, escaped(rule["reason"]))) + " |")
    return [*lines, ""]


def torch_rows(told):
    lines = ["| verdict | change | refusals | ops | cases | an example | why |", "| --- | --- | --- | --- | ---: | --- | --- |"]
    for rule, of in told:
        example = min(of, key=lambda group: len(group["case"]))
        lines.append("| " + " | ".join((
            WORDS.get(rule["verdict"], rule["verdict"]), of[0]["change"], "; ".join(escaped(group["refusal"]) for group in of),
            ", ".join(sorted({op for group in of for op in group["ops"]})), f"{sum(group['cases'] for group in of):,}",
            code(example["case"]), escaped(rule["reason"]))) + " |")
    return [*lines, ""]


def page(groups, rules):
    witnesses = triage("witnesses", groups["witnesses"], rules["witnesses"])
    torch = triage("torch", groups["torch"], rules["torch"])
    return "\n".join([
        "# What witnesses say against LibTorch",
        "",
        "`tools/frameworks/witness_page.py` writes this page of `cases/witness_groups.json` (what was said) and `cases/witness_triage.toml` (what is made of it).",
        "[How witnesses are asked](guide.md#ask-witnesses-where-the-truth-is-silent), [the frameworks](frameworks.md).",
        "",
        "## Independent libraries",
        "A group is an op, a question and a class of dtypes in which at least two independent voices, more than half of those that say anything, agree with each other against",
        "LibTorch 2.15.0 where the truth decides nothing. Voices: NumPy 2.4.6 with array-api-strict 2.6.1, which wraps it; JAX 0.10.2; Paddle 3.3.1; ONNX Runtime 1.31.1. float8 has one",
        "voice, JAX's, and no group. Asked were one functional case of each op and tuple of dtypes of the grid `promotion` (61,010 cases with `--doubt`; JAX by its shapes), special",
        "values of float32, int32 and complex64 of 88 ops of the grid `ops` (474 cases), and single elements of what these showed.",
        "",
        *counts(witnesses),
        *witness_rows(witnesses),
        "## Refusals of torch 2.5.1",
        "`python:torch` as the subject, LibTorch 2.15.0 as the oracle: one block of 40 of the grid `promotion` (319,232 cases; of a block of 256 at most 64 refusals are",
        "recorded, which seven blocks reach), and the 61,010 cases above. 94,030 cases of the whole grid differ so.",
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
    text = page(groups, rules)
    if check:
        with open(paths[2]) as file:
            if file.read() != text:
                sys.exit(f"{paths[2]} is not what {sys.argv[0]} writes: run tools/regenerate.sh")
        return
    with open(paths[2], "w") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
