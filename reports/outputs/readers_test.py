"""Reads the outputs of `upcast report` with the programs that they are for: junitparser, sarif-tools, csv, and JSON
schemas (docs/schemas/ for our own formats).

readers_test.py UPCAST SYNTHETIC_REPORT SCHEMAS PINS

PINS is ci/readers.txt, whose packages ci/setup.sh unpacks; exits with 77 (skipped) where they are not there."""
import csv
import functools
import html
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

UPCAST, SYNTHETIC, SCHEMAS, PINS = sys.argv[1:5]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"


def cached(name, pins):
    version = re.search(r"^[^#=\n]*==(\S*)", pathlib.Path(pins).read_text(), re.M).group(1)
    return CACHE / f"{name}-{version}"


READERS = str(cached("readers", PINS))
if not pathlib.Path(READERS).is_dir():
    print(f"skipped: no {READERS}; ci/setup.sh fetches it")
    sys.exit(77)
sys.path.insert(0, READERS)
import jsonschema  # noqa: E402
import junitparser  # noqa: E402
from sarif import loader  # noqa: E402

FORMATS = ["junit", "ctrf", "sarif", "step-summary", "badge", "csv", "ndjson"]
# A short JSON schema with the fields that https://ctrf.io requires.
CTRF = {
    "type": "object", "required": ["reportFormat", "specVersion", "results"],
    "properties": {
        "reportFormat": {"const": "CTRF"}, "specVersion": {"pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "generatedBy": {"type": "string"},
        "results": {
            "type": "object", "required": ["tool", "summary", "tests"], "additionalProperties": False,
            "properties": {
                "environment": {"type": "object"}, "extra": {"type": "object"},
                "tool": {"required": ["name"], "additionalProperties": False,
                         "properties": {"name": {"minLength": 1}, "version": {"type": "string"}}},
                "summary": {"required": ["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop"],
                            "additionalProperties": {"type": "integer"}},
                "tests": {"type": "array", "items": {
                    "required": ["name", "status", "duration"], "additionalProperties": False,
                    "properties": {
                        "name": {"type": "string", "minLength": 1}, "duration": {"type": "integer"},
                        "status": {"enum": ["passed", "failed", "skipped", "pending", "other"]},
                        "suite": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                        "message": {"type": "string"}, "trace": {"type": "string"},
                        "snippet": {"type": "string"}, "extra": {"type": "object"}}}}}}}}


@functools.cache
def sarif_schema():
    """The JSON schema of SARIF by OASIS, from the cache of the package schemastore; None where ci/setup.sh has not
    fetched it. The cache's entries are pickles of another package's objects, which contain the JSON as text: nothing
    is unpickled."""
    file = cached("schemastore", pathlib.Path(PINS).with_name("schemastore.txt")) / "schemastore/cache.sqlite"
    if not file.is_file():
        return None
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as database:
        for (entry,) in database.execute("SELECT value FROM responses"):
            if b'sarif-spec/master/Schemata/sarif-schema-2.1.0.json"' in entry[:1000]:
                return json.JSONDecoder().raw_decode(entry[entry.index(b"{\r\n"):].decode(errors="replace"))[0]
    raise LookupError(f"no schema of SARIF 2.1.0 in {file}")


def schema(name):
    return json.loads((pathlib.Path(SCHEMAS) / f"{name}.schema.json").read_text())


class Outputs(unittest.TestCase):
    """Tests of the outputs of four runs: one with differences, one with hostile names, one without differences, and a
    case list."""
    folder = tempfile.TemporaryDirectory(prefix="upcast-outputs-")

    def holds(self, found, name, *broken):
        """Checks that a document of ours names its schema and is valid, and that it is not valid without any one of
        the fields `broken`."""
        rules = jsonschema.Draft7Validator(schema(name))
        self.assertEqual([f"{list(error.path)}: {error.message}" for error in rules.iter_errors(found)], [])
        self.assertEqual(found["$schema"], schema(name)["$id"])
        self.assertFalse(rules.is_valid(dict(found, **{"$schema": found["$schema"] + "0"})), "another version")
        for key in ("$schema", *broken):
            self.assertFalse(rules.is_valid({k: v for k, v in found.items() if k != key}), f"without {key}")

    def answer(self, *arguments, codes=(0, 1)):
        done = subprocess.run([UPCAST, *arguments], capture_output=True, text=True, timeout=120)
        self.assertIn(done.returncode, codes, done.stderr)
        return json.loads(done.stdout)

    @classmethod
    def outputs(cls, kind, again=""):
        base = pathlib.Path(cls.folder.name) / (kind + again)
        store = pathlib.Path(cls.folder.name) / f"{kind}.db"
        if not store.exists():
            subprocess.run([SYNTHETIC, kind, store], check=True)
        flags = [word for name in FORMATS for word in (f"--{name}", f"{base}.{name}")]
        if not pathlib.Path(f"{base}.junit").exists():
            subprocess.run([UPCAST, "report", store, *flags], check=True, stdout=subprocess.DEVNULL)
        return {name: pathlib.Path(f"{base}.{name}").read_bytes().decode() for name in FORMATS}, base

    def each(self):
        for kind in ("small", "hostile", "clean", "list"):
            with self.subTest(kind):
                texts, base = self.outputs(kind)
                yield kind, texts, base, json.loads(texts["ndjson"].partition("\n")[0])

    def test_a_campaign(self):
        for target in ("notation", "kernel"):
            if not pathlib.Path(UPCAST).with_name(f"fuzz-{target}").exists():
                self.skipTest(f"this build has no engine for the target {target}")
            base = pathlib.Path(self.folder.name) / target
            subprocess.run([UPCAST, "fuzz", "--target", target, "--runs", "500", "--corpus", base, "--json", f"{base}.json"],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            campaign = json.loads(pathlib.Path(f"{base}.json").read_text())
            self.holds(campaign, "fuzz", "log")
            self.assertEqual(campaign["coverage"] is None, target == "notation")
        ops = campaign["coverage"]["ops"]
        self.assertEqual(len({row["op"] for row in ops}), len(ops))
        self.assertTrue(all(0 <= row["answered"] <= row["asked"] <= row["possible"] for row in ops))
        for row in campaign["coverage"]["combinations"]:
            self.assertEqual(row["asked"] == row["possible"], not row["gaps"])
        del campaign["coverage"]["pairs"]
        self.assertFalse(jsonschema.Draft7Validator(schema("fuzz")).is_valid(campaign))

    def test_junit(self):
        for kind, texts, base, run in self.each():
            report = junitparser.JUnitXml.fromfile(f"{base}.junit")
            tests = [case for suite in report for case in suite]
            failed = [case for case in tests if any(isinstance(r, junitparser.Failure) for r in case.result)]
            self.assertEqual((report.tests, report.failures), (len(tests), len(failed)))
            self.assertEqual(len(failed) > 0, run["unexplained"] > 0)
            self.assertEqual(report.failures, sum(suite.failures for suite in report))
            if kind == "hostile":
                self.assertTrue(any("<script>" in case.name for case in tests))

    def test_ctrf(self):
        for _, texts, _, run in self.each():
            report = json.loads(texts["ctrf"])
            jsonschema.validate(report, CTRF)
            tests, summary = report["results"]["tests"], report["results"]["summary"]
            for status in ("passed", "failed", "skipped"):
                self.assertEqual(summary[status], sum(test["status"] == status for test in tests))
            self.assertEqual(summary["tests"], len(tests))
            for count, key in (("cases", "ran"), ("known", "known"), ("unexplained", "unexplained")):
                self.assertEqual(sum(test["extra"][count] for test in tests if test["name"] != "coverage"), run[key])
            coverage, = (test for test in tests if test["name"] == "coverage")
            is_enough = run["coverage"]["share"] >= run["coverage"]["floor"]
            self.assertEqual(coverage["status"], "passed" if is_enough else "skipped")
            self.assertIn(f"{run['coverage']['judged_cases']:,} case", coverage["message"])
            del report["results"]["summary"]["stop"]
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(report, CTRF)

    def test_sarif(self):
        for _, texts, base, run in self.each():
            renamed = pathlib.Path(f"{base}.sarif.json")
            renamed.write_text(texts["sarif"])
            file = loader.load_sarif_file(str(renamed))
            results = json.loads(texts["sarif"])["runs"][0]["results"]
            self.assertEqual(len(file.get_records()), len(results))
            self.assertEqual(sum(result["properties"]["cases"] for result in results), run["unexplained"])
            prints = [result["partialFingerprints"]["upcastDifference/v1"] for result in results]
            self.assertTrue(all(len(one) == 64 for one in prints))

    def test_sarif_is_what_its_schema_says(self):
        if sarif_schema() is None:
            self.skipTest("no schema of SARIF; ci/setup.sh fetches it")
        validator = jsonschema.Draft7Validator(sarif_schema(), format_checker=jsonschema.FormatChecker())
        for kind, texts, _, run in self.each():
            report = json.loads(texts["sarif"])
            self.assertEqual([error.message for error in validator.iter_errors(report)], [])
            for result in report["runs"][0]["results"]:
                place = result["locations"][0]["physicalLocation"]
                file = urllib.parse.urlsplit(place["artifactLocation"]["uri"])
                self.assertRegex(file.path, r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")
                lines = pathlib.Path(urllib.parse.unquote(file.path)).read_text().splitlines()
                self.assertEqual(lines[place["region"]["startLine"] - 1], result["properties"]["case"].replace("\n", "\\n"))
            for broken in (dict(report, version="2.0"), dict(report, runs=[{"results": []}]), dict(report, run=[])):
                self.assertFalse(validator.is_valid(broken), broken.keys())
            if run["unexplained"] > 0:
                del report["runs"][0]["results"][0]["message"]
                self.assertFalse(validator.is_valid(report), kind)

    def test_step_summary(self):
        for _, texts, _, run in self.each():
            self.assertLess(len(texts["step-summary"].encode()), 1 << 20)
            # Markdown as a reader sees it: without escapes.
            self.assertIn(run["verdict"], re.sub(r"\\(.)", r"\1", html.unescape(texts["step-summary"])))
            self.assertEqual("What differs" in texts["step-summary"], run["unexplained"] > 0)

    def test_badge(self):
        for _, texts, _, run in self.each():
            badge = json.loads(texts["badge"])
            self.assertEqual(set(badge), {"schemaVersion", "label", "message", "color"})
            self.assertEqual(badge["schemaVersion"], 1)
            self.assertEqual(badge["message"].startswith("100 %"), run["unexplained"] == 0)
            self.assertEqual("% covered" in badge["message"], run["coverage"]["share"] < 1)

    def test_csv(self):
        for _, texts, _, run in self.each():
            rows = list(csv.DictReader(texts["csv"].splitlines(keepends=True)))
            for key in ("ran", "agree", "known", "unexplained", "not_judged"):
                self.assertEqual(sum(int(row[key]) for row in rows), run[key])

    def test_ndjson(self):
        for _, texts, _, run in self.each():
            self.holds(run, "run", "verdict")
            records = [json.loads(line) for line in texts["ndjson"].splitlines()[1:]]
            validator = jsonschema.Draft7Validator(schema("record"))
            for record in records:
                validator.validate(record)
            if records:
                self.holds(records[0], "record", "line", "evidence")
                evidence = records[0]["evidence"]
                self.assertTrue(all(record["evidence"]["code"] == record["verdict"] for record in records))
                for broken in (dict(records[0], verdict="agreed"), dict(records[0], case_index="0"),
                               dict(records[0], evidence=dict(evidence, found="agreed")),
                               dict(records[0], evidence=dict(evidence, ruling={"outcome": "ours"})),
                               dict(records[0], evidence=dict(evidence, difference={"what": "element", "ulp": "inf"}))):
                    self.assertFalse(validator.is_valid(broken), broken)
            self.assertEqual([record["case_index"] for record in records],
                             sorted(record["case_index"] for record in records))
            broken = dict(run, exit_code=7)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(broken, schema("run"))

    def test_diff(self):
        stores = []
        for kind in ("small", "clean"):
            self.outputs(kind)
            stores.append(pathlib.Path(self.folder.name) / f"{kind}.db")
        done = subprocess.run([UPCAST, "diff", *stores, "--json", "-"], capture_output=True, text=True)
        found = json.loads(done.stdout)
        self.holds(found, "diff", "worse", "no_longer_judged", "complete")
        self.assertEqual(done.returncode, 0)
        self.assertGreater(found["fixed"], 0)

    def test_a_run_with_a_baseline(self):
        worker = pathlib.Path(UPCAST).with_name("upcast-test-worker").resolve()
        if not worker.exists():
            self.skipTest("this build has no upcast-test-worker")
        store = pathlib.Path(self.folder.name) / "baseline.db"
        command = [UPCAST, "run", "add(float32[1], float32[1])", "--oracle", "test:right", "--json", "-", "--subject"]
        environment = dict(os.environ, UPCAST_WORKER=str(worker))
        subprocess.run([*command, "test:right", "--out", store], env=environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        done = subprocess.run([*command, "test:wrong", "--baseline", store], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.holds(found, "run", "exit_code")
        self.holds(found["baseline"], "diff", "worse")
        self.assertEqual(found["baseline"]["worse"], 1)
        del found["baseline"]["$schema"]
        self.assertFalse(jsonschema.Draft7Validator(schema("run")).is_valid(found))

    def test_several_runs_in_one_file(self):
        base = pathlib.Path(self.folder.name) / "several"
        for kind in ("small", "clean"):
            self.outputs(kind)
        stores = [pathlib.Path(self.folder.name) / f"{kind}.db" for kind in ("small", "clean")]
        flags = [word for name in FORMATS for word in (f"--{name}", f"{base}.{name}")]
        subprocess.run([UPCAST, "report", *stores, *flags], check=True, stdout=subprocess.DEVNULL)
        alone = [self.outputs(kind)[0] for kind in ("small", "clean")]
        runs = [json.loads(texts["ndjson"].partition("\n")[0]) for texts in alone]
        lines = [json.loads(line) for line in pathlib.Path(f"{base}.ndjson").read_text().splitlines()]
        self.assertEqual([line for line in lines if line["type"] == "run"], runs)
        suites = list(junitparser.JUnitXml.fromfile(f"{base}.junit"))
        of_one = [list(junitparser.JUnitXml.fromstring(texts["junit"].encode())) for texts in alone]
        self.assertEqual(sum(len(list(suite)) for suite in suites), sum(len(list(s)) for one in of_one for s in one))
        self.assertTrue(all(": " in suite.name for suite in suites))
        tests = json.loads(pathlib.Path(f"{base}.ctrf").read_text())
        jsonschema.validate(tests, CTRF)
        ops = [test for test in tests["results"]["tests"] if not test["name"].endswith(": coverage")]
        self.assertEqual(len(tests["results"]["tests"]) - len(ops), len(runs), "a test of coverage for each run")
        self.assertEqual(sum(test["extra"]["cases"] for test in ops), sum(run["ran"] for run in runs))
        renamed = pathlib.Path(f"{base}.sarif.json")
        renamed.write_text(pathlib.Path(f"{base}.sarif").read_text())
        sarif_runs = json.loads(renamed.read_text())["runs"]
        self.assertEqual(len(sarif_runs), 2)
        self.assertEqual(len(loader.load_sarif_file(str(renamed)).get_records()), sum(len(r["results"]) for r in sarif_runs))
        summary = pathlib.Path(f"{base}.step-summary").read_text()
        self.assertTrue(all(run["verdict"] in summary for run in runs))
        self.assertLess(len(summary.encode()), 1 << 20)
        rows = list(csv.DictReader(pathlib.Path(f"{base}.csv").read_text().splitlines(keepends=True)))
        self.assertEqual(sum(int(row["ran"]) for row in rows), sum(run["ran"] for run in runs))
        badge = json.loads(pathlib.Path(f"{base}.badge").read_text())
        self.assertNotEqual(badge["color"], "brightgreen", "one of the runs differs")

    def test_what_other_commands_write(self):
        """Checks the real output of the commands. Broken output is the control."""
        for name, arguments, broken in (
            ("explain", ["explain", "add(int32[3], 5.5)", "--json", "-"], "result_dtype"),
            ("explain", ["explain", "add(int32[3], 5.5, out=int32[3])", "--json", "-"], "refusal"),
            ("rulebooks", ["explain", "--rulebook", "all", "add.Tensor(bool[3], 2)", "--json", "-"], "rulebooks"),
            *(("list", ["list", what, "--json", "-"], "rows") for what in ("ops", "dtypes", "grids", "subjects", "rules", "kinds")),
            ("audit", ["audit", "--json", "-"], "tagged"),
            ("laws", ["laws", "--side", "impl:cpu", "--ops", "lerp", "--json", "-"], "explained"),
            ("bench", ["bench", "promotion", "--json", "-"], "rows"),
            ("sweep", ["sweep", "exp", "--dtype", "float16", "--side", "impl:cpu", "--samples", "500", "--json", "-"], "sides"),
            ("sweep", ["sweep", "exp", "--dtype", "float16", "--paths", "--side", "impl:cpu", "--json", "-"], "paths"),
        ):
            with self.subTest(name=name, broken=broken):
                self.holds(self.answer(*arguments), name, broken)
        self.assertFalse(jsonschema.Draft7Validator(schema("list")).is_valid(
            {"$schema": schema("list")["$id"], "list": "grids", "rows": [{"grid": "ops"}]}), "a row without its columns")

    def test_a_minimal_case(self):
        if not pathlib.Path(UPCAST).with_name("upcast-minimize").exists():
            self.skipTest("this build has no LibTorch")
        found = self.answer("minimize", 'div.Tensor_mode(int32[1]{-2147483648}, int8[1]{-1}, rounding_mode="trunc")', "--json", "-")
        self.holds(found, "minimize", "case", "signature")
        self.assertIsNone(found["first_error"], "a crash has no error of values")
        of_values = self.answer("minimize", "logit(bfloat16[2]{0.498,0.3})", "--json", "-")
        self.holds(of_values, "minimize", "first_error", "last_error", "limit_reached")
        self.assertGreater(of_values["last_error"]["relative_error"], 0)
        for broken in (dict(found, hash="123"), dict(found, examined=401), dict(of_values, last_error={"relative_error": -1})):
            self.assertFalse(jsonschema.Draft7Validator(schema("minimize")).is_valid(broken), broken)

    def test_findings_of_a_campaign(self):
        if not pathlib.Path(UPCAST).with_name("fuzz-elementwise").exists():
            self.skipTest("this build has no engine for the target elementwise")
        corpus = pathlib.Path(self.folder.name) / "planted"
        campaign = self.answer("fuzz", "--target", "elementwise", "--subject", "planted?bug=comparison-keeps-its-dtype",
                               "--runs", "2000", "--seed", "1", "--corpus", corpus, "--json", "-")
        rows = [json.loads(line) for line in pathlib.Path(f"{corpus}.log/findings.ndjson").read_text().splitlines()]
        self.assertEqual(len(rows), campaign["findings"])
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.holds(row, "finding", "signature", "line")

    def test_each_schema_has_a_version_and_is_on_the_page(self):
        page = (pathlib.Path(SCHEMAS).parent / "how_to/outputs.md").read_text()
        files = sorted(pathlib.Path(SCHEMAS).glob("*.schema.json"))
        self.assertGreater(len(files), 10)
        for file in files:
            name = file.name.removesuffix(".schema.json")
            jsonschema.Draft7Validator.check_schema(schema(name))
            self.assertRegex(schema(name)["$id"], rf"^https://upcast\.invalid/schemas/{name}/[1-9][0-9]*$")
            self.assertIn(f"../schemas/{file.name}", page)

    def test_a_history(self):
        sides = subprocess.run([UPCAST, "list", "subjects"], capture_output=True, text=True, check=True).stdout
        if "built without LibTorch" in sides:
            self.skipTest("this build has no LibTorch")
        done = subprocess.run([UPCAST, "history", "add(int32[3], 5.5)", "--json", "-"], capture_output=True, text=True,
                              check=True)
        found = json.loads(done.stdout)
        self.holds(found, "history", "changes")
        del found["versions"][0]["answer"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(found, schema("history"))

    def test_the_same_store_gives_the_same_bytes(self):
        again = {name: text.replace("small-again.sarif.cases", "small.sarif.cases") for name, text in self.outputs("small", "-again")[0].items()}
        self.assertEqual(self.outputs("small")[0], again)


unittest.main(argv=["readers_test"] + sys.argv[5:])
