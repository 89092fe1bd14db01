"""Measures how soon fuzzing finds planted bugs: planted_fuzz.py [--seconds 60] [--runs N] [--seed 1] [--bin build/bin] [--page PAGE] [NAME...]

Each bug of oracle/planted is the subject of a campaign of the target elementwise, from the committed seeds, until the
first case that it answers wrongly and impl:cpu answers as LibTorch does. Seconds are those of a core, the start of LibTorch
included, so that another program at the same time changes nothing. Prints a table, and writes it to PAGE (docs/planted_bugs.md).
Exits 1 where one is not found in its time, or the median of all is above --median. The name `none` is impl:cpu itself, the
control: the campaign must find nothing.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "oracle/planted/planted_bugs.cc"
CONTROL = "none"
ENGINE_MISTAKE = 2  # fuzz/engine_exit.h
HEAD = """# How soon fuzzing finds planted bugs

{found} of {all} bugs of `oracle/planted` were found. The median is {median:.1f} s of a core, the longest time {most:.1f} s.
A campaign of the target `elementwise` looked for each alone, from the committed seeds with seed {seed}.
Each time includes about {start:.1f} s for the start of LibTorch. `ci/fuzz.sh planted` made this page on {day}, {machine}.

| planted bug | area | seconds of a core | cases | first case |
| --- | --- | ---: | ---: | --- |
"""


def planted():
    """{name: area} of each planted bug."""
    areas, area = {}, ""
    for line in SOURCE.read_text().splitlines():
        if section := re.fullmatch(r"    // (\w+)", line):
            area = section[1]
        elif bug := re.match(r'    \{"([\w-]+)",', line):
            areas[bug[1]] = area
    return areas


def limit_to(seconds):
    """A function for a new process that limits its processor time. The kernel kills the process when it takes more seconds."""
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def find(name, options):
    """Fuzzes for one planted bug: (seconds of a core, cases asked, first case that shows the bug). The case is "" if none was found."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = pathlib.Path(folder, "seeds")
        log = pathlib.Path(folder, "log")
        log.mkdir()
        subprocess.run([options.bin / "fuzz-elementwise-replay", "-seeds", f"-write={seeds}"], check=True)
        subject = "impl:cpu" if name == CONTROL else f"planted?bug={name}"
        environment = {**os.environ, "UPCAST_FUZZ_LOG": str(log), "UPCAST_FUZZ_SUBJECT": subject,
                       "UPCAST_FUZZ_CONTROL": "impl:cpu", "UPCAST_FUZZ_ON_FINDING": "end"}
        limits = [f"-runs={options.runs}"] if options.runs else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([options.bin / "fuzz-elementwise", f"-seed={options.seed}", "-max_len=64", "-entropic=0", *limits,
                               seeds], env=environment, capture_output=True, text=True, cwd=folder,
                              preexec_fn=limit_to(options.seconds), check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == ENGINE_MISTAKE:
            sys.exit(f"planted_fuzz.py: {done.stderr}")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        cases = sum(json.loads(path.read_text())["cases"] for path in log.glob("progress.*"))
        findings = log / "findings.ndjson"
        line = json.loads(findings.read_text().splitlines()[0])["line"] if findings.exists() else ""
        return seconds, cases, line


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"one core of an {model.group(1)}" if model else "one core"


def cut(line):
    return line if len(line) <= 90 else line[:87] + "..."


def main():
    areas = planted()
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=0, help="inputs; 0: until the time is up")
    parser.add_argument("--median", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", type=lambda text: pathlib.Path(text).resolve(), default="build/bin")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("names", nargs="*", choices=[*areas, CONTROL, []])
    options = parser.parse_args()
    start = None
    if options.page:  # the time of a campaign that only runs the seeds
        options.runs, runs = 1, options.runs
        start = find(CONTROL, options)[0]
        options.runs = runs
    rows = []
    print(f"{'planted bug':<44} {'seconds':>8} {'cases':>8}  first case")
    for name in options.names or areas:
        seconds, cases, line = find(name, options)
        shown = f"{seconds:8.1f}" if line else "   never"
        print(f"{name:<44} {shown} {cases:8}  {cut(line)}", flush=True)
        rows.append((name, seconds, cases, line))
    found = [seconds for _, seconds, _, line in rows if line]
    if found:
        print(f"{len(found)} of {len(rows)} found; median {statistics.median(found):.1f} s of a core, at most {max(found):.1f} s")
    if options.page and found:
        page = HEAD.format(found=len(found), all=len(rows), seed=options.seed, median=statistics.median(found),
                           most=max(found), start=start, day=datetime.date.today(), machine=machine())
        for name, seconds, cases, line in rows:
            shown = f"{seconds:.1f}" if line else "never"
            page += f"| {name} | {areas.get(name, '')} | {shown} | {cases} | `{cut(line)}` |\n"
        options.page.write_text(page)
    sys.exit(len(found) < len(rows) or statistics.median(found) > options.median)


if __name__ == "__main__":
    main()
