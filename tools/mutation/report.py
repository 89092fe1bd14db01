"""Writes the results of mutation testing: counts by area, as text, as a page of the documentation, and as JSON."""

import dataclasses
import datetime
import json
import pathlib

import mutants as tables


@dataclasses.dataclass
class Found:
    """What became of a mutant, and which detector noticed it."""
    mutant: tables.Mutant
    status: str = "survived"  # one of: killed, survived, never reached
    by: str = ""
    how: str = ""  # how a detector noticed the mutant: failed, crash, timeout
    evidence: str = ""
    seconds: float = 0.0
    ran: list = dataclasses.field(default_factory=list)


def summary_of(found):
    """The counts of results for each area: {area: counts}. The key 'all' has the sums."""
    areas = {}
    for one in found:
        for area in (one.mutant.area, "all"):
            counts = areas.setdefault(area, dict(mutants=0, killed=0, crash=0, timeout=0, survived=0, never_reached=0, equivalent=0))
            counts["mutants"] += 1
            if one.status == "killed":
                counts["killed"] += 1
                if one.how != "failed":
                    counts[one.how] += 1
            elif one.mutant.equivalent:
                counts["equivalent"] += 1
            else:
                counts[one.status.replace(" ", "_")] += 1
    for counts in areas.values():
        judged = counts["mutants"] - counts["equivalent"]
        counts["score"] = round(counts["killed"] / judged, 4) if judged else 1.0
    return areas


def ordered(areas):
    return sorted(areas.items(), key=lambda item: (item[0] == "all", item[0]))


def is_wrongly_equivalent(one):
    return one.status == "killed" and bool(one.mutant.equivalent)


def skipped_text(skipped):
    """A text about skipped mutants: their number, and a line for each; "" if none was skipped."""
    if not skipped:
        return ""
    plural = "s" if len(skipped) > 1 else ""
    return "\n".join([f"{len(skipped)} mutant{plural} skipped, which this machine cannot run:"] +
                     [f"  {mutant} (needs {mutant.needs})" for mutant in skipped])


def report_text(found, areas, skipped=()):
    lines = [f"{'area':<12} {'mutants':>8} {'killed':>7} {'(crash, timeout)':>17} {'survived':>9} {'never reached':>14} {'equivalent':>11} {'score':>7}"]
    for area, n in ordered(areas):
        lines.append(f"{area:<12} {n['mutants']:>8} {n['killed']:>7} {'(%d, %d)' % (n['crash'], n['timeout']):>17} {n['survived']:>9} "
                     f"{n['never_reached']:>14} {n['equivalent']:>11} {100 * n['score']:>6.1f}%")
    for title, rows in (
            ("survived", [one for one in found if one.status == "survived" and not one.mutant.equivalent]),
            ("never reached", [one for one in found if one.status == "never reached" and not one.mutant.equivalent]),
            ("declared equivalent, but killed", [one for one in found if is_wrongly_equivalent(one)])):
        if rows:
            lines.append(f"\n{title}:")
            lines += [f"  {one.mutant}" + (f"\n      {one.by}: {one.evidence}" if one.by else "") for one in rows]
    if skipped:
        lines.append("\n" + skipped_text(skipped))
    return "\n".join(lines)


def row_of(one):
    mutant = one.mutant
    row = {"file": mutant.path, "line": mutant.line, "area": mutant.area, "id": mutant.key,
           "old": tables.one_line(mutant.old), "new": tables.one_line(mutant.new), "status": one.status}
    if mutant.needs:
        row["needs"] = mutant.needs
    if mutant.equivalent:
        row["proof"] = mutant.equivalent
    if one.status == "killed":
        row |= {"by": one.by, "how": one.how, "evidence": one.evidence}
    return row


def read_results(path):
    """{id: row} from a file that --json wrote; {} if there is no file."""
    path = pathlib.Path(path)
    return {row["id"]: row for row in json.loads(path.read_text())["mutants"]} if path.is_file() else {}


def found_of(mutant, row):
    return Found(mutant, row["status"], row.get("by", ""), row.get("how", ""), row.get("evidence", ""))


def write_results(path, found, last, commit):
    """Writes the results as JSON. `last`: the number of mutants in the last run, and the seconds of its build and run."""
    data = {"date": datetime.date.today().isoformat(), "commit": commit, "last_run": {key: round(value) for key, value in last.items()},
            "areas": summary_of(found), "mutants": []}
    text = json.dumps(data, indent=1)
    rows = ",\n".join("  " + json.dumps(row_of(one)) for one in found)  # one line for each mutant, so that a diff shows changes
    pathlib.Path(path).write_text(text.replace('"mutants": []', f'"mutants": [\n{rows}\n ]') + "\n")


def code(text):
    return "`` " + text.replace("|", "\\|") + " ``"


def counts_of(mutants):
    counts = {}
    for mutant in mutants:
        counts[mutant.area] = counts.get(mutant.area, 0) + 1
    return counts


def write_page(path, found, last, commit, missing):
    """Writes the results as a page of the documentation. `missing`: mutants that no run has judged. `last`: as write_results()."""
    areas = summary_of(found)
    lines = ["# The mutants and their results", "",
             f"`ci/mutate.sh --page docs/mutation.md` wrote this page on {datetime.date.today().isoformat()}, commit {commit}.",
             f"Its last run was of {last['mutants']} mutants: build {last['build']:.0f} s, run {last['run']:.0f} s.",
             "[How to read it](how_to/mutation_testing.md). `docs/mutation.json` has each mutant.", "",
             "| area | mutants | killed | by a crash, a time-out | survived | never reached | equivalent | score |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    unjudged = counts_of(missing)
    for area, n in ordered(areas):
        score = f"{100 * n['score']:.1f} %" if area not in unjudged and (area != "all" or not missing) else "open"
        lines.append(f"| {area} | {n['mutants']} | {n['killed']} | {n['crash']}, {n['timeout']} | {n['survived']} | {n['never_reached']} | "
                     f"{n['equivalent']} | {score} |")
    killers = {}
    for one in found:
        if one.status == "killed":
            killers[one.by] = killers.get(one.by, 0) + 1
    lines += ["", "First to notice (the cheapest come first): " + ", ".join(f"{by} {n}" for by, n in sorted(killers.items(), key=lambda item: -item[1])) + "."]
    if missing:
        lines += ["", f"Not judged yet: {len(missing)} mutants (" + ", ".join(f"{area} {n}" for area, n in sorted(unjudged.items())) +
                  "). The score of these areas, and of all, is open; the table counts the others."]
    alive = [one for one in found if one.status != "killed" and not one.mutant.equivalent]
    if alive:
        lines += ["", "## Not noticed"] + [f"- {one.mutant.path}:{one.mutant.line} ({one.status}): {code(tables.one_line(one.mutant.old))} became "
                                           f"{code(tables.one_line(one.mutant.new))}" for one in alive]
    bound = [one.mutant for one in found if one.mutant.needs]
    if bound:
        lines += ["", "## Not on every machine", "Only a machine with these instructions runs this code. Another machine skips the mutant, counts and names it, "
                  "and keeps the last result.", ""]
        lines += [f"- {mutant.path}:{mutant.line}, {mutant.needs}: {code(tables.one_line(mutant.old))}" for mutant in bound]
    proved = [one for one in found if one.mutant.equivalent and one.status != "killed"]
    if proved:
        lines += ["", "## Equivalent"] + [f"- {one.mutant.path}:{one.mutant.line}: {code(tables.one_line(one.mutant.old))} became "
                                          f"{code(tables.one_line(one.mutant.new))}: {one.mutant.equivalent}" for one in proved]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
