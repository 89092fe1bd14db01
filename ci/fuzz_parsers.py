"""Fuzzes every parser of outside data, in turn, until each has had its executions.

    ci/fuzz_parsers.py ENGINE [--sanitized ENGINE] [--runs N] [--seconds S] [--slice S] [--cheapest] [--corpus FOLDER]
                       [--ledger FILE] [--keep] [parser...]

ENGINE is the target fuzz-store of the preset parsers-fast (ci/fuzz.sh parsers). FOLDER holds a corpus for each parser.
FILE (FOLDER/executions.json) holds what each has had since it was last changed (delete its entry then). The next run goes on
from there.
--sanitized: the same target of the preset parsers. After the others, each corpus that grew is run under sanitizers, and
mutated for a few seconds more. These executions are counted apart.
--cheapest: the parser whose executions are done first comes first, so that as many as possible are done.
--keep writes a minimised part of each corpus to fuzz/seeds/parsers, which every ctest replays.
Ends with 'N of M parsers have N executions, F faults', and exits 1 where there is a fault.
ci/parsers_page.py writes the page of executions.json.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DICTIONARY = ROOT / "ci/oss-fuzz/dictionaries/store.dict"
TIMEOUT = 10  # seconds of one input
LIMITS = [f"-timeout={TIMEOUT}", "-rss_limit_mb=2048", "-malloc_limit_mb=1024"]
# Without its entropic schedule libFuzzer runs more inputs a second: in eight pairs of runs over side, reply, manifest and case,
# 0.97 to 1.35 times as many, 1.15 in the median.
SCHEDULE = "-entropic=0"
LARGEST = 4096  # the most bytes of an input
# The most bytes of an input, for parsers that take less or are slow. Most read one token or a few fixed fields, where a longer
# input tests nothing more. A longer campaign could hold more findings; at 1,024 bytes it is read almost twice as often a second.
LARGEST_OF = {"date": 64, "dlpack_dtype": 8, "journal": 16, "version_range": 256, "number": 256, "element": 256, "token": 256,
              "selection": 512, "selector": 512, "side": 512, "reply": 256, "answer_ring": 768, "campaign": 1024, "run_store": 192}
# AddressSanitizer's defaults would take most of the time: a call stack for each allocation, and 256 MB of freed memory
# that is not reused. 16 MB hold what thousands of executions free. A replay of a fault's input prints the call stacks.
SANITIZER = "malloc_context_size=1:quarantine_size_mb=16"
# malloc keeps its memory instead of giving it back after each input: an eighth less time for run_store. tcache_count: it also keeps
# more freed blocks of one size at hand, 0 to 8 % less time in four pairs of runs.
KEPT_HEAP = "glibc.malloc.top_pad=4194304:glibc.malloc.trim_threshold=67108864:glibc.malloc.tcache_count=2000"
KEPT_INPUTS, KEPT_BYTES = 24, 512
FIRST_SLICE = 5  # seconds that a parser runs at a time until its rate is known
SANITIZED_SLICE = 10  # seconds of a parser under sanitizers; its corpus is run whole, also where that takes longer


def environment(parser):
    """The environment of an engine that runs this parser. Unless TMPDIR is set, temporary files go to /dev/shm, which is memory, if it
    is writable."""
    shared = "/dev/shm"
    folder = os.environ.get("TMPDIR") or (shared if os.access(shared, os.W_OK) else "/tmp")
    options = ":".join(filter(None, (SANITIZER, os.environ.get("ASAN_OPTIONS"))))
    return {"GLIBC_TUNABLES": KEPT_HEAP, **os.environ, "UPCAST_FUZZ_PARSER": parser, "ASAN_OPTIONS": options, "TMPDIR": folder}


def command(engine, parser, *arguments, timeout=None):
    return subprocess.run([str(engine), *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          env=environment(parser), timeout=timeout)


def replay(engine):
    return engine.with_name(engine.name + "-replay")


def names(engine):
    said = command(replay(engine), "?", "-own_seeds").stderr
    return said.split("one of:")[1].split()


def only_the_machine_stood_still(engine, parser, said):
    """Whether the input that an engine says took too long ends in time when it runs again. libFuzzer counts the time on the clock,
    so an engine of low priority on a busy machine may blame any input."""
    blamed = re.search(r"Test unit written to (\S*timeout-\S+)", said)
    if not blamed:
        return False
    try:
        return command(replay(engine), parser, blamed[1], timeout=TIMEOUT).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def fuzz(engine, parser, folder, seconds, runs):
    """Runs one engine, the whole corpus first. Returns its executions and the fault that it found."""
    corpus, seeds = folder / parser, folder / "seeds" / parser
    for each in (corpus, seeds):
        each.mkdir(parents=True, exist_ok=True)
    command(replay(engine), parser, "-own_seeds", f"-write={seeds}")
    done = command(engine, parser, corpus, seeds, f"-dict={DICTIONARY}", f"-max_len={LARGEST_OF.get(parser, LARGEST)}", *LIMITS, SCHEDULE,
                   f"-max_total_time={seconds}", f"-runs={runs}", f"-artifact_prefix={folder}/{parser}-",
                   "-print_final_stats=1", "-reload=0")
    # An engine parses several texts for each input, and says how many when it ends. One that aborts counts its inputs only.
    parsed = (re.search(r"number_of_parsed_texts:\s*(\d+)", done.stderr) or
              re.search(r"number_of_executed_units:\s*(\d+)", done.stderr))
    count = int(parsed[1]) if parsed else 0
    if done.returncode == -signal.SIGKILL:  # no engine kills itself; its count is lost, so nothing of this slice is noted
        sys.exit(f"fuzz_parsers: something killed the engine of {parser}; start again to go on")
    if done.returncode != 0 and not only_the_machine_stood_still(engine, parser, done.stderr):
        return count, "\n".join([f"exit code {done.returncode}", *done.stderr.splitlines()[-12:]])
    return count, "" if count else "the engine ran no input"


def processor_seconds():
    """Seconds of processor time that engines have used so far. Wall time says little on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def keep(engine, parser, folder):
    """Writes at most KEPT_INPUTS inputs of a corpus to fuzz/seeds/parsers: a sample of its small inputs, after they are minimised."""
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


def machine():
    """The name of this machine's processor, and how many cores it has."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    found = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(found)} cores of {found[0]}" if found else "unknown"


class Ledger:
    """The file executions.json: for each parser the executions so far, their processor time, faults, first and last day, and machines.
    Apart from them: `sanitized`, executions under sanitizers, and `unsanitized`, executions since the last of those."""

    def __init__(self, file):
        self.file = file
        self.parsers = json.loads(file.read_text()) if file.exists() else {}
        for parser in self.parsers:
            self.of(parser)

    def of(self, parser):
        """The row of a parser. A row of an older file gets the counts that it lacks."""
        row = self.parsers.setdefault(parser, {})
        for count in ("executions", "seconds", "faults", "sanitized", "unsanitized"):
            row.setdefault(count, 0)
        return row

    def add(self, parser, executions, seconds, fault):
        row = self.of(parser)
        row["executions"] += executions
        row["unsanitized"] += executions
        row["seconds"] = round(row["seconds"] + seconds, 1)
        self.write(row, fault)

    def add_sanitized(self, parser, executions, fault):
        row = self.of(parser)
        row["sanitized"] += executions
        row["unsanitized"] = 0
        self.write(row, fault)

    def write(self, row, fault):
        row["faults"] += int(bool(fault))
        today = datetime.date.today().isoformat()
        row.setdefault("first", today)
        row["last"] = today
        row["machines"] = sorted({*row.get("machines", ()), machine()})
        draft = self.file.with_suffix(".new")
        draft.write_text(json.dumps(self.parsers, indent=1) + "\n")
        draft.rename(self.file)  # if this process is killed, the file is the old or the new one, and whole

    def has_rate(self, parser):
        """Whether the parser ran long enough to know its executions a second. A short run measures mostly the start of the engine."""
        row = self.of(parser)
        return row["executions"] > 0 and row["seconds"] >= 1

    def seconds_left(self, parser, runs):
        """Seconds of processor time that the parser still needs until it has `runs` executions. Precondition: has_rate(parser)."""
        row = self.of(parser)
        return (runs - row["executions"]) * row["seconds"] / row["executions"]

    def seconds_had(self, parser, _):
        return self.of(parser)["seconds"]


def next_turn(ledger, parsers, options):
    """(parser to fuzz next, for how many seconds); None if all have their executions, or if the time is over."""
    left = [name for name in parsers if ledger.of(name)["executions"] < options.runs]
    rest = options.ends - time.monotonic()
    if not left or rest < 1:
        return None
    if unmeasured := [name for name in left if not ledger.has_rate(name)]:
        return min(unmeasured, key=lambda name: ledger.seconds_had(name, 0)), int(min(FIRST_SLICE, rest))
    cost = ledger.seconds_left if options.cheapest else ledger.seconds_had
    return min(left, key=lambda name: cost(name, options.runs)), int(min(options.slice, rest))


def read_arguments():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("engine", type=lambda file: pathlib.Path(file).resolve())
    arguments.add_argument("--sanitized", type=lambda file: pathlib.Path(file).resolve())
    arguments.add_argument("parsers", nargs="*")
    arguments.add_argument("--runs", type=int, default=10**8, help="executions of each parser")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="in all")
    arguments.add_argument("--slice", type=int, default=60, help="seconds of one parser, then comes the next")
    arguments.add_argument("--cheapest", action="store_true")
    arguments.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path("corpora/parsers"))
    arguments.add_argument("--ledger", type=pathlib.Path)
    arguments.add_argument("--keep", action="store_true")
    options = arguments.parse_intermixed_args()
    options.ledger = options.ledger or options.corpus / "executions.json"
    options.ends = time.monotonic() + options.seconds if options.seconds < float("inf") else float("inf")
    return options


def main():
    options = read_arguments()
    options.corpus.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(options.ledger)
    known = names(options.engine)
    if unknown := set(options.parsers) - set(known):
        sys.exit(f"fuzz_parsers: no parser {', '.join(sorted(unknown))}; one of {', '.join(known)}")
    chosen = options.parsers or known
    faults = {}

    def note(parser, fault):
        if fault:
            faults[parser] = fault
            print(f"fuzz_parsers: {parser}:\n{fault}", flush=True)

    while turn := next_turn(ledger, [name for name in chosen if name not in faults], options):
        parser, seconds = turn
        began = processor_seconds()
        count, fault = fuzz(options.engine, parser, options.corpus, seconds, options.runs - ledger.of(parser)["executions"])
        ledger.add(parser, count, processor_seconds() - began, fault)
        note(parser, fault)
    for parser in chosen if options.sanitized else ():
        if ledger.of(parser)["unsanitized"] and parser not in faults:
            count, fault = fuzz(options.sanitized, parser, options.corpus, SANITIZED_SLICE, options.runs)
            ledger.add_sanitized(parser, count, fault)
            note(parser, fault)
    for parser in chosen:
        if options.keep:
            keep(options.engine, parser, options.corpus)
        had = ledger.of(parser)
        print(f"{parser}: {had['executions']:,} executions, {had['sanitized']:,} under sanitizers" +
              (", a fault" if parser in faults else ""))
    whole = sum(ledger.of(name)["executions"] >= options.runs for name in chosen)
    print(f"{whole} of {len(chosen)} parsers have {options.runs:,} executions, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
