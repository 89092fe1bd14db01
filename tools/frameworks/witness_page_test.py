"""Tests tools/frameworks/witness_page.py and witness_groups.py on groups with known verdicts, and on the committed groups.

usage: witness_page_test.py ROOT
"""

import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
TOOLS = pathlib.Path(__file__).parent

COMMITTED = [ROOT / "cases/witness_groups.json", ROOT / "cases/witness_triage.toml", ROOT / "docs/witnesses.md"]
GROUPS = {
    "asked": [{"part": "promotion", "cases": 5, "of": 10, "shard": "1/2", "date": "2026-11-23", "versions": {"libtorch": "2.15.0"}}],
    "witnesses": [{"op": "neg", "question": "LibTorch refuses", "over": "complex", "how": "no kernel neg_cpu for complex", "cases": 2, "dtypes": ["complex64"], "case": "neg(complex64[1])",
                   "element": 0, "libtorch": "refuses", "others": {"numpy": "answers", "jax": "answers"}, "voices": 2}],
    "torch": [{"change": "answered once, refuses now", "refusal": "no kernel x", "cases": 1, "ops": ["neg"], "dtypes": [], "case": "neg(3)"}],
}
ENTRIES = {"known_differences.toml": '[[difference]]\nid = "known"\n', "laws/broken_laws.toml": '[[broken]]\nid = "law"\n'}
RULE = 'verdict = "{}"\nreason = "a test"\nentry = ["known", "law"]\n'
WITNESS = '[[witnesses]]\nop = "{}"\n' + RULE
TORCH = '[[torch]]\nrefusal = ["a", "no kernel *"]\n' + RULE.format("bug")


def run(*arguments):
    return subprocess.run([sys.executable, *map(str, arguments)], check=False, capture_output=True, text=True)


def page(folder, triage, *more):
    pathlib.Path(folder, "laws").mkdir(exist_ok=True)
    for name, text in {"groups.json": json.dumps(GROUPS), "triage.toml": triage, **ENTRIES}.items():
        pathlib.Path(folder, name).write_text(text)
    return run(TOOLS / "witness_page.py", *(pathlib.Path(folder, name) for name in ("groups.json", "triage.toml", "page.txt")), *more)


def store(path, subject, records):
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE meta(key, value)")
    database.execute("CREATE TABLE block(count)")
    database.execute("INSERT INTO block VALUES(?)", [len(records)])
    database.execute("CREATE TABLE record(case_index, line, verdict, subject, oracle)")
    about = {"subject": subject, "planned": "9", "shard": "1/2", "date": "2026-11-23", "environment": json.dumps({"libtorch": "2.15.0", "cpu": "EPYC"})}
    database.executemany("INSERT INTO meta VALUES(?, ?)", about.items())
    database.executemany("INSERT INTO record VALUES(?, ?, ?, ?, ?)", [(i, *record) for i, record in enumerate(records)])
    database.commit()


def asked(has, votes):
    witnesses = [{"side": f"python:{side}", "answer": "", "has": answer, "with": vote} for side, (answer, vote) in votes.items()]
    return json.dumps({"code": "agree", "found": "agree", "asked": {"what": "element", "element": 0, "dtype": "complex64", "oracle": has}, "witnesses": witnesses})


# The committed groups and triage fit each other, and the committed page is made from them.
committed = run(TOOLS / "witness_page.py", *COMMITTED, "--check")
assert committed.returncode == 0, committed.stderr

with tempfile.TemporaryDirectory() as folder:
    assert page(folder, WITNESS.format("n*", "bug") + TORCH).returncode == 0
    assert page(folder, WITNESS.format("n*", "bug") + TORCH, "--check").returncode == 0
    assert page(folder, WITNESS.format("n*", "bug").replace("entry", "undeclared").replace('["known", "law"]', '"ours copies it"') + TORCH).returncode == 0
    assert "Not declared: ours copies it" in pathlib.Path(folder, "page.txt").read_text()
    assert page(folder, WITNESS.format("n*", "bug") + TORCH).returncode == 0
    for triage, fault in (
        (WITNESS.format("abs", "bug") + TORCH, "no [[witnesses]] has a verdict of neg"),
        (WITNESS.format("neg", "bug") + WITNESS.format("abs", "bug") + TORCH, "that is of no group"),
        (WITNESS.format("neg", "guilty") + TORCH, "'guilty' is not a verdict"),
        (WITNESS.format("neg", "bug").replace("law", "lore") + TORCH, "no entry 'lore'"),
        (WITNESS.format("neg", "bug").replace('entry = ["known", "law"]', "") + TORCH, "names no entry"),
    ):
        told = page(folder, triage)
        assert told.returncode != 0 and fault in told.stderr, (triage, told.stderr)
    stale = page(folder, WITNESS.format("neg", "open") + TORCH, "--check")
    assert stale.returncode != 0 and "regenerate" in stale.stderr, stale.stderr

    # Two voices that agree make a group. NumPy and array-api-strict are one voice. A voice that agrees with LibTorch is
    # in no group.
    path, earlier, out = (pathlib.Path(folder, name) for name in ("a.db", "b.db", "out.json"))
    store(path, "impl:cpu", [
        ("add(complex64[1], complex64[1])", asked("nan", {"numpy": ("1", "neither"), "jax": ("1", "neither")}), "", ""),
        ("mul(float32[1], 2)", asked("nan", {"numpy": ("1", "neither"), "array-api-strict": ("1", "neither")}), "", ""),
        ("div(float32[1], 2)", asked("nan", {"numpy": ("1", "neither"), "jax": ("2", "neither")}), "", ""),
        ("sub(float32[1], 2)", asked("nan", {"numpy": ("1", "neither"), "jax": ("1", "neither"), "paddle": ("", "both"),
                                             "onnxruntime": ("", "both")}), "", ""),
        ("neg(float32[1])", asked("nan", {"numpy": ("1", "neither"), "torch": ("1", "neither")}), "", ""),
    ])
    refused = json.dumps({"code": "differ(refusal)"})
    store(earlier, "python:torch", [
        ("neg(uint16[1])", refused, "uint16[1]{1}", "refuses(unsupported_dtype: \"neg_cpu\" not implemented for 'UInt16')"),
        ("abs_(uint16[1])", refused, "refuses(other: \"abs_cpu\" not implemented for 'UInt16')", "uint16[1]{1}"),
    ])
    told = run(TOOLS / "witness_groups.py", out, path, earlier)
    assert told.returncode == 0, told.stderr
    found = json.loads(out.read_text())
    assert found["asked"][0] == {"part": "a", "cases": 5, "of": 9, "shard": "1/2", "date": "2026-11-23", "versions": {"libtorch": "2.15.0"}}, found["asked"]
    assert [(group["op"], group["over"], group["others"]) for group in found["witnesses"]] == [("add", "complex", {"numpy": "1", "jax": "1"})], found
    assert [(group["change"], group["refusal"], group["ops"]) for group in found["torch"]] == [
        ("answered once, refuses now", "no kernel neg_cpu", ["neg"]), ("refused once, answers now", "no kernel abs_cpu", ["abs"])], found
print("witness_page: groups, triage and page hold together")
