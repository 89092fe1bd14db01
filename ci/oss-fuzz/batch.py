"""Fuzzes each target of a build in turn, as a batch run of ClusterFuzzLite does: for an equal part of S seconds, on a corpus that is kept.

    batch.py OUT CORPORA --seconds S [--target NAME]... [--exchange SHARED] [--json FILE]

OUT is what ci/oss-fuzz/build.sh wrote. CORPORA/TARGET is a target's corpus, which begins with its seeds; in the end it has
what is new as well. CORPORA/TARGET.crashes has the inputs that ended it. --exchange needs one target. SHARED is the folder of
`upcast fuzz --exchange`: its inputs come first, and new ones go there. The engine code is that of PyPI's `clusterfuzz`, at
$UPCAST_CLUSTERFUZZ or where ci/setup.sh scale unpacks it. Exits with 1 where a target had a crash, with 3 where one ran nothing."""
import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import zipfile

import bad_build
import corpora

PINS = pathlib.Path(__file__).resolve().parents[1] / "clusterfuzz.txt"


def packages():
    """The folder where ci/setup.sh unpacks PyPI's clusterfuzz. It may be missing."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
    version = re.search(r"^[^#=\n]*==(\S*)", PINS.read_text(), re.M).group(1)
    return pathlib.Path(os.environ.get("UPCAST_CLUSTERFUZZ") or cache / f"clusterfuzz-{version}")


def add_seeds(target, corpus):
    seeds = target.with_name(f"{target.name}_seed_corpus.zip")
    if any(corpus.iterdir()) or not seeds.exists():
        return
    with zipfile.ZipFile(seeds) as members:
        for member in members.namelist():
            if not member.endswith("/"):
                (corpus / corpora.name_of(members.read(member))).write_bytes(members.read(member))


def count(folder):
    return sum(1 for path in folder.iterdir() if path.is_file())


def run_target(engines, target, corpus, seconds):
    """Fuzzes a target. Returns its executions, its inputs before and after, and its crashes."""
    crashes = corpus.with_name(corpus.name + ".crashes")
    for folder in (corpus, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    add_seeds(target, corpus)
    before = count(corpus)
    with engines.environment.Environment("libFuzzer", "address", str(target), interactive=True):
        engine = engines.fuzz.get_engine("libFuzzer")
        options = engine.prepare(str(corpus), str(target), str(target.parent))
        options.analyze_dictionary = False
        result = engine.fuzz(str(target), options, str(crashes), seconds)
    return {"target": target.name, "runs": int(result.stats.get("number_of_executed_units", 0)), "inputs_before": before,
            "inputs": count(corpus), "crashes": [crash.input_path for crash in result.crashes]}


def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("corpora", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, required=True, help="of all targets together")
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--exchange", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = command_line()
    folder = packages()
    if not folder.is_dir():
        raise SystemExit(f"no {folder}: ci/setup.sh scale fetches it")
    sys.path.insert(0, str(folder))
    import clusterfuzz.environment
    import clusterfuzz.fuzz
    targets = [target for target in bad_build.targets(options.out.resolve()) if not options.target or target.name in options.target]
    if not targets or len(targets) < len(set(options.target)):
        raise SystemExit(f"{options.out} does not hold the targets {' '.join(options.target)}")
    if options.exchange and len(targets) > 1:
        raise SystemExit("a folder of campaigns has inputs of one target: name it with --target")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update({"FAIL_RETRIES": "1", "FUZZ_INPUTS": scratch, "FUZZ_INPUTS_DISK": scratch, "BOT_TMPDIR": scratch})
        for target in targets:
            corpus = options.corpora.resolve() / target.name
            if options.exchange:
                corpora.take(options.exchange, corpus)
            rows.append(run_target(clusterfuzz, target, corpus, max(1, options.seconds // len(targets))))
            if options.exchange:
                rows[-1]["given"] = corpora.give(corpus, options.exchange)
            print(", ".join(f"{key} {value}" for key, value in rows[-1].items() if key != "crashes"), *rows[-1]["crashes"], flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if any(row["crashes"] for row in rows):
        return 1
    return 3 if any(row["runs"] == 0 for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
