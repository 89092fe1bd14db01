"""Tests that the short programs of the known differences show them, with torch alone.

    tools/findings/short_programs.py BIN LIBTORCH python   runs those in Python; exits 77, with a reason, where torch has no Python
    tools/findings/short_programs.py BIN LIBTORCH measured runs those in Python of the strongest cases (cases/measured_findings.json)
    tools/findings/short_programs.py BIN LIBTORCH measured_cpp  those in C++
    tools/findings/short_programs.py BIN LIBTORCH cpp      builds those in C++ as one program, and one of them by the command in its comment
    tools/findings/short_programs.py BIN LIBTORCH probe    both, of cases of every kind (tools/findings/testing/reproducers.cases), told that
                                                           LibTorch's answer is wrong: each must say so
    ... --control                                          one program takes what it gets for right, another is missing: both must be noticed

BIN holds upcast and upcast-repro, LIBTORCH the torch/ folder. Exits 1 where a difference does not show, where an entry has neither a program nor a
reason, and where fewer than 85 % of the programs in Python have at most 15 lines."""
import json
import os
import pathlib
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback

from reproducers import ROOT, Reproducers, known_differences, version_of, without_vector_paths

LINES, SHARE = 15, 0.85
SECONDS = 60  # seconds, the time limit of one program


def written(reproducers, entries):
    """{file name: text} of the short programs, and {file name: why there is none}; without `entries`, those of upcast-repro-probe."""
    folder = reproducers.folder / "programs"
    probe = [reproducers.upcast.with_name("upcast-repro-probe"), ROOT / "tools/findings/testing/reproducers.cases", "--short", folder]
    known = [reproducers.upcast, "repro", "--all-known", "--short", "--folder", folder, "--time-limit", "3"]
    command = known if entries else probe
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"upcast repro ended with exit code {done.returncode}: {done.stderr}")
    reasons = dict(re.findall(r"^upcast: no (\w+\.\w+): (.*)$", done.stderr, re.M))
    programs = {file.name: file.read_text() for file in sorted(folder.iterdir())}
    other = [name for name in programs if name.rpartition(".")[0] not in entries]
    assert not (entries and other), f"programs of no entry: {other}"
    return programs, reasons


def measured(entries, suffix):
    """Returns what written() does, for the programs in cases/measured_findings.json, which show the strongest case of each entry."""
    findings = json.loads((ROOT / "cases/measured_findings.json").read_text())["findings"]
    named = {each["id"].replace("-", "_"): each for each in findings if each["id"].replace("-", "_") in entries}
    texts = {name + suffix: each["python" if suffix == ".py" else "cpp"] for name, each in named.items()}
    reasons = {name + suffix: each["why_no_python"] for name, each in named.items() if suffix == ".py"}
    return {name: text for name, text in texts.items() if text}, {name: why for name, why in reasons.items() if not texts[name]}


def first_kind(entry):
    return entry["kind"] if isinstance(entry["kind"], str) else entry["kind"][0]


def python_fault(entry, text, status, output):
    """The reason why a Python program does not show its difference; "" where it does."""
    kind, last = first_kind(entry), (output.strip().splitlines() or [""])[-1]
    if kind == "crash":
        return "" if status < 0 else f"exit {status} in the place of a signal"
    if kind == "timeout":
        return "" if status == -signal.SIGALRM else f"exit {status} in the place of an alarm"
    told = re.search(r"^# got: (.*)$", text, re.M)
    if told is None:
        return "" if status == 1 and last.startswith("AssertionError") else f"exit {status}, no AssertionError"
    message = told[1].removesuffix(" ...")
    is_refused = status == 1 and re.match(r"\w*Error: ", last) is not None and not last.startswith(("AssertionError", "TypeError", "AttributeError"))
    return "" if is_refused and " ".join(message.split()) in " ".join(output.split()) else f"exit {status}, not the error of its comment"


def cpp_fault(entry, status):
    kind = first_kind(entry)
    if kind == "crash":
        return "" if status < 0 else f"exit {status} in the place of a signal"
    if kind == "timeout":
        return "" if status == -signal.SIGALRM else f"exit {status} in the place of an alarm"
    return "" if status == 1 else f"exit {status}"


def run_one(file):
    """Runs a Python file in this process, a fork of one that has imported torch. Never returns: the process ends."""
    try:
        runpy.run_path(file, run_name="__main__")
        code = 0
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def child():
    """Reads names of Python files as JSON from standard input, runs each in a fork, and prints [file, exit status]. Output goes to FILE.out."""
    import torch  # noqa: F401
    for file in json.load(sys.stdin):
        pid = os.fork()
        if pid == 0:
            output = os.open(file + ".out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(output, 1)
            os.dup2(output, 2)
            run_one(file)
        print(json.dumps([file, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])]), flush=True)


def run_python(reproducers, programs):
    """Runs Python programs: {file name: (exit status, output)}. A program that sets environment variables for torch runs in a new process."""
    python, folder, found = reproducers.python(), reproducers.folder / "run", {}
    folder.mkdir()
    for name, text in programs.items():
        (folder / name).write_text(text)
    together = [str(folder / name) for name, text in programs.items() if "os.environ" not in text]
    done = subprocess.run([*python, __file__, "--child"], input=json.dumps(together), text=True, env=reproducers.environment,
                          stdout=subprocess.PIPE, timeout=SECONDS * (1 + len(together)))
    for file, status in map(json.loads, done.stdout.splitlines()):
        found[pathlib.Path(file).name] = status, pathlib.Path(file + ".out").read_text()
    for name in programs:
        if "os.environ" in programs[name]:
            alone = subprocess.run([*python, folder / name], env=reproducers.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   timeout=SECONDS)
            found[name] = alone.returncode, alone.stdout
    return found


def in_one(programs):
    """Joins C++ programs into one, to compile once. Its argument is the name of the part to run."""
    includes = sorted({line for text in programs.values() for line in text.splitlines() if line.startswith("#include")})
    parts, rows = [], []
    for name, text in programs.items():
        word = name.removesuffix(".cc")
        assert text.count("int main() {") == 1, name
        body = "\n".join(line for line in text.splitlines() if not line.startswith("#include"))
        parts.append(body.replace("int main() {", f"static int main_{word}() {{"))
        rows.append(f'    {{"{word}", &main_{word}}},')
    table = "\n".join(["#include <map>", "static const std::map<std::string, int (*)()> kParts{", *rows, "};",
                       "int main(int, char** words) { return kParts.at(words[1])(); }"])
    return "\n".join([*includes, *parts, table]) + "\n"


def run_cpp(reproducers, programs):
    source = reproducers.folder / "short.cc"
    source.write_text(in_one(programs))
    command = reproducers.build(source)
    found = {}
    for name in programs:
        done = subprocess.run([*command, name.removesuffix(".cc")], env=reproducers.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=SECONDS)
        found[name] = done.returncode, done.stdout
    return found


def run_alone(reproducers, name, text):
    """Builds a C++ program by the command in its own comment, runs it, and returns the exit status."""
    (reproducers.folder / "short.cc").write_text(text)
    command = re.search(r"//   (g\+\+ .*?) && ./short", text.replace(" \\\n//     ", " "), re.S)[1]
    subprocess.run(["bash", "-c", command], check=True, cwd=reproducers.folder, env=reproducers.environment | {"T": str(reproducers.libtorch)})
    done = subprocess.run([reproducers.folder / "short"], env=reproducers.environment, capture_output=True, text=True)
    print(f"{name} alone: exit {done.returncode}, {done.stdout.strip()}")
    return done.returncode


def spoiled(programs):
    """Programs for the control: one now accepts the wrong answer, one is unchanged, and all others are missing."""
    near = [name for name, text in programs.items() if " - expected) <= " in text]
    assert len(near) >= 2, "programs to spoil"
    text = re.sub(r"^assert (.*)$", r"assert not (\1)", programs[near[0]], flags=re.M).replace("? 0 : 1;", "? 1 : 0;")
    assert text != programs[near[0]]
    return {near[0]: text, near[1]: programs[near[1]]}


def counted(programs):
    """Prints the lines of each program. Returns a line of trouble if too few have at most LINES lines."""
    lines = {name: text.count("\n") for name, text in programs.items()}
    for name, count in lines.items():
        print(f"{count:3} lines {name}")
    short = sum(count <= LINES for count in lines.values())
    print(f"{short} of {len(lines)} programs have at most {LINES} lines ({short / max(len(lines), 1):.0%})")
    is_python = all(name.endswith(".py") for name in lines)
    return [f"fewer than {SHARE:.0%} have at most {LINES} lines"] if is_python and short < SHARE * len(lines) else []


def probe(reproducers):
    """Runs the programs of upcast-repro-probe. Returns 1 if one does not show its difference, which is always one of values."""
    programs, reasons = written(reproducers, {})
    entry, trouble = {"kind": "value"}, []
    for suffix, run in ((".py", run_python), (".cc", run_cpp)):
        chosen = {name: text for name, text in programs.items() if name.endswith(suffix)}
        for name, (status, output) in run(reproducers, chosen).items():
            fault = python_fault(entry, programs[name], status, output) if suffix == ".py" else cpp_fault(entry, status)
            trouble += [f"{name}: {fault}\n{programs[name]}\n{output}"] if fault else []
        print(f"{len(chosen)} programs *{suffix} ran")
    for line in [*(f"no {name}: {reason}" for name, reason in reasons.items()), *trouble]:
        print(line)
    return 1 if trouble or not programs else 0


def main():
    if sys.argv[1] == "--child":
        return child()
    binaries, libtorch, language = sys.argv[1:4]
    suffix = ".py" if language == "python" else ".cc"
    with tempfile.TemporaryDirectory() as folder:
        reproducers = Reproducers(binaries, libtorch, pathlib.Path(folder))
        if language == "probe":
            return probe(reproducers)
        entries = without_vector_paths(known_differences(version_of(reproducers.libtorch)), reproducers)
        if language.startswith("measured"):
            language, suffix = {"measured": ("python", ".py"), "measured_cpp": ("cpp", ".cc")}[language]
            entries = {name: entry for name, entry in entries.items() if entry["class"] == "bug"}
            programs, reasons = measured(entries, suffix)
        else:
            programs, reasons = written(reproducers, entries)
        programs = {name: text for name, text in programs.items() if name.endswith(suffix)}
        names = [name + suffix for name in entries]
        if "--control" in sys.argv:
            programs = spoiled(programs)
            names = [*programs, "a_program_that_is_missing" + suffix]
        found = run_python(reproducers, programs) if language == "python" else run_cpp(reproducers, programs)
        trouble = [f"{name}: neither a program nor a reason" for name in names if name not in programs and name not in reasons]
        shows = 0
        for name, text in programs.items():
            entry = entries[name.removesuffix(suffix)]
            status, output = found.get(name, (None, "it did not run"))
            fault = python_fault(entry, text, status, output) if language == "python" else cpp_fault(entry, status)
            shows += not fault
            trouble += [f"{name}: the difference does not show: {fault}\n{text}\n{output}"] if fault else []
        if language == "cpp" and "--control" not in sys.argv:
            name = next(name for name in programs if first_kind(entries[name.removesuffix(suffix)]) == "value")
            trouble += [] if run_alone(reproducers, name, programs[name]) == 1 else [f"{name}: built alone, it does not show its difference"]
    trouble += [] if "--control" in sys.argv else counted(programs)
    for name in names:
        if name in reasons:
            print(f"no {name}: {reasons[name]}")
    for line in trouble:
        print(line)
    print(f"{len(programs)} short programs ran, {shows} show their difference; {sum(name in reasons for name in names)} have none")
    return 1 if trouble or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
