#!/usr/bin/env python3
"""Writes what ci/gpu.sh found as one page and one file of figures: summary.py STATE OUT INPUTS

Reads the JSON and the markers (STEP.done: inputs, exit code) that its steps left in STATE; writes OUT/summary.md and
OUT/bench.json. Steps without a result are reported as missing, and so are results of other programs than those
of INPUTS.
"""
import json
import pathlib
import sys

GRIDS = ("devices", "refusals", "layouts", "ops", "promotion")
STEPS = (["check-kernels", "check-emulated", "check-libtorch", "check-cases", "check-large", "memcheck-control",
          "memcheck", "racecheck-control", "racecheck"]
         + [f"{side}-{grid}" for side in ("ours", "peer") for grid in GRIDS])
SIZES = range(10, 31, 2)
COPY = "copy of 2^28 float32"


def load(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def exit_code(state, step, inputs):
    """The exit code of a step, if it was run with the inputs of this digest; else None."""
    done = state / f"{step}.done"
    words = done.read_text().split() if done.is_file() else []
    return words[1] if words[:1] == [inputs] else None


def step_line(state, step, inputs):
    code = exit_code(state, step, inputs)
    if code is None:
        begun = state / f"{step}.begun"
        current = begun.is_file() and begun.read_text().strip() == inputs
        return f"| {step} | {'not finished' if current else 'did not run'} | |"
    run = load(state / f"{step}.json")
    text = {"0": "passed", "1": "**differences**", "9": "**errors found**"}.get(code, f"exit code {code}")
    if run is None:
        return f"| {step} | {text} | |"
    counts = ", ".join(f"{name} {run[name]:,}" for name in
                       ("planned", "ran", "agree", "known", "unexplained", "not_judged", "crash", "timeout"))
    return f"| {step} | {text} | {counts}; {run['values_judged']:,} values, {run['seconds']:.0f} s |"


def merged_bench(state, inputs):
    """Merges the bench reports of all sizes into one. A row or note that several of them have is in it once."""
    merged = {"rows": [], "versions": {}, "notes": [], "sizes": []}
    for size in SIZES:
        report = load(state / f"bench-{size}.json")
        if report is None or exit_code(state, f"bench-{size}", inputs) is None:
            continue
        merged["sizes"].append(size)
        merged["versions"].update(report["versions"])
        merged["notes"] += [note for note in report.get("notes", []) if note not in merged["notes"]]
        merged["rows"] += [row for row in report["rows"] if row["name"] != COPY or size == 28]
    return merged


def worst(rows, key):
    rows = [row for row in rows if row.get(key) is not None]
    return min(rows, key=lambda row: row[key]) if rows else None


def goal_lines(rows):
    """The goals of docs/performance.md, each with the worst row of the bench that it is about."""
    for row in rows:
        if row.get("predicted") and row.get("ours"):
            row["of_predicted"] = row["predicted"] / row["ours"]
    at = lambda group, exponent, path=None: [
        row for row in rows if row["name"].startswith(group) and row["name"].endswith(f" 2^{exponent}")
        and path in (None, row.get("path"))]
    goals = (
        ("contiguous, 2^28: share of the copy bandwidth", at("pair", 28, "contiguous"), "of_predicted", 0.92),
        ("contiguous, 2^28: speed against LibTorch", at("pair", 28, "contiguous"), "ratio", 1.0),
        ("mixed dtypes, 2^28: speed against LibTorch", at("pair", 28, "mixed"), "ratio", 1.3),
        ("strided and broadcast, 2^28: speed against LibTorch", at("strided", 28), "ratio", 1.0),
        ("numbers, 2^28: speed against LibTorch", at("scalar", 28), "ratio", 1.0),
        ("families, 2^28: speed against LibTorch", at("family", 28), "ratio", 1.0),
        ("a whole call of 2^10 elements: speed against LibTorch", at("", 10), "ratio", 1.0),
    )
    for title, found, key, goal in goals:
        row = worst(found, key)
        if row is None:
            yield f"| {title} | {goal} | not measured | |"
        else:
            mark = "" if row[key] >= goal else " **missed**"
            yield f"| {title} | {goal} | {row[key]:.2f}{mark} | {row['name']} ({len(found)} rows) |"


def row_line(row):
    number = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    share = row["predicted"] / row["ours"] if row.get("predicted") and row.get("ours") else None
    return (f"| {row['name']} | {row.get('path', '')} | {number(row['ours'], 0)} | {number(row['peer'], 0)} | "
            f"{number(row.get('predicted'), 0)} | {number(share, 2)} | {number(row['ratio'], 2)} |")


def page(state, bench, inputs):
    lines = ["# What ci/gpu.sh found", "", "| step | result | counts |", "| --- | --- | --- |"]
    lines += [step_line(state, step, inputs) for step in STEPS]
    lines += ["", "## Speed", ""]
    if not bench["rows"]:
        return "\n".join(lines + ["The benchmark did not run.", ""])
    lines += [", ".join(f"{key} {value}" for key, value in sorted(bench["versions"].items())) + ".",
              f"Sizes: {', '.join(f'2^{size}' for size in bench['sizes'])} of 2^10 to 2^30.", "",
              "| goal | at least | worst | row |", "| --- | --- | --- | --- |", *goal_lines(bench["rows"]), "",
              "Nanoseconds a call; predicted: its bytes at the copy bandwidth measured in the same process.", "",
              "| row | path | ours | LibTorch | predicted | predicted/ours | LibTorch/ours |",
              "| --- | --- | --- | --- | --- | --- | --- |"]
    lines += [row_line(row) for row in bench["rows"] if row["name"] == COPY or row["name"].endswith(("2^10", "2^20", "2^28"))]
    return "\n".join(lines + [""] + [f"- {note}" for note in bench["notes"]] + [""])


def main(state, out, inputs):
    bench = merged_bench(state, inputs)
    (out / "bench.json").write_text(json.dumps(bench, indent=1) + "\n")
    (out / "summary.md").write_text(page(state, bench, inputs))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3])
