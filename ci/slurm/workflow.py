"""Writes a plan's tasks as jobs of GitHub Actions: docs/how_to/shards.yml with the plan's grid, sides and number of shards."""
import pathlib
import re

TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "docs/how_to/shards.yml"
MOST_MINUTES = 360  # GitHub's time limit for a job
MOST_JOBS = 256  # GitHub's limit for the jobs of a matrix


def flag(arguments, name, default):
    return arguments[arguments.index(name) + 1] if name in arguments else default


def set_once(text, pattern, value):
    """Replaces the pattern's group 1 in the text by the value. Ends the program unless the pattern matches exactly once."""
    found = list(re.finditer(pattern, text, re.M))
    if len(found) != 1:
        raise SystemExit(f"{TEMPLATE.name} has {len(found)} lines '{pattern}', not one")
    return text[:found[0].start(1)] + value + text[found[0].end(1):]


def workflow_of(plan, template=None):
    """The workflow's text."""
    text = TEMPLATE.read_text() if template is None else template
    if plan["kind"] != "grid":
        raise SystemExit("a workflow runs grids; campaigns and sweeps are for a cluster")
    if plan["tasks"] > MOST_JOBS or plan["minutes"] > MOST_MINUTES:
        raise SystemExit(f"GitHub takes {MOST_JOBS} jobs of {MOST_MINUTES} minutes; the plan has {plan['tasks']} of {plan['minutes']}")
    arguments = plan["arguments"]
    for name, value in (("SUBJECT", flag(arguments, "--subject", "impl:cpu")), ("ORACLE", flag(arguments, "--oracle", "libtorch:cpu")),
                        ("GRID", flag(arguments, "--grid", "")), ("SHARDS", str(plan["tasks"]))):
        text = set_once(text, rf"^  {name}: (.*)$", value)
    text = set_once(text, r"^        shard: (\[.*\])$", str(list(range(1, plan["tasks"] + 1))))
    return set_once(text, r"^  shard:\n(?:    .*\n)*?    timeout-minutes: (\d+)$", str(plan["minutes"]))
