"""Writes a page about the executions and faults of ci/fuzz_parsers.py: ci/parsers_page.py FOLDER/executions.json PAGE [--runs N]."""

import argparse
import json
import pathlib
import subprocess


def compiler():
    return subprocess.run(["clang++", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def row(name, had, runs):
    rate = had["executions"] / had["seconds"]
    hours = max(0, runs - had["executions"]) / rate / 3600
    return f"| `{name}` | {had['executions']:,} | {had['sanitized']:,} | {had['faults']} | {rate:,.0f} | {hours:,.1f} |"


def page(parsers, runs):
    had = {name: row for name, row in parsers.items() if row["executions"]}
    whole = sum(row["executions"] >= runs for row in had.values())
    total = sum(row["executions"] for row in had.values())
    sanitized = sum(row["sanitized"] for row in had.values())
    faults = sum(row["faults"] for row in had.values())
    hours = sum(max(0, runs - row["executions"]) * row["seconds"] / row["executions"] for row in had.values()) / 3600
    machines = sorted({machine for row in had.values() for machine in row.get("machines", ["unknown"])})  # an older ledger has none
    rows = sorted(had.items(), key=lambda item: (-item[1]["executions"], item[0]))
    return f"""# Measured: parsers of outside data

`ci/parsers_page.py` wrote this page from [the counts](parsers.json). [Security](../../SECURITY.md) says what the
parsers are.

- Date: {min(row["first"] for row in had.values())} to {max(row["last"] for row in had.values())}.
- Machines: {"; ".join(machines)}. Other processes ran at the same time.
- Compiler: {compiler()}, with its coverage. The standard library checks its indices.
- Command: `ci/fuzz.sh parsers`, or `ci/fuzz_parsers.py` with the same engines.
- Executions: {total:,} in all, with {faults} {"fault" if faults == 1 else "faults"}.
- Under the address and undefined behaviour sanitizers: after a run, every input of the corpora that grew, and some
  mutations of them: {sanitized:,} executions.
- Parsers with {runs:,} executions: {whole} of {len(parsers)} in the table.
- Hours of one core until those of the table have so many, at these rates: {hours:,.0f}.
- Executions are of a parser since it was last changed. A parser that is not in the table has had none since then.
- An execution is a text that a parser read. An engine gives it each input and, since
  2026-11-28, three texts near it.

*a second* is of processor time, with the start of each engine.

| parser | executions | sanitized | faults | a second | hours left |
| --- | ---: | ---: | ---: | ---: | ---: |
""" + "".join(row(name, of, runs) + "\n" for name, of in rows)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("ledger", type=pathlib.Path)
    arguments.add_argument("page", type=pathlib.Path)
    arguments.add_argument("--runs", type=int, default=10**8)
    options = arguments.parse_args()
    options.page.write_text(page(json.loads(options.ledger.read_text()), options.runs), encoding="utf-8")


if __name__ == "__main__":
    main()
