"""Fuzzes every parser of outside data, in turn, until each has had its executions.

    ci/fuzz_parsers.py ENGINE [--runs N] [--seconds S] [--slice S] [--corpus FOLDER] [--keep] [parser...]

ENGINE is the target fuzz-store of the preset parsers (ci/fuzz.sh parsers). FOLDER holds a corpus for each parser and
executions.json, the executions that each has had since it was last changed (delete the file then): the next run goes on
from there. --keep writes a minimised part of each corpus to fuzz/seeds/parsers, which every ctest replays.
Ends with 'N of M parsers have N executions, F faults', and exits 1 where there is a fault.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DICTIONARY = ROOT / "ci/oss-fuzz/dictionaries/store.dict"
LARGEST = 4096  # bytes of an input
KEPT_INPUTS, KEPT_BYTES = 24, 512
LIMITS = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=1024"]


def command(engine, parser, *arguments):
    return subprocess.run([str(engine), *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          env={**os.environ, "UPCAST_FUZZ_PARSER": parser})


def replay(engine):
    return engine.with_name(engine.name + "-replay")


def names(engine):
    said = command(replay(engine), "?", "-own_seeds").stderr
    return said.split("one of:")[1].split()


def fuzz(engine, parser, folder, seconds, runs):
    """Runs one engine. Returns its executions and the faults that it found."""
    corpus, seeds = folder / parser, folder / "seeds" / parser
    for each in (corpus, seeds):
        each.mkdir(parents=True, exist_ok=True)
    command(replay(engine), parser, "-own_seeds", f"-write={seeds}")
    done = command(engine, parser, corpus, seeds, f"-dict={DICTIONARY}", f"-max_len={LARGEST}", *LIMITS,
                   f"-max_total_time={seconds}", f"-runs={runs}", f"-artifact_prefix={folder}/{parser}-",
                   "-print_final_stats=1", "-reload=0")
    executed = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    fault = "" if done.returncode == 0 else "\n".join(done.stderr.splitlines()[-12:])
    return int(executed[1]) if executed else 0, fault


def keep(engine, parser, folder):
    """A few dozen of the smallest inputs that together reach everything that the corpus reaches."""
    small, merged = folder / "small" / parser, folder / "merged" / parser
    for each in (small, merged):
        each.mkdir(parents=True, exist_ok=True)
        for old in each.iterdir():
            old.unlink()
    for file in list((folder / parser).iterdir()):
        if 0 < file.stat().st_size <= KEPT_BYTES:
            (small / file.name).write_bytes(file.read_bytes())
    command(engine, parser, "-merge=1", merged, small)
    files = sorted(merged.iterdir(), key=lambda file: (file.stat().st_size, file.name))
    step = max(1, -(-len(files) // KEPT_INPUTS))
    lines = [shown for file in files[::step] if (shown := command(replay(engine), parser, "-show", file).stdout.rstrip("\n"))]
    page = ROOT / "fuzz/seeds/parsers" / f"{parser}.txt"
    page.write_text(f"# Inputs of the parser {parser}, one a line (ci/fuzz_parsers.py --keep).\n[parser {parser}]\n" +
                    "".join(line + "\n" for line in lines), encoding="ascii")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("engine", type=pathlib.Path)
    arguments.add_argument("parsers", nargs="*")
    arguments.add_argument("--runs", type=int, default=10**8, help="executions of each parser")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="in all")
    arguments.add_argument("--slice", type=int, default=60, help="seconds of one parser, then comes the next")
    arguments.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path("corpora/parsers"))
    arguments.add_argument("--keep", action="store_true")
    options = arguments.parse_args()
    options.corpus.mkdir(parents=True, exist_ok=True)
    ledger = options.corpus / "executions.json"
    executions = json.loads(ledger.read_text()) if ledger.exists() else {}
    known = names(options.engine)
    if unknown := set(options.parsers) - set(known):
        sys.exit(f"fuzz_parsers: no parser {', '.join(sorted(unknown))}; one of {', '.join(known)}")
    chosen = options.parsers or known
    faults = {}
    ends = time.monotonic() + options.seconds
    while True:
        open_ones = [name for name in chosen if name not in faults and executions.get(name, 0) < options.runs]
        if not open_ones or time.monotonic() >= ends:
            break
        for parser in open_ones:
            left = min(options.slice, int(ends - time.monotonic()) if ends < float("inf") else options.slice)
            if left <= 0:
                break
            count, fault = fuzz(options.engine, parser, options.corpus, left, options.runs - executions.get(parser, 0))
            executions[parser] = executions.get(parser, 0) + count
            ledger.write_text(json.dumps(executions, indent=1) + "\n")
            if fault:
                faults[parser] = fault
                print(f"fuzz_parsers: {parser}:\n{fault}", flush=True)
    for parser in chosen:
        if options.keep:
            keep(options.engine, parser, options.corpus)
        print(f"{parser}: {executions.get(parser, 0):,} executions" + (", a fault" if parser in faults else ""))
    whole = sum(executions.get(name, 0) >= options.runs for name in chosen)
    print(f"{whole} of {len(chosen)} parsers have {options.runs:,} executions, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
