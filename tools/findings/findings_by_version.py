"""Prints which findings differ between two versions of LibTorch: findings_by_version.py VERSION [--corpus DIR...] [--bin build/bin]

VERSION is not the build's own; ci/libtorch_version.sh installs it. The committed seeds of the fuzz target elementwise,
the inputs of campaigns (--corpus), and the cases of the known differences are asked of our implementation and of either
LibTorch, without excuse by a known difference. A difference has a signature (oracle/signature.h): the table says which
signatures only the older or the newer LibTorch has, with the known difference by whose case it is shown, and a case.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

KNOWN = pathlib.Path(__file__).resolve().parents[2] / "cases/known_differences.toml"


def case_lines(options):
    arguments = [options.bin / "fuzz-elementwise-replay", "-seeds", "-show", *options.corpus]
    shown = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.splitlines()
    known = {entry["case"]: entry["id"] for entry in tomllib.loads(KNOWN.read_text())["difference"] if "subject" not in entry}
    return list(dict.fromkeys([*shown, *known])), known


def differences(options, lines, oracle, folder):
    """The records of a run over the lines, by case line. A block keeps only so many, so too many are asked again in halves."""
    cases, store, records, none = (folder / name for name in ("all.cases", "run.db", "run.ndjson", "none.toml"))
    cases.write_text("\n".join(lines) + "\n")
    none.write_text("")
    store.unlink(missing_ok=True)
    done = subprocess.run([options.bin / "upcast", "run", "--cases", cases, "--oracle", oracle, "--known", none, "--out", store,
                           "--json", "-"], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"findings_by_version: {oracle}: {done.stderr.strip()}")
    subprocess.run([options.bin / "upcast", "report", store, "--ndjson", records], check=True, capture_output=True)
    rows = map(json.loads, records.read_text().splitlines())
    found = {row["line"]: row for row in rows if row.get("signature")}
    if len(found) >= json.loads(done.stdout)["unexplained"]:
        return found
    middle = len(lines) // 2
    return differences(options, lines[:middle], oracle, folder) | differences(options, lines[middle:], oracle, folder)


def show(title, rows, known):
    by_signature = {}
    for line, row in rows.items():
        by_signature.setdefault(row["signature"].split(" ", 1)[1], []).append(line)
    print(f"{title}: {len(rows)} cases, {len(by_signature)} signatures")
    for signature, lines in sorted(by_signature.items()):
        line = min(lines, key=lambda line: (line not in known, len(line)))
        name = f"  [{known[line]}]" if line in known else ""
        print(f"  {signature}{name}\n    {line if len(line) <= 140 else line[:137] + '...'}\n    {rows[line]['oracle'][:140]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("version")
    parser.add_argument("--corpus", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--bin", type=lambda text: pathlib.Path(text).resolve(), default="build/bin")
    options = parser.parse_args()
    lines, known = case_lines(options)
    with tempfile.TemporaryDirectory() as scratch:
        ours = differences(options, lines, "libtorch:cpu", pathlib.Path(scratch))
        other = differences(options, lines, f"libtorch@{options.version}:cpu", pathlib.Path(scratch))
    print(f"{len(lines)} cases compared with LibTorch {options.version} and the build's own")
    show(f"only {options.version} differs", {line: row for line, row in other.items() if line not in ours}, known)
    show(f"only the build's own differs, not {options.version}", {line: row for line, row in ours.items() if line not in other}, known)
    both = [line for line in ours if line in other]
    print(f"both differ: {len(both)} cases, {sum(line in known for line in both)} of them those of a known difference")


if __name__ == "__main__":
    main()
