"""Runs the step Judge of action.yml: runs the grid, writes the report, the step's summary and annotations, and sets the outputs.

    judge.py UPCAST

Its inputs are SUBJECT, ORACLE, GRID, OPS, BASELINE, MINIMUM and FOLDER of the environment; its outputs verdict, counts and
report. It exits with 0 also where the subject differs, and with 2 where nothing could be run: the step Gate decides."""
import json
import os
import pathlib
import subprocess
import sys

UPCAST = sys.argv[1]
VERDICTS = {0: "as expected", 1: "differs", 3: "incomplete"}
ANNOTATIONS = 10  # GitHub shows at most this many errors, and this many warnings, of a step


def escaped(text):
    """The text, escaped for a workflow command of GitHub such as ::error::TEXT."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def append(variable, text):
    with open(os.environ[variable], "a", encoding="utf-8") as file:
        file.write(text)


def stop(message):
    print(f"::error title=upcast::{escaped(message)}")
    append("GITHUB_OUTPUT", "verdict=fault\n")
    sys.exit(2)


def run_arguments(folder):
    """The arguments of `upcast run`, from the environment variables of the step."""
    asked = os.environ
    arguments = ["--grid", asked["GRID"], "--subject", asked["SUBJECT"], "--oracle", asked["ORACLE"],
                 "--out", folder / "run.db", "--json", folder / "counts.json"]
    if asked["BASELINE"]:
        arguments += ["--baseline", asked["BASELINE"]]
    if asked["MINIMUM"]:
        arguments += ["--min-judged", asked["MINIMUM"]]
    if asked["OPS"]:
        arguments += ["--ops", asked["OPS"]]
    return arguments


def run(arguments):
    """Runs `upcast run`, and prints its standard error as it comes. Returns the exit code and the last line that is not empty."""
    last = ""
    with subprocess.Popen([UPCAST, "run", *arguments], stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            print(line, end="", flush=True)
            last = line.strip() or last
    return process.returncode, last


def annotate(sarif):
    """Prints an annotation for each of the first differences in the SARIF of `upcast report`."""
    results = [result for run in json.loads(sarif.read_text())["runs"] for result in run["results"]]
    for result in results[:ANNOTATIONS - 1]:
        print(f"::error title=upcast {result['ruleId']}::{escaped(result['message']['text'])}")
    if len(results) >= ANNOTATIONS:
        print(f"::error title=upcast::{len(results) - ANNOTATIONS + 1} further kinds of difference are in the report")


def main():
    folder = pathlib.Path(os.environ["FOLDER"])
    folder.mkdir(parents=True, exist_ok=True)
    code, last = run(run_arguments(folder))
    if code not in VERDICTS:
        stop(last or f"upcast run ended with {code}")
    report, sarif, summary = (folder / name for name in ("report.html", "upcast.sarif", "summary.md"))
    subprocess.run([UPCAST, "report", folder / "run.db", "-o", report, "--sarif", sarif, "--junit", folder / "junit.xml",
                    "--step-summary", summary], check=True, stdout=subprocess.DEVNULL)
    append("GITHUB_STEP_SUMMARY", summary.read_text())
    annotate(sarif)
    counts = json.loads((folder / "counts.json").read_text())
    verdict = VERDICTS[code]
    if "too_little_judged" in counts:
        verdict = "too little judged"
        print(f"::error title=upcast::{escaped(counts['too_little_judged'])}")
    append("GITHUB_OUTPUT", f"verdict={verdict}\ncounts={json.dumps(counts)}\nreport={report}\n")


main()
