"""AFL++ on one target: afl_fuzz.py TARGET [--seconds 60] [--secondaries 1] [--corpus DIR] [--subject S] [--bin build/bin]

One main process and the secondaries share a folder, and read each other's inputs from it. Their findings go to one
findings.ndjson, each signature once. They start from the corpus, or from the committed seeds if it is empty. New inputs
go into the corpus under the names that libFuzzer gives, so that `upcast fuzz --corpus DIR` can go on from there. AFL++
reads a map of the domain's features (fuzz/features.cc), as the ordinary build's libFuzzer engines do. Exit codes:
0 nothing found, 1 findings, 2 a fault, 77 there is no AFL++, or the build has no engine for it.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SETTINGS = {"AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1"}
LONGEST = {"chain": 512, "notation": 4096, "store": 4096}  # the most bytes of an input; a case takes 64
SHOWN = ["execs_done", "execs_per_sec", "corpus_count", "corpus_imported", "edges_found", "saved_crashes"]


def statistics(file):
    return dict((part.strip() for part in line.split(":", 1)) for line in file.read_text().splitlines())


def campaign(options, folder, engine):
    log = folder / "log"
    log.mkdir()
    seeds = options.corpus
    if not seeds or not any(seeds.glob("*")):
        seeds = folder / "seeds"
        subprocess.run([options.bin / f"fuzz-{options.target}-replay", "-seeds", f"-write={seeds}"], check=True)
    environment = {**os.environ, **SETTINGS, "UPCAST_FUZZ_LOG": str(log), "UPCAST_FUZZ_ON_FINDING": "log"}
    if options.subject:
        environment.update({"UPCAST_FUZZ_SUBJECT": options.subject, "UPCAST_FUZZ_CONTROL": "impl:cpu"})
    names = ["main", *(f"second{i + 1}" for i in range(options.secondaries))]
    running = []
    for name in names:
        arguments = ["afl-fuzz", "-i", seeds, "-o", folder / "out", "-M" if name == "main" else "-S", name, "-V", str(options.seconds),
                     "-t", "10000", "-m", "none", "-G", str(LONGEST.get(options.target, 64)), "--", engine]
        output = open(folder / f"{name}.txt", "w", encoding="utf-8")
        running.append((name, subprocess.Popen(arguments, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                               stderr=subprocess.STDOUT)))
    for name, process in running:
        process.wait()
        stats = folder / "out" / name / "fuzzer_stats"
        if not stats.exists():
            sys.stderr.write((folder / f"{name}.txt").read_text()[-2000:])
            sys.exit(2)
        found = statistics(stats)
        print(f"afl_fuzz: {options.target}: {name}: " + ", ".join(f"{key} {found[key]}" for key in SHOWN), flush=True)
    return log / "findings.ndjson", sorted((folder / "out").glob("*/crashes/id:*"))


def keep(folder, corpus):
    corpus.mkdir(parents=True, exist_ok=True)
    for file in (folder / "out").glob("*/queue/id:*"):
        shutil.copyfile(file, corpus / hashlib.sha1(file.read_bytes()).hexdigest())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--secondaries", type=int, default=1)
    parser.add_argument("--corpus", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--subject", default="", help="a planted bug's, for a control")
    parser.add_argument("--bin", type=lambda text: pathlib.Path(text).resolve(), default="build/bin")
    options = parser.parse_args()
    engine = options.bin / f"fuzz-{options.target}-afl"
    if not shutil.which("afl-fuzz") or not engine.exists():
        print(f"afl_fuzz: skipped: no afl-fuzz (Debian: afl++), or no {engine.name}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        findings, crashes = campaign(options, folder, engine)
        if options.corpus:
            keep(folder, options.corpus)
        rows = findings.read_text().splitlines() if findings.exists() else []
        for row in map(json.loads, rows):
            print(f"{row['signature']}\n  {row['command']}")
        for crash in crashes:
            print(f"an engine died of {crash.read_bytes().hex()}: fuzz-{options.target}-replay -show -hex=...")
        sys.exit(1 if rows or crashes else 0)


if __name__ == "__main__":
    main()
