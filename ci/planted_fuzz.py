"""How soon fuzzing finds planted bugs: planted_fuzz.py [--seconds 60] [--seed 1] [--bin build/bin] [NAME...]

Each bug of oracle/planted is the subject of a campaign of the target elementwise, from the committed seeds, until the
first case that it answers wrongly and impl:cpu answers as LibTorch does. Prints a table; exits 1 where one is not found.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def names(binaries):
    """What planted subjects there are: a wrong name lists them."""
    environment = {**os.environ, "UPCAST_FUZZ_SUBJECT": "planted?bug=?"}
    run = subprocess.run([binaries / "fuzz-elementwise-replay", "-line=abs(float32[2])"], env=environment,
                         capture_output=True, text=True)
    text = run.stderr + run.stdout
    listed = text[text.rfind("with one of ") + len("with one of "):] if "with one of " in text else ""
    return [name.strip() for name in listed.split(",") if name.strip()]


def find(binaries, name, options):
    """Seconds and cases until the bug is found, or None."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = pathlib.Path(folder, "seeds")
        log = pathlib.Path(folder, "log")
        log.mkdir()
        subprocess.run([binaries / "fuzz-elementwise-replay", "-seeds", f"-write={seeds}"], check=True)
        environment = {**os.environ, "UPCAST_FUZZ_LOG": str(log), "UPCAST_FUZZ_SUBJECT": f"planted?bug={name}",
                       "UPCAST_FUZZ_CONTROL": "impl:cpu", "UPCAST_FUZZ_ON_FINDING": "end"}
        start = time.monotonic()
        subprocess.run([binaries / "fuzz-elementwise", f"-seed={options.seed}", f"-max_total_time={options.seconds}",
                        "-max_len=64", "-entropic=0", seeds], env=environment, capture_output=True, cwd=folder)
        seconds = time.monotonic() - start
        progress = [json.loads(path.read_text()) for path in log.glob("progress.*")]
        cases = sum(row["cases"] for row in progress)
        cpu = sum(row["cpu_seconds"] for row in progress)
        findings = log / "findings.ndjson"
        if not findings.exists():
            return None, cases, cpu, ""
        return seconds, cases, cpu, json.loads(findings.read_text().splitlines()[0])["line"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    binaries = options.bin.resolve()
    bugs = options.names or names(binaries)
    if not bugs:
        sys.exit("planted_fuzz.py: no planted bugs are listed; build fuzz-elementwise-replay")
    found = []
    print(f"{'planted bug':<44} {'seconds':>8} {'of a core':>9} {'cases':>8}  first case")
    for name in bugs:
        seconds, cases, cpu, line = find(binaries, name, options)
        shown = f"{seconds:8.1f}" if seconds is not None else "   never"
        print(f"{name:<44} {shown} {cpu:9.1f} {cases:8}  {line[:90]}", flush=True)
        if seconds is not None:
            found.append((seconds, cpu))
    if found:
        print(f"{len(found)} of {len(bugs)} found; median {statistics.median(s for s, _ in found):.1f} s, "
              f"{statistics.median(c for _, c in found):.1f} s of a core")
    sys.exit(len(found) < len(bugs))


main()
