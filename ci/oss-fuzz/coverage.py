"""Measures which lines of the sources the corpora of a build's targets reach, as OSS-Fuzz's `coverage` script does.

    coverage.py OUT CORPORA REPORT [--target NAME]... [--source FOLDER]

OUT is what ci/oss-fuzz/build.sh wrote with CXXFLAGS="-fprofile-instr-generate -fcoverage-mapping". CORPORA/TARGET is a corpus, of
batch.py or of a campaign. REPORT gets, under the names that ClusterFuzzLite looks for, linux/summary.json and linux/index.html
(llvm-cov's), and fuzzer_stats/TARGET.json. --source: only files below it. Needs Debian's llvm. Exits with 1 where a target fails
on its corpus, or was made without coverage."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import bad_build


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command[:3]))}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
    return done.stdout


def profile(target, corpus, scratch):
    """Runs a target over its corpus, and returns its merged profile. Runs it as a merge, as OSS-Fuzz does, which survives a crash."""
    raw = scratch / f"{target.name}.%1m.profraw"
    merged = scratch / target.name
    merged.mkdir()
    run(target, "-merge=1", "-timeout=100", f"-artifact_prefix={scratch}/", merged, corpus,
        env={**os.environ, "LLVM_PROFILE_FILE": str(raw)})
    found = list(scratch.glob(f"{target.name}.*.profraw"))
    if not found:
        raise SystemExit(f"{target.name} was made without coverage: -fprofile-instr-generate -fcoverage-mapping")
    data = scratch / f"{target.name}.profdata"
    run("llvm-profdata", "merge", "-sparse", *found, "-o", data)
    return data


def objects(targets):
    """The programs as arguments of llvm-cov, which takes the first as it is and each other one after -object."""
    return [targets[0]] + [word for target in targets[1:] for word in ("-object", target)]


def report(targets, corpora, folder, sources):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        (folder / "fuzzer_stats").mkdir(parents=True, exist_ok=True)
        profiles = []
        for target in targets:
            profiles.append(profile(target, corpora / target.name, scratch))
            told = run("llvm-cov", "export", "-summary-only", f"-instr-profile={profiles[-1]}", target, *sources)
            (folder / "fuzzer_stats" / f"{target.name}.json").write_text(told)
        everything = scratch / "all.profdata"
        run("llvm-profdata", "merge", "-sparse", *profiles, "-o", everything)
        (folder / "linux").mkdir(exist_ok=True)
        (folder / "linux/summary.json").write_text(
            run("llvm-cov", "export", "-summary-only", f"-instr-profile={everything}", *objects(targets), *sources))
        run("llvm-cov", "show", "-format=html", f"-output-dir={folder}/linux", f"-instr-profile={everything}", *objects(targets), *sources)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("out", "corpora", "report"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--source", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    if not shutil.which("llvm-cov"):
        raise SystemExit("no llvm-cov: ci/setup.sh scale installs it")
    targets = [target for target in bad_build.targets(options.out.resolve()) if not options.target or target.name in options.target]
    targets = [target for target in targets if (options.corpora / target.name).is_dir()]
    if not targets:
        raise SystemExit(f"no target of {options.out} has a corpus in {options.corpora}")
    report(targets, options.corpora.resolve(), options.report.resolve(), [source.resolve() for source in options.source])
    print((options.report / "linux/index.html").resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
