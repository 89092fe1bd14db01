"""Runs the smoke tier of one fuzz target: two campaigns over a fixed number of inputs, from the same seed.

    ci/fuzz_smoke.py UPCAST TARGET [--runs N] [--gate CASES_A_SECOND] [--min-features N] [--subject S]

Fails if
- a finding has no explanation;
- the two campaigns differ;
- the domain's features do not guide the engine;
- a core judges fewer cases in a second of processor time than the gate;
- a case that both sides refuse costs --refusal-gate microseconds more than one that both answer.
A third campaign, ten times as long, measures the last two: the first calls of an op cost more than all later ones.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SEED = "1337"
# Fields of a campaign's JSON that must be equal in two campaigns with the same inputs. Its times may differ.
SAME = ["cases", "refused", "known", "known_by_id", "both_right", "findings", "not_judged", "not_asked", "features", "corpus", "coverage"]
RATE_RUNS = 10  # the campaign that measures speed has this many times the inputs of the others


def campaign(options, folder, runs):
    arguments = [options.upcast, "fuzz", "--target", options.target, "--runs", str(runs), "--seed", SEED,
                 "--corpus", str(folder), "--json", "-"]
    if options.subject:
        arguments += ["--subject", options.subject, "--follow-up", "0"]
    if options.other_seed and folder.name == "second":
        arguments[arguments.index(SEED)] = options.other_seed
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"fuzz_smoke: {' '.join(arguments)} ended with exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def faults(first, second, options, findings):
    if first["findings"] or first["crashes"]:
        yield f"{first['findings']} findings, {len(first['crashes'])} crashes:\n{findings}"
    for key in SAME:
        if first[key] != second[key]:
            yield f"the same seed gave another {key}: {str(first[key])[:80]}, then {str(second[key])[:80]}"
    if first["features"] < options.min_features:
        yield f"{first['features']} features; {options.min_features} are expected: are the coverage counters linked in?"
    print(f"fuzz_smoke: {options.target}: {first['cases']} cases, {first['features']} features")


def slowness(options, folder):
    """Runs up to options.tries campaigns. Yields a fault for each gate of speed that the best of them does not reach."""
    best, least = 0, float("inf")
    for attempt in range(options.tries):
        done = campaign(options, folder / f"rate{attempt}", options.runs * RATE_RUNS)
        best = max(best, done["cases_per_cpu_second"])
        print(f"fuzz_smoke: {options.target}: {done['cases']} cases, {done['cases_per_cpu_second']:.0f} a second of a core")
        if None in (done["answer_us"], done["refusal_us"]):
            least = 0  # a target that times no cases passes the gate for refusals
        else:
            least = min(least, done["refusal_us"] - done["answer_us"])
            print(f"fuzz_smoke: {options.target}: an answer costs {done['answer_us']:.1f} us, a refusal {done['refusal_us']:.1f} us")
        if best >= options.gate and least <= options.refusal_gate:
            return
    if best < options.gate:
        yield f"{best:.0f} cases a second of a core; the gate is {options.gate:.0f}"
    if least > options.refusal_gate:
        yield f"a refusal costs {least:.1f} us more than an answer; the gate is {options.refusal_gate:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upcast")
    parser.add_argument("target")
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--gate", type=float, default=0)
    parser.add_argument("--refusal-gate", type=float, default=10)
    parser.add_argument("--tries", type=int, default=3, help="to reach the gates: another program may have the other half of the core")
    parser.add_argument("--only-rate", action="store_true", help="the gates alone")
    parser.add_argument("--min-features", type=int, default=1)
    parser.add_argument("--subject", default="")
    parser.add_argument("--other-seed", default="", help="a control: of the second campaign")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        found = []
        if not options.only_rate:
            first, second = (campaign(options, folder / name, options.runs) for name in ("first", "second"))
            log = folder / "first.log" / "findings.ndjson"
            found = list(faults(first, second, options, log.read_text() if log.exists() else ""))
        if options.gate:
            found += slowness(options, folder)
    for fault in found:
        print(f"fuzz_smoke: {options.target}: {fault}", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
