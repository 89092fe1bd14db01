"""Text from outside is escaped in every output: escapes_test.py UPCAST [UnitTest's arguments].

SOURCES lists each place such a text comes from. Each is fed with PAYLOAD, whose pieces steer terminals or hide what a
line says, on standard output, standard error and in every output file; each output is read by a parser of Python's."""

import csv
import html.parser
import io
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

UPCAST = sys.argv.pop(1)
PIECES = {
    "hyperlink (OSC 8)": "\x1b]8;;http://evil.invalid\x1b\\here\x1b]8;;\x1b\\",
    "title (OSC 0)": "\x1b]0;title\x07",
    "colour (CSI)": "\x1b[31m\x1b[2J",
    "carriage return, bell, backspace, delete": "\r\x07\b\x7f",
    "C1 controls": "\x9b31m\x85\x90",
    "bidirectional": "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C])),
    "invisible": "\u200b\u200d\u2060\ufeff\u00ad\u2028\u2029\ufffe\U000e0041",
    "line": "\n# forged\n::error::forged",
    "markup": "]]><script>alert(1)</script><!-- `*_[a](http://evil.invalid)|@you #1 ~~",
    "quotes": "'\"\\*/ ??/",
}
PAYLOAD = "A" + "".join(PIECES.values()) + "Z"
NAME = "=\x1b]0;title\x07\r\x7f\x9b31m\u202e\u200f\u2028\n# forged]]><script>*_[a](http://evil.invalid)|@you"  # a payload for names in manifests, which have at most 256 characters
BAD_BYTES = b"A\xff\xc3\x28\xed\xa0\x80\x1b[31m\xc2\x9bZ"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\U000e0041]")
CASE = "sub(float32[1]{2}, float32[1]{1})"

PEER = r'''
import json, os, sys
PAYLOAD, NAME = json.loads(open(sys.argv[2]).read())
DEED = sys.argv[1]
def say(message):
    sys.stdout.write(message if isinstance(message, str) else json.dumps(message))
    sys.stdout.write("\n"); sys.stdout.flush()
ANSWERS = {
    "refusal": {"refused": {"text": PAYLOAD}}, "refusal class": {"refused": {"text": "no", "class": PAYLOAD}},
    "error": {"errored": {"text": PAYLOAD}}, "skip": {"skipped": {"why": PAYLOAD}},
    "dtype": {"ok": [{"dtype": PAYLOAD, "shape": [1], "hex": "00000000"}]},
    "digits": {"ok": [{"dtype": "float32", "shape": [1], "hex": PAYLOAD[:8]}]}, "key": {PAYLOAD: 1},
}
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "hello":
        if DEED == "greeting":
            say(PAYLOAD)
        elif DEED == "hello error":
            say({"proto": 1, "error": PAYLOAD})
        elif DEED == "hello words":
            sys.stderr.write(PAYLOAD + "\n"); sys.stderr.flush(); os._exit(3)
        elif DEED == "bytes":
            os.write(1, bytes.fromhex("41ffc31b5b33316d0a"))
        else:
            name = NAME if DEED == "name" else "mine"
            manifest = {"name": name, "version": NAME if DEED == "version" else "1"}
            if DEED == "op": manifest["ops"] = [PAYLOAD, "sub"]
            if DEED == "manifest dtype": manifest["dtypes"] = [PAYLOAD]
            say({"proto": 1, "manifest": manifest, "versions": {PAYLOAD: PAYLOAD} if DEED == "versions" else {}})
    elif request["cmd"] == "configure":
        say({"ok": True})
    elif request["cmd"] == "run":
        if DEED == "last words":
            sys.stderr.write(PAYLOAD + "\n"); sys.stderr.flush(); os._exit(3)
        elif DEED == "no answer":
            say(PAYLOAD)
        else:
            answer = ANSWERS.get(DEED, {"refused": {"text": "no"}})
            say({"seq": request["seq"], "answers": [dict(answer, id=item["id"]) for item in request["items"]]})
    else:
        break
'''
PEER_DEEDS = ["refusal", "refusal class", "error", "skip", "dtype", "digits", "key", "name", "version", "versions", "op",
              "last words", "no answer"]  # what the process says wrongly in an answer; the run goes on and leaves a store
HELLO_DEEDS = ["greeting", "hello error", "hello words", "bytes", "manifest dtype"]  # what the process says wrongly in hello, its first message; the run ends

KNOWN = """[[difference]]
id = "{id}"
select = "{select}"
kind = "{kind}"
oracle = "{oracle}"
class = "ambiguous"
libtorch = "*"
reason = "{reason}"
found = "2026-11-21"
case = "{case}"
truth = "none"
{more}
"""


def toml_text(text):
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text
                   if not 0xD800 <= ord(c) < 0xE000)


def known_file(**changed):
    fields = {"id": "x", "select": "sub", "kind": "value", "oracle": "any", "reason": "r", "case": CASE, "more": ""}
    return KNOWN.format(**{**fields, **{key: toml_text(value) for key, value in changed.items()}})


# Foreign text that a user types, or that a file contains which a user names: the arguments, from a folder.
ARGUMENTS = {
    "case line": lambda f: ["run", f"add(int32[3], {PAYLOAD})"],
    "case line, op": lambda f: ["run", PAYLOAD],
    "case line, text": lambda f: ["run", 'div(int32[3], 2, rounding_mode="\x1b[31m")'],
    "case of explain": lambda f: ["explain", PAYLOAD],
    "text of explain": lambda f: ["explain", 'div(int32[3], 2, rounding_mode="\x1b[31m\u202e")'],
    "Python of explain": lambda f: ["explain", f"torch.add(torch.ones(3), '{PAYLOAD}')"],
    "name in Python": lambda f: ["explain", "x + 1 with x\x1b[31m=int32[3]"],
    "option": lambda f: ["run", "--" + PAYLOAD],
    "command": lambda f: [PAYLOAD],
    "--grid": lambda f: ["run", "--grid", PAYLOAD],
    "--ops": lambda f: ["run", "--grid", "smoke", "--ops", PAYLOAD],
    "--dtypes": lambda f: ["run", "--grid", "smoke", "--dtypes", PAYLOAD],
    "--forms": lambda f: ["run", "--grid", "smoke", "--forms", PAYLOAD],
    "--kinds": lambda f: ["run", "--grid", "smoke", "--kinds", PAYLOAD],
    "--shard": lambda f: ["run", CASE, "--shard", PAYLOAD],
    "--subject": lambda f: ["run", CASE, "--subject", PAYLOAD],
    "--subject plugin": lambda f: ["run", CASE, "--subject", "plugin:" + PAYLOAD],
    "--subject python": lambda f: ["run", CASE, "--subject", "python:" + PAYLOAD],
    "--witness": lambda f: ["run", CASE, "--witness", PAYLOAD],
    "--json file": lambda f: ["explain", CASE, "--json", f + "/no\x1b[31mfolder/x"],
    "store name": lambda f: ["report", f + "/no\x1b[31m\u202e.db"],
    "list": lambda f: ["list", PAYLOAD],
    "help": lambda f: ["help", PAYLOAD],
    "completion": lambda f: ["completion", PAYLOAD],
    "check-plugin": lambda f: ["check-plugin", PAYLOAD],
    "diff": lambda f: ["diff", f + "/\x1b[31ma", f + "/b"],
    "laws": lambda f: ["laws", "--side", PAYLOAD],
    "rule book": lambda f: ["explain", "--rulebook", PAYLOAD, "int32[3] + 1"],
    ".cases line": lambda f: ["run", "--cases", write(f, "a.cases", f"add(int32[3], {PAYLOAD})")],
    ".cases bytes": lambda f: ["run", "--cases", write(f, "b.cases", b"add(int32[3], " + BAD_BYTES)],
    ".cases name": lambda f: ["run", "--cases", write(f, "c\x1b[31m\r\u202e.cases", "add(")],
    "no .cases name": lambda f: ["run", "--cases", f + "/d\x1b[31m\n.cases"],
    "known: id": lambda f: ["run", CASE, "--known", write(f, "a.toml", known_file(id=PAYLOAD, kind="no"))],
    "known: kind": lambda f: ["run", CASE, "--known", write(f, "b.toml", known_file(kind=PAYLOAD))],
    "known: select": lambda f: ["run", CASE, "--known", write(f, "c.toml", known_file(select=PAYLOAD))],
    "known: case": lambda f: ["run", CASE, "--known", write(f, "d.toml", known_file(case=PAYLOAD))],
    "known: key": lambda f: ["run", CASE, "--known", write(f, "e.toml", known_file() + f'"{toml_text(PAYLOAD)}" = 1')],
    "known: no TOML": lambda f: ["run", CASE, "--known", write(f, "f.toml", PAYLOAD)],
    "known: bytes": lambda f: ["run", CASE, "--known", write(f, "g.toml", BAD_BYTES)],
    "no store": lambda f: ["report", write(f, "h.db", BAD_BYTES * 100)],
    "campaign": lambda f: ["report", write(f, "i.db", ""), "--fuzz", write(f, "i.json", PAYLOAD)],
}


def write(folder, name, content):
    path = pathlib.Path(folder, name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return str(path)


def raw(text):
    """The unescaped part of a text, or of bytes; "" if there is none."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            return f"no UTF-8: {error}"
    found = RAW.search(text)
    return f"{found[0]!r} in {text[max(0, found.start() - 60):found.end() + 20]!r}" if found else ""


class Page(html.parser.HTMLParser):
    """Parses an HTML page, and collects its scripts and the texts of its elements and attributes."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.texts, self.tag = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tag = tag
        self.texts += [value or "" for _, value in attrs]
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.tag = ""

    def handle_data(self, data):
        if self.tag == "script":
            self.scripts[-1] += data
        else:
            self.texts.append(data)


class Escapes(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def run_command(self, *words):
        result = subprocess.run([UPCAST, *words], capture_output=True, timeout=100, check=False)
        for name, text in (("standard output", result.stdout), ("standard error", result.stderr)):
            self.assertEqual(raw(text), "", f"{name} of {words}")
        self.assertIn(result.returncode, (0, 1, 2, 3), words)
        return result

    def peer(self, deed):
        peer = write(self.folder, "peer.py", PEER)
        text = write(self.folder, "payload.json", json.dumps([PAYLOAD, NAME]))
        return "process:" + shlex.join([sys.executable, peer, deed, text])

    def test_controls(self):
        for name, piece in PIECES.items():
            if name not in ("markup", "quotes"):
                self.assertTrue(RAW.search(piece) or "\n" in piece, name)
        self.assertNotEqual(raw("a\x1b[31m"), "")
        self.assertNotEqual(raw(BAD_BYTES), "")
        self.assertEqual(raw("größer, 大きい 😀\n\t"), "")

    def test_arguments_and_files(self):
        for name, make in ARGUMENTS.items():
            with self.subTest(name):
                words = [word.replace("\0", "") for word in make(self.folder)]
                result = self.run_command(*words)
                if name == "check-plugin":  # the fault that it reports is its result
                    self.assertEqual((result.returncode, result.stdout.count(b"\n")), (1, 2), result.stdout)
                    continue
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertEqual(result.stderr.count(b"\n"), 1, "one line: " + repr(result.stderr))

    def test_peers_that_do_not_begin(self):
        for deed in HELLO_DEEDS:
            with self.subTest(deed):
                result = self.run_command("run", CASE, "--subject", self.peer(deed), "--oracle", "impl:cpu")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stderr.count(b"\n"), 1, "one line: " + repr(result.stderr))

    def test_peers_in_every_output(self):
        for deed in PEER_DEEDS:
            with self.subTest(deed):
                store = f"{self.folder}/{deed}.db"
                sides = ["--subject", self.peer(deed), "--oracle", "impl:cpu"]
                self.run_command("run", CASE, *sides, "--out", store)
                answer = self.run_command("run", CASE, *sides, "--json", "-")
                json.loads(answer.stdout)
                out = {kind: f"{self.folder}/{deed}.{kind}" for kind in
                       ("html", "junit", "ctrf", "step-summary", "badge", "csv", "sarif", "ndjson")}
                self.run_command("report", store, *[word for kind, path in out.items() for word in (f"--{kind}", path)])
                self.check_outputs({kind: pathlib.Path(path).read_bytes() for kind, path in out.items()})
                cases = pathlib.Path(out["sarif"] + ".cases")
                if cases.exists():
                    self.assertEqual(raw(cases.read_bytes()), "")
                json.loads(self.run_command("diff", store, store, "--json", "-").stdout)
                self.run_command("explain", CASE, *sides)

    def check_outputs(self, made):
        for kind, content in made.items():
            self.assertEqual(raw(content.replace(b"\r\n", b"\n") if kind == "csv" else content), "", kind)
        text = {kind: content.decode("utf-8") for kind, content in made.items()}
        for kind in ("ctrf", "badge", "sarif"):
            json.loads(text[kind])
        for line in text["ndjson"].splitlines():
            json.loads(line)
        xml.etree.ElementTree.fromstring(text["junit"])
        for row in csv.reader(io.StringIO(text["csv"], newline=""), strict=True):
            self.assertEqual(len(row), 14, row)
            for cell in row:
                self.assertNotIn(cell[:1], tuple("=+-@"), row)
        page = Page(text["html"])
        self.assertFalse([script for script in page.scripts if "alert(1)</" in script])
        for script in page.scripts:
            if script.lstrip().startswith("{"):
                json.loads(script)
        outside = re.sub(r"(?ms)^(```+)\n.*?^\1$", "", text["step-summary"])
        self.assertNotRegex(outside, r"(?m)^# forged|<script|[^\\]\]\(|http://evil|^::")


if __name__ == "__main__":
    unittest.main()
