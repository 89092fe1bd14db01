"""Mutation testing: does the suite notice when the implementation is wrong? docs/how_to/mutation_testing.md

    ci/mutate.sh [all] [--area NAME...] [--only TEXT]   builds all mutants in a scratch tree, runs what should notice
    ci/mutate.sh fast                                   those that a few unit tests must notice, in under 3 minutes
    ci/mutate.sh list                                   the mutants, by file and line

A mutant of code that this machine cannot run is skipped, counted and named; --json keeps what became of it on another.
Exit code 0: at least 95 % of the mutants that are not equivalent were noticed; 1: fewer were; 2: a mutant cannot be
made, or a detector fails without one.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import capabilities
import mutants as tables
import report
from mutants import MutantError

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
RESULTS = ROOT / "docs/mutation.json"  # the results of the last run of all mutants
SCORE = 0.95
FEWEST = 50  # a fast run must have at least this many mutants
FAST_PATIENCE = 4  # Detectors(patience) of a fast run, whose detectors take about 0.1 s each
WALL = 20  # a detector's limit of wall time is this multiple of its limit of processor time; it ends a detector that sleeps for ever
NO_CASE = "no case of the grid is of these ops"  # upcast-grid-probe's
MEMORY = 16 << 30  # limit of address space in bytes: a mutant may ask for any amount
# Changes to the sources that make the build of mutants faster: kernels are compiled once instead of three times, and without
# -O3. Neither changes a bit of an answer.
BUILD_EDITS = [
    ("impl/ops/make_op.h", "if constexpr (kIsComplex<T> && !kHasComplexVersions<O, T, I...>) return {&run_baseline",
     "if constexpr (true) return {&run_baseline"),
    ("impl/CMakeLists.txt", "INTERFACE -O3 -fno-math-errno", "INTERFACE -fno-math-errno"),
]


def names_of(table, mutant):
    """The names of a mutant's detectors, in the order in which they run."""
    named = [*mutant.detectors, *table["area"].get(mutant.area, []), *table.get("thorough", {}).get(mutant.area, [])]
    return list(dict.fromkeys(named))


class Detectors:
    """Runs detectors on mutants. First runs each detector without a mutant: it must pass, and shows how long it takes."""

    def __init__(self, programs, table, log, patience=20):
        """`patience`: a detector may take ten times its processor time without a mutant, and this many seconds more."""
        self.programs = pathlib.Path(programs)
        self.patience = patience
        self.table = table
        self.log = log
        self.baselines = {}
        self.locks = {}
        self.lock = threading.Lock()
        self.stopped = False

    def command(self, name, ops):
        """The command line of a detector; None if it is about ops and the mutant names none."""
        line = self.table.get("detector", {}).get(name)
        if line is None:
            return (name, "--gtest_brief=1", "--gtest_fail_fast")
        if "{ops}" not in line:
            return tuple(line)
        return tuple(word for word in line if word != "{ops}") + tuple(ops) if ops else None

    def start(self, command, mutant_id, seconds):
        """Runs a detector. Returns (passed, failed, crash or timeout; evidence; whether the mutant was reached; processor seconds)."""
        limit = math.ceil(seconds)
        def set_limits():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

        with tempfile.TemporaryDirectory(prefix="upcast-mutant-") as folder:
            reached = pathlib.Path(folder) / "reached"
            output = pathlib.Path(folder) / "output"
            environment = dict(os.environ, UPCAST_MUTANT=f"{mutant_id:x}", UPCAST_MUTANT_REACHED=str(reached))
            with output.open("w") as out:
                process = subprocess.Popen([str(self.programs / command[0]), *command[1:]], env=environment, cwd=folder,
                                           stdout=out, stderr=subprocess.STDOUT, preexec_fn=set_limits)
            code, took = end_of(process, WALL * limit)
            if code in (None, -signal.SIGXCPU):
                return "timeout", f"after {took:.0f} s", reached.exists(), took
            if code == 0:
                return "passed", "", reached.exists(), took
            return "crash" if code < 0 else "failed", evidence_of(code, output.read_text(errors="replace")), reached.exists(), took

    def baseline(self, command):
        """Seconds of processor time that a detector takes without a mutant; None if its sample has no case of the ops. Raises
        MutantError if the detector fails without a mutant."""
        with self.lock:
            lock = self.locks.setdefault(command, threading.Lock())
        with lock:
            if command not in self.baselines:
                how, evidence, _, took = self.start(command, 0, 600)
                if NO_CASE in evidence:
                    took = None
                elif how != "passed":
                    raise MutantError(f"the detector '{' '.join(command)}' fails without a mutant: {evidence}")
                self.baselines[command] = took
            return self.baselines[command]

    def judge(self, mutant):
        found = report.Found(mutant)
        if self.stopped:
            return found
        reached = False
        for name in names_of(self.table, mutant):
            command = self.command(name, mutant.ops)
            if command is None:
                continue
            usual = self.baseline(command)
            if usual is None:
                continue
            limit = self.patience + 10 * usual
            how, evidence, was_reached, took = self.start(command, mutant.id, limit)
            found.seconds += took
            found.ran.append(name)
            reached = reached or was_reached
            if how != "passed":
                if not was_reached and how != "timeout":
                    raise MutantError(f"{mutant}\n  '{' '.join(command)}' fails, and never reached the mutant: {evidence}")
                found.status, found.by, found.how, found.evidence = "killed", name, how, evidence
                break
        if found.status == "survived" and not reached:
            found.status = "never reached"
        self.log(found)
        return found


def end_of(process, seconds):
    """Waits for a process: (exit code, processor seconds). If it runs longer than `seconds` of wall time, it is killed, and the code is None."""
    deadline = time.monotonic() + seconds
    killed = False
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return None if killed else process.returncode, usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline and not killed:
            process.kill()
            killed = True
        time.sleep(0.01)


def evidence_of(code, output):
    """The first line in a detector's output that says what went wrong; else its exit code or signal."""
    lines = output.strip().splitlines()
    for line in lines:
        if re.match(r"(\[  FAILED  \]|differ|known|crash|expectation|\S+: (case|grid))", line.strip()):
            return line.strip()[:300]
    what = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{what}{': ' + lines[0][:200] if lines else ''}"


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "error" in line]
        raise MutantError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n" + "\n".join(errors[:30]))
    return done.stdout


def write_tree(root, scratch, changed):
    """Copies the tree to `scratch`, with the texts in `changed`. Does not write files that are equal, so that little is rebuilt."""
    names = run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"]).split("\0")
    wanted = {name for name in names if name and (root / name).is_file()} | set(changed)
    for name in sorted(wanted):
        data = changed[name].encode() if name in changed else (root / name).read_bytes()
        target = scratch / name
        if target.is_file() and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if name not in changed:
            shutil.copymode(root / name, target)
    for folder in ("impl", "cases", "oracle", "tools"):
        for file in (scratch / folder).rglob("*"):
            if file.is_file() and str(file.relative_to(scratch)) not in wanted:
                file.unlink()


def with_edits(root, changed):
    texts = dict(changed)
    for path, old, new in BUILD_EDITS:
        source = texts.get(path) or (root / path).read_text()
        start, end = tables.find(source, path, old)
        texts[path] = source[:start] + new + source[end:]
    return texts


def programs_of(table, mutants):
    """The names of the programs to build for the detectors of these mutants."""
    names = set()
    for mutant in mutants:
        for name in names_of(table, mutant):
            names.add(table["detector"].get(name, [name])[0])
    return sorted(names)


def build_all(root, scratch, table, mutants, jobs):
    write_tree(root, scratch, with_edits(root, tables.mutated_files(root, mutants)))
    run(["cmake", "--preset", "release", "-DUPCAST_ENABLE_CUDA=OFF", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"], cwd=scratch)
    run(["ninja", "-C", "build", f"-j{jobs}", *programs_of(table, mutants)], cwd=scratch)
    return scratch / "build/bin"


def sources_of(scratch, patterns):
    sources = []
    for pattern in patterns:
        if pattern.startswith("!"):
            sources = [file for file in sources if not file.match(pattern[1:])]
        else:
            sources += sorted(file for file in scratch.glob(pattern))
    return sources


def build_fast(root, scratch, table, mutants, cxx):
    """Builds the tests of [fast] in detectors.toml from their few files, without CMake, and with ccache if it is installed."""
    write_tree(root, scratch, tables.mutated_files(root, mutants))
    programs = scratch / "fast"
    sources = {name: sources_of(scratch, table["fast"][name]["sources"]) for name in table["fast"]}
    launcher = [tool] if (tool := shutil.which("ccache")) else []
    def object_of(source):
        return programs / "objects" / source.relative_to(scratch).with_suffix(".o")
    def compile_one(source):
        object_of(source).parent.mkdir(parents=True, exist_ok=True)
        run([*launcher, cxx, "-std=c++20", "-O0", "-ffp-contract=off", f"-I{scratch}", "-DGTEST_HAS_PTHREAD=1", "-c", str(source),
             "-o", str(object_of(source))])
    def link(name):
        run([cxx, *map(str, map(object_of, sources[name])), "-o", str(programs / name), "-lgtest", "-lgtest_main", "-lpthread"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, sorted({source for some in sources.values() for source in some})))
        list(pool.map(link, sources))
    return programs


def judge_all(detectors, mutants, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(detectors.judge, mutants))
        except BaseException:
            detectors.stopped = True
            raise


def progress(total, done, out=sys.stderr):
    """A function that logs the result of a mutant: it appends it to `done`, and prints a numbered line."""
    lock = threading.Lock()
    def log(found):
        with lock:
            done.append(found)
            print(f"[{len(done)}/{total}] {found.status:<13} {found.seconds:5.1f} s  {found.by:<18} {found.mutant}"[:220], file=out, flush=True)
    return log


def whole(options, table, all_mutants):
    """Runs the mutants that the options select. In the file of --json, other mutants keep their earlier results."""
    mutants = [mutant for mutant in all_mutants
               if (not options.only or options.only in str(mutant)) and (not options.area or mutant.area in options.area)]
    killers = {key: row["by"] for key, row in report.read_results(RESULTS).items() if row["status"] == "killed"}
    if options.again:
        mutants = [mutant for mutant in mutants if mutant.key not in killers]
    if not mutants:
        raise MutantError("no mutant matches: ci/mutate.sh list shows all")
    mutants, skipped = capabilities.split(mutants, capabilities.of_machine(ROOT, options.cxx))
    for mutant in mutants:  # first what noticed it the last time
        if mutant.key in killers:
            mutant.detectors = [killers[mutant.key], *mutant.detectors]
    begin = time.monotonic()
    programs = build_all(ROOT, options.scratch, table, all_mutants, options.jobs)
    built = time.monotonic()
    found = []
    detectors = Detectors(programs, table, progress(len(mutants), found))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        judge_all(detectors, mutants, options.jobs)
    except KeyboardInterrupt:  # what was found until then is kept
        print(f"mutate: stopped after {len(found)} of {len(mutants)} mutants", file=sys.stderr)
    last = {"mutants": len(found), "build": built - begin, "run": time.monotonic() - built}
    judged = found
    if options.json:
        ran = {one.mutant.key: one for one in found}
        kept = report.read_results(options.json)
        judged = [ran.get(mutant.key) or report.found_of(mutant, kept[mutant.key]) for mutant in all_mutants
                  if mutant.key in ran or mutant.key in kept]
        commit = run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"]).strip()
        report.write_results(options.json, judged, last, commit)
        if options.page:
            keys = {one.mutant.key for one in judged}
            report.write_page(options.page, judged, last, commit, [mutant for mutant in all_mutants if mutant.key not in keys])
    areas = report.summary_of(judged)
    print(report.report_text(judged, areas, skipped))
    print(f"\nbuild {last['build']:.0f} s, run {last['run']:.0f} s, {sum(one.seconds for one in found):.0f} s of processors")
    return 0 if areas["all"]["score"] >= SCORE and not any(map(report.is_wrongly_equivalent, judged)) else 1


def fast(options, table, all_mutants):
    killers = {key: row.get("by") for key, row in report.read_results(RESULTS).items()}
    def is_promised(mutant):
        program = table["fast"].get(killers.get(mutant.key))
        return program is not None and mutant.path in program.get("files", [mutant.path])

    mutants = [mutant for mutant in all_mutants if is_promised(mutant)]
    mutants, skipped = capabilities.split(mutants, capabilities.of_machine(ROOT, options.cxx))
    if len(mutants) < FEWEST:
        raise MutantError(f"{len(mutants)} mutants are said to be killed by unit tests: {RESULTS} is not of this tree; run ci/mutate.sh --json {RESULTS}")
    begin = time.monotonic()
    programs = build_fast(ROOT, options.scratch, table, mutants, options.cxx)
    built = time.monotonic()
    own = {"area": {}, "detector": {}}
    for mutant in mutants:
        mutant.detectors = [killers[mutant.key]]
    found = judge_all(Detectors(programs, own, lambda one: None, FAST_PATIENCE), mutants, options.jobs)
    seconds = {"build": built - begin, "run": time.monotonic() - built}
    lost = [one for one in found if one.status != "killed"]
    for one in lost:
        print(f"{one.mutant}\n    {one.mutant.detectors[0]} no longer notices it ({one.status})")
    if skipped:
        print(report.skipped_text(skipped))
    print(f"{len(found) - len(lost)} of {len(found)} mutants are noticed, {len(skipped)} skipped, by {', '.join(table['fast'])} "
          f"(build {seconds['build']:.0f} s, run {seconds['run']:.0f} s)")
    return 1 if lost else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="all", choices=["all", "fast", "list"])
    parser.add_argument("--area", action="append", help="only mutants of this area")
    parser.add_argument("--only", help="runs only mutants with this text in their line of the report; all are built")
    parser.add_argument("--again", action="store_true", help="only mutants that docs/mutation.json does not list as killed")
    parser.add_argument("--quick", action="store_true", help="without the detectors of [thorough]")
    parser.add_argument("--json", help="writes every mutant and its result")
    parser.add_argument("--page", help="with --json: also writes the same results as a page")
    parser.add_argument("--scratch", type=pathlib.Path, help="the folder of the mutated tree, which is kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    parser.add_argument("--cxx", default=os.environ.get("CXX", "c++"))
    options = parser.parse_args(arguments)
    if options.scratch is None:
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
        options.scratch = cache / "upcast" / f"mutation-{options.what}"
    options.scratch = options.scratch.resolve()
    options.scratch.mkdir(parents=True, exist_ok=True)
    table = tomllib.loads((FOLDER / "detectors.toml").read_text())
    if options.quick:
        del table["thorough"]
    try:
        mutants = tables.load(ROOT, FOLDER / "mutants")
        with_edits(ROOT, {})  # also where nothing is built whole, so that CI notices an edit whose text is gone
        if options.what == "list":
            print("\n".join(f"{mutant.key} {mutant.area:<10} {mutant}" for mutant in mutants))
            _, skipped = capabilities.split(mutants, capabilities.of_machine(ROOT, options.cxx))
            print(report.skipped_text(skipped) or "this machine can run all of them")
            return 0
        return {"all": whole, "fast": fast}[options.what](options, table, mutants)
    except MutantError as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
