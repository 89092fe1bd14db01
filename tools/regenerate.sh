#!/usr/bin/env bash
# tools/regenerate.sh [BUILD=build]: regenerates every committed file that is derived from the sources. Run it after you add an op, a
# rule book or a known difference; git diff shows the changes. A test compares each of these files with what this writes.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
write() { local file=$1; shift; "$@" > "$file.new" && mv "$file.new" "$file"; }  # write <file> <command>...: replaces the file by the command's output, if the command succeeds
say() { printf '\n%s\n' "== $*" >&2; }

say "programs"
ninja -C "$build" upcast upcast-worker upcast-truth-gaps upcast-sweep upcast-repro upcast-measure-findings upcast_emulated_module fuzz-make-seeds properties.impl > /dev/null

say "fuzz: an id and a seed for each new callable"
"$build/bin/fuzz-make-seeds" fuzz

say "accuracy: rows that are missing from the table"
python3 tools/accuracy/accuracy.py update "$build/bin/upcast" cases/accuracy.json --date "$(date -u +%F)" --missing
python3 tools/accuracy/accuracy_page.py cases/accuracy.json cases/published_maxima.json docs/accuracy.md

say "pages: gaps of the truth, answers of witnesses"
write docs/truth_gaps.md "$build/bin/upcast-truth-gaps" --every 10
python3 tools/frameworks/witness_page.py cases/witness_groups.json cases/witness_triage.toml docs/witnesses.md

say "measurements of findings"
"$build/bin/upcast-measure-findings" --out cases/measured_findings.json
say "pages: catalogue, properties, findings, the table of the README"
write docs/catalogue.md "$build/bin/upcast" list ops --markdown
write docs/properties.md "$build/bin/properties.impl" --list
python3 tools/findings/findings_page.py cases/known_differences.toml docs/findings.md --upcast "$build/bin/upcast" --readme README.md
python3 tools/findings/compilers_page.py cases/compiler_differences.toml docs/compiler_findings.md --upcast "$build/bin/upcast"  # runs new programs in the environment of torch
