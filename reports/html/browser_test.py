#!/usr/bin/env python3
"""Opens synthetic reports in headless Chromium, from disk, as a reader would.

usage: browser_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_programs  # noqa: E402

SKIPPED = 77
PROGRAM = None
SCRATCH = None


def report(kind):
    path = os.path.join(SCRATCH, f"{kind}.html")
    if not os.path.exists(path):
        subprocess.run([PROGRAM, kind, path], check=True)
    return path


class ReportTest(unittest.TestCase):
    browser = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(tempfile.mkdtemp(dir=SCRATCH))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, kind, width=1600, height=1000, dark=False):
        browser = self.browser
        browser.look(width, height, dark)
        browser.open("about:blank")
        browser.console()
        browser.requests()
        browser.open("file://" + report(kind))
        browser.wait("return document.documentElement.dataset.route !== undefined")
        return browser

    def assert_quiet(self):
        """No error on the console, and nothing asked for but the file itself."""
        self.assertEqual([entry["message"] for entry in self.browser.console()], [])
        asked = [url for url in self.browser.requests() if not url.startswith(("data:", "blob:"))]
        self.assertEqual([url for url in asked if not url.startswith(f"file://{SCRATCH}/")], [])
        self.assertGreaterEqual(len(asked), 1, "the check sees requests")

    def visible_view(self):
        return self.browser.script(
            "return [...document.querySelectorAll('.view:not([hidden])')].map((v) => v.id)"
        )

    def text(self, selector):
        return self.browser.script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
            selector,
        )

    def test_every_view_opens_at_every_width(self):
        for dark in (False, True):
            for width, height in ((390, 844), (1024, 768), (1600, 1000)):
                browser = self.open("small", width, height, dark)
                for route in (
                    "#summary",
                    "#failures",
                    "#map",
                    "#map/pow?kinds=0,2",
                    "#map/add?kinds=all,all",
                    "#map/where",
                    "#map/sin",
                    "#map/add?call=2",
                    "#matrix",
                    "#matrix?sort=name&only=1",
                    "#known",
                    "#nonsense",
                    "#map/%E0%A4%A",
                    "#map/add?call=99&kinds=x&cell=900,1&a2=-4",
                    "#case/5",
                    "#case/99999999",
                    "#search",
                    "#search?q=op:add verdict:failed",
                    "#search?q=nonsense:x",
                    "#accuracy",
                    "#accuracy/exp?dtype=float16",
                    "#accuracy/nothing?dtype=x",
                    "#campaigns",
                ):
                    browser.go(route)
                    view = route[1:].split("/")[0].split("?")[0]
                    self.assertEqual(
                        self.visible_view(), [view if view != "nonsense" else "summary"], route
                    )
                    overflow = browser.script(
                        "return document.documentElement.scrollWidth - innerWidth"
                    )
                    self.assertLessEqual(overflow, 0, f"{route} scrolls sideways at {width}")
                self.assert_quiet()

    def test_summary_says_what_matters(self):
        self.open("small")
        self.assertRegex(
            self.text("#summary h1")[0],
            r"impl:cpu differs from libtorch:cpu without explanation in [\d,]+ of",
        )
        self.assertIn("planned cases ran", " ".join(self.text(".checks li")))
        self.assertIn("Debian GNU/Linux 12 (bookworm)", self.text(".env td"))
        self.assertGreater(len(self.text("#summary table.list tbody tr")), 0)
        self.browser.wait(
            "return [...document.querySelectorAll('.tile-op canvas')].some((c) => c.width > 20)"
        )
        self.assertGreater(len(self.text(".tile-op")), 10)

    def test_a_clean_run_looks_clean(self):
        self.open("clean")
        self.assertIn("behaves as", self.text("#summary h1")[0])
        self.assertEqual(self.text("#summary table.list"), [])
        self.browser.go("#matrix")
        self.assertEqual(self.text("#matrix td.v-bad"), [])

    def test_map_cell_leads_to_its_case(self):
        browser = self.open("small")
        browser.go("#map/add")
        self.assertEqual(len(self.text("#map td.cell")), 8 * 8)
        cell = "#map td[data-y='3'][data-x='7']"  # int16, uint32
        self.assertIn(
            "int16[4], uint32[4] → ",
            browser.script("return document.querySelector(arguments[0]).ariaLabel", cell),
        )
        browser.script("document.querySelector(arguments[0]).click()", cell)
        self.assertEqual(self.text("#map .case .line code"), ["add.Tensor(int16[4], uint32[4])"])
        self.assertIn("cell=3%2C7", browser.script("return location.hash"))
        # The same cell by its link, after another page.
        link = browser.script("return location.hash")
        browser.go("#summary")
        browser.go(link)
        self.assertEqual(self.text("#map .case .line code"), ["add.Tensor(int16[4], uint32[4])"])

    def test_controls_change_what_is_shown(self):
        browser = self.open("small")

        def press(label, text):
            browser.script(
                "delete document.documentElement.dataset.route;"
                "[...document.querySelectorAll(`#map [aria-label='${arguments[0]}'] button`)]"
                ".find((b) => b.textContent.startsWith(arguments[1])).click()",
                label,
                text,
            )
            browser.wait("return document.documentElement.dataset.route !== undefined")

        browser.go("#map/add?cell=3,7")
        press("default dtype", "f64")
        press("show", "difference")
        self.assertIn("a2=1", browser.script("return location.hash"))
        self.assertIn("view=difference", browser.script("return location.hash"))
        press("form", "out=")
        browser.wait("return document.querySelectorAll('#map select').length === 1")
        out = browser.script(
            "return [...document.querySelector('#map select').options].map((o) => o.textContent)"
        )
        self.assertEqual(len(out), 9, "any, and eight out dtypes")
        browser.go("#map/where")
        third = browser.script("return document.querySelector('#map select').options.length")
        self.assertEqual(third, 1 + 8 * 2 + 4, "any, and each token of the third operand")
        browser.script("history.back()")
        browser.wait("return document.querySelector('#map h1').textContent === 'add'")

    def test_keyboard_walks_the_grid(self):
        browser = self.open("small")
        browser.go("#map/add")
        browser.script("document.querySelector('#map td.cell').focus()")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
            browser.press(key)
        at = browser.script("const d = document.activeElement.dataset; return [d.y, d.x]")
        self.assertEqual(at, ["1", "2"])
        outline = browser.script("return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid")
        browser.press("Enter")
        self.assertEqual(self.text("#map .case .line code"), ["add.Tensor(uint8[4], int8[4])"])
        self.assertEqual(
            browser.script("return document.querySelectorAll('#map td[tabindex=\"0\"]').length"), 1
        )

    def follow(self, link, view):
        self.browser.script(
            "delete document.documentElement.dataset.route;"
            "document.querySelector(arguments[0]).click()",
            link,
        )
        self.browser.wait(
            f"return location.hash.startsWith('{view}') &&"
            " document.documentElement.dataset.route !== undefined"
        )

    def test_failure_leads_to_its_case_and_cell(self):
        browser = self.open("small")
        browser.go("#failures")
        line, case = browser.script(
            "const code = document.querySelector('#failures code[data-case]');"
            "return [code.textContent, code.dataset.case]"
        )
        self.follow("#failures .line a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [line])
        self.assertIn(f"case {int(case):,}", self.text("#case .case .meta a"))
        self.follow("#case .eyebrow a[href*='cell=']", "#map/")
        self.assertIn(line, self.text("#map .case .line code"))
        self.follow("#map .case .meta a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [line])

    def test_copy_gives_the_command(self):
        browser = self.open("small")
        browser.devtools(
            "Browser.grantPermissions",
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
        )
        browser.go("#map/add?cell=3,7")
        browser.script("document.querySelector('#map .copy').click()")
        browser.wait("return document.querySelector('#status').textContent !== ''")
        self.assertEqual(
            self.text("#status"), ["Copied: upcast run 'add.Tensor(int16[4], uint32[4])'"]
        )

    def test_hostile_texts_stay_text(self):
        browser = self.open("hostile")
        for route in (
            "#summary",
            "#failures",
            "#known",
            "#matrix",
            "#case/5",
            "#search?q=alert",
            "#search?q=%3Cimg%20src=x%20onerror=%22window.hacked=8%22%3E",
            "#accuracy",
            "#accuracy/%3Cb%3Eexp%3C%2Fb%3E?dtype=float16",
            "#changes",
            "#campaigns",
            "#map/" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E?cell=1,1",
        ):
            browser.go(route)
            self.assertIsNone(browser.script("return window.hacked ?? null"))
        self.assertEqual(self.text("#map h1"), ["<script>alert(1)</script>"])
        case = browser.script("return runs[0].stories.cases[0]")
        browser.go(f"#case/{case}")
        self.assertIn("<img src=x", self.text("#case .explanation")[0])
        self.assertIsNone(browser.script("return window.hacked ?? null"))
        self.assertEqual(
            browser.script(
                "return document.querySelectorAll("
                "'main script, main img, main i:not(.offscreen), main b b').length"
            ),
            0,
        )
        self.assertEqual(
            browser.script(
                "return [...document.links].filter((a) => a.protocol === 'javascript:').length"
            ),
            0,
        )
        self.assertIn("<script>window.hacked=1</script>", self.text("#known h4"))
        self.assert_quiet()

    def test_policy_refuses_a_foreign_script(self):
        """Negative control: the policy is really in force."""
        browser = self.open("small")
        browser.script(
            "const s = document.createElement('script');"
            "s.textContent = 'window.hacked = 5';"
            "document.body.append(s);"
            "const image = '<img src=\"https://example.invalid/x.png\">';"
            "document.body.insertAdjacentHTML('beforeend', image);"
        )
        time.sleep(0.3)
        self.assertIsNone(browser.script("return window.hacked ?? null"))
        self.assertTrue(
            any("Content Security Policy" in entry["message"] for entry in browser.console())
        )

    def test_case_list_and_several_runs(self):
        browser = self.open("list")
        browser.go("#map/sub")
        self.assertGreater(len(self.text("#map .case")), 100)
        self.assertRegex(
            self.text("#map .case .line code")[-1], r"^sub\.Tensor\(.*\[1\]\{0\}, \d+\)"
        )
        self.assert_quiet()
        browser = self.open("runs")
        self.assertEqual(len(self.text("#summary h1")), 2)
        browser.go("#map/add?run=1")
        self.assertIn("impl:emulated", " ".join(self.text("#map .segmented button")))
        self.assertEqual(browser.script("return document.getElementById('run').value"), "1")
        self.assert_quiet()

    def search(self, query):
        self.browser.go("#search?q=" + urllib.parse.quote(query))
        return self.text("#search [role=status], #search [role=alert]")[0]

    def found_lines(self):
        return self.text("#search table.cases td.line a code")

    def test_search_finds_what_it_is_asked_for(self):
        self.open("runs")
        unexplained = int(self.text("#summary .tile dd")[0].split("crash")[0].replace(",", ""))
        self.assertEqual(
            self.search("verdict:failed subject:impl:cpu in:cases"), f"{unexplained:,} found"
        )
        self.assertIn("found", self.search("op:add dtype:uint32 kind:wrapped in:cases"))
        lines = self.found_lines()
        self.assertGreater(len(lines), 10)
        for line in lines:
            self.assertRegex(line, r"^add")
            self.assertIn("uint32[", line)
            self.assertRegex(line, r"\((True|7|5\.5|1\+2j),|, (True|7|5\.5|1\+2j)[,)]")
        # A term and its opposite are everything.
        number = lambda text: int(text.split()[0].replace(",", ""))  # noqa: E731
        whole = number(self.search("op:add in:cases"))
        with_it = number(self.search("op:add kind:zero_dim in:cases"))
        without = number(self.search("op:add -kind:zero_dim in:cases"))
        self.assertEqual(with_it + without, whole)
        self.assertGreater(min(with_it, without), 0)
        self.assertEqual(
            number(self.search("op:add,sub in:cases")),
            whole + number(self.search("op:sub in:cases")),
        )
        self.assertIn("found", self.search("in:known zeta"))
        self.assertEqual(self.text("#search .found a"), ["zeta-nan", "zeta-nan"])
        self.assertIn("found", self.search("ulp>100 in:accuracy dtype:float16"))
        self.assertEqual(self.text("#search .found a"), ["exp(float16)", "log(float16)"])
        self.assertIn("found", self.search("in:campaigns op:sub"))
        self.assertEqual(self.text("#search .found a"), ["sub.Tensor(int8[2], True)"])
        self.assertIn("found", self.search("in:changes fixed"))
        self.assertEqual(self.search("-op:* op:*"), "Nothing is found.")
        self.assert_quiet()

    def test_only_one_subject_leaves_its_oracle(self):
        self.open("runs")
        self.assertIn("found", self.search("only:impl:cpu op:pow"))
        self.assertTrue(all("pow" in line for line in self.found_lines()))
        self.assertGreater(len(self.found_lines()), 0)
        # The second run differs in known cases only, and in those the first one does too.
        self.assertEqual(self.search("only:impl:emulated"), "Nothing is found.")

    def test_search_says_what_is_wrong(self):
        self.open("small")
        for query, words in (
            ("opp:add", 'There is no key "opp"; did you mean op?'),
            ("dtype:flaot16", 'There is no dtype "flaot16"; did you mean float16?'),
            ("verdict:faild", 'Verdict: does not take "faild"; did you mean failed?'),
            ("ulp>many", "Ulp takes a comparison with a number, such as ulp>3"),
            ("op:", "Op: wants a value behind the colon"),
            ('"add', 'A quotation mark (") is not closed'),
            ("only:impl:cpu", "Only: compares runs"),
            ("kind:wraped", "did you mean wrapped?"),
        ):
            self.assertIn(words, self.search(query), query)
        self.assertGreater(len(self.text("#search .keys dt")), 8, "the language is told")
        self.assert_quiet()

    def test_search_box_is_a_key_away_and_back_leads_back(self):
        browser = self.open("small")
        browser.go("#known")
        browser.press("/")
        self.assertEqual(browser.script("return document.activeElement.id"), "query")
        for letter in "op:pow":
            browser.type(letter)
        browser.press("Enter")
        browser.wait("return document.querySelector('#search [role=status]')?.textContent.includes('found')")
        self.assertEqual(browser.script("return location.hash"), "#search?q=op%3Apow")
        for letter in " verdict:known":
            browser.type(letter)
        browser.wait("return decodeURIComponent(location.hash).endsWith('verdict:known')")
        browser.script("history.back()")
        browser.wait("return document.querySelector('.view:not([hidden])').id === 'known'")
        self.assert_quiet()

    def test_a_case_in_full(self):
        browser = self.open("runs")
        browser.devtools(
            "Browser.grantPermissions",
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
        )
        self.search("verdict:crash subject:impl:cpu")
        self.follow("#search table.cases td.line a", "#case/")
        headings = self.text("#case h2")
        for heading in ("Where the values differ", "Operands", "In the other runs", "Commands"):
            self.assertIn(heading, headings)
        self.assertIn("0x4200", self.text("#case .bits"))
        self.assertIn("made up", self.text("#case .explanation")[0])
        self.assertTrue(any(text.startswith("upcast explain '") for text in self.text("#case dd code")))
        browser.script("document.querySelector('#case .program .copy').click()")
        browser.wait("return document.querySelector('#status').textContent.startsWith('Copied: ')")
        self.assertTrue(self.text("#case .program pre")[0].startswith("import torch\n"))
        self.assertTrue(self.text("#case .program pre")[1].startswith("#include <torch/torch.h>\n"))
        # A case that nobody tells of says so, with the command that does.
        self.search("op:add verdict:agree")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertIn("upcast explain", self.text("#case section:last-child")[0])
        self.assert_quiet()

    def test_changes_since_a_baseline(self):
        browser = self.open("runs")
        self.assertIn("got worse since the baseline", " ".join(self.text("#summary p")))
        browser.go("#changes")
        rows = dict(zip(self.text("#changes table.changes .chip"), self.text("#changes table.changes .num")[1:]))
        counts = {name.split(" ", 1)[1]: int(count.replace(",", "")) for name, count in rows.items()}
        self.assertEqual(len(counts), 8)
        for name in ("broken", "added, failing", "fixed", "changed answer"):
            self.assertGreater(counts[name], 0, name)
        planned = int(re.search(r"of ([\d,]+) cases", self.text("#summary h1")[0])[1].replace(",", ""))
        self.assertEqual(sum(counts.values()) - counts["removed"], planned)
        self.assertGreater(len(self.text("#changes .line")), 50)
        self.assert_quiet()

    def test_runs_side_by_side(self):
        browser = self.open("runs")
        browser.go("#compare")
        self.assertEqual(
            [text.split("against")[0] for text in self.text("#compare .compare thead th")[1:]],
            ["impl:cpu", "impl:emulated"],
        )
        self.assertIn("pow", self.text("#compare .compare tbody th"))
        browser.script("document.querySelector('#compare td.cell').focus()")
        browser.press("ArrowDown")
        browser.press("ArrowRight")
        browser.press("ArrowLeft")
        browser.press("Enter")
        browser.wait("return location.hash.startsWith('#search')")
        browser.wait("return document.querySelector('#search [role=status]')?.textContent.includes('found')")
        self.assertIn('subject%3A%22impl%3Acpu%22', browser.script("return location.hash"))
        browser.go("#compare?by=dtype")
        self.assertIn("int16", self.text("#compare .compare tbody th"))
        self.assert_quiet()
        browser = self.open("small")
        browser.go("#compare")
        self.assertEqual(self.visible_view(), ["summary"], "one run has nothing beside it")

    def test_accuracy(self):
        browser = self.open("small")
        browser.go("#accuracy?dtype=float16")
        heads = self.text("#accuracy thead th")
        self.assertIn("ours", heads)
        self.assertIn("LibTorch, scalar paths", heads)
        self.assertNotIn("glibc", heads, "a side of none of the runs")
        self.assertEqual(self.text("#accuracy tbody th"), ["exp", "log"])
        self.assertIn("254.9", self.text("#accuracy td.u5")[0])
        self.follow("#accuracy tbody th a", "#accuracy/exp")
        self.assertIn("0.501 ulp", self.text("#accuracy td.num"))
        self.assertIn("-8.625", browser.script(
            "location.hash = '#accuracy/exp?dtype=bfloat16';"
            "return bitsValue('0xc10a', DATA.dtypes.findIndex((d) => d[0] === 'bfloat16'))"))
        self.assertEqual(
            browser.script(
                "const of = (bits, name) => bitsValue(bits, DATA.dtypes.findIndex((d) => d[0] === name));"
                "return [of('0x3c01', 'float16'), of('0x8001', 'float16'), of('0xfc00', 'float16'),"
                " of('0x3f800000', 'float32'), of('0x3ff0000000000000', 'float64'), of('0xff', 'int8')]"
            ),
            ["1.0009765625", "-5.960464477539063e-8", "-inf", "1", "1", "-1"],
        )
        browser.go("#accuracy/exp?dtype=float16")
        bins = self.text("#accuracy .histogram tbody tr")
        self.assertEqual(len(bins), 4)
        self.assertIn("1,000", bins[2])
        self.assert_quiet()

    def test_campaigns(self):
        self.open("small")
        self.browser.go("#campaigns")
        self.assertIn("69,421 a second", " ".join(self.text("#campaigns .tile")))
        self.assertIn("add.Tensor(float16[2], 2.5)", self.text("#campaigns .line code"))
        self.assertIn("bfloat16, float8_e5m2", self.text("#campaigns .gaps")[0])
        self.assert_quiet()

    def test_readable_without_a_script(self):
        browser = self.browser
        browser.look(1200, 900)
        browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            browser.open("file://" + report("small"))
            tree = browser.devtools(
                "DOMSnapshot.captureSnapshot", computedStyles=[], includeDOMRects=True
            )
        finally:
            browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        drawn = [tree["strings"][i] for i in tree["documents"][0]["layout"]["text"] if i >= 0]
        text = " ".join(drawn)
        self.assertIn("differs from libtorch:cpu", text)
        self.assertIn("Known differences", text)
        self.assertIn("need a script", text)
        self.assertNotIn("Op × dtype", text, "what needs a script is not offered")

    def test_theme_button_overrides_the_system(self):
        browser = self.open("small", dark=True)
        paper = "return getComputedStyle(document.body).backgroundColor"
        dark = browser.script(paper)
        browser.script("document.getElementById('theme').click()")
        self.assertNotEqual(browser.script(paper), dark)
        browser.script("document.getElementById('theme').click()")
        self.assertEqual(browser.script(paper), dark)
        browser.script("document.getElementById('theme').click()")

    def measure(self, kind, op):
        path = report(kind)
        browser = self.open(kind)
        browser.wait("return performance.getEntriesByName('first-contentful-paint').length > 0")
        paint = browser.script(
            "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        browser.go(f"#map/{op}")
        cell = browser.script(
            "const t = performance.now();"
            "[...document.querySelectorAll('#map td.cell')].at(-1).click();"
            "document.querySelector('#map .case').getBoundingClientRect();"
            "return performance.now() - t"
        )
        start = time.monotonic()
        browser.go("#search?q=verdict:failed")
        browser.wait("return document.querySelector('#search [role=status]').textContent !== 'Searching…'")
        search = time.monotonic() - start
        planned = browser.script("return runs[0].ran")
        print(
            f"\n{kind}: {planned:,} cases, {os.path.getsize(path) / 1e6:.2f} MB, first paint {paint:.0f} ms,"
            f" cell to case {cell:.1f} ms, search over all {search * 1000:.0f} ms"
        )
        self.assert_quiet()
        return os.path.getsize(path), planned

    def test_a_whole_grid_is_small(self):
        """Times are printed; what they are depends on what else the machine does."""
        size, planned = self.measure("grid", "add")
        self.assertGreater(planned, 15e6)
        self.assertLess(size, 5e6)
        start = time.monotonic()
        self.browser.go("#map/addcmul?a2=any")
        print(f"ternary map over 48 third operands {1000 * (time.monotonic() - start):.0f} ms")

    def test_a_million_cases_in_rows_of_a_few_are_small(self):
        size, planned = self.measure("rows", "add")
        self.assertGreaterEqual(planned, 1e6)
        self.assertLess(size, 5e6)

    def test_screenshots(self):
        """Written for people; the test only sees that each is a picture."""
        folder = os.environ.get("UPCAST_SCREENSHOTS")
        if not folder:
            self.skipTest("set UPCAST_SCREENSHOTS to a folder to get pictures of every view")
        for name, route in (
            ("summary", "#summary"),
            ("failures", "#failures"),
            ("map", "#map/pow?cell=3,5"),
            ("matrix", "#matrix"),
            ("known", "#known"),
            ("case", "#case/1000"),
            ("search", "#search?q=verdict:failed"),
            ("search-help", "#search"),
            ("compare", "#compare"),
            ("changes", "#changes"),
            ("accuracy", "#accuracy"),
            ("accuracy-op", "#accuracy/exp?dtype=bfloat16"),
            ("campaigns", "#campaigns"),
        ):
            for width, height, dark in (
                (390, 844, False),
                (1024, 768, False),
                (1600, 1000, False),
                (1600, 1000, True),
            ):
                browser = self.open("runs", width, height, dark)
                browser.go(route)
                time.sleep(0.4)
                path = pathlib.Path(folder, f"{name}-{width}-{'dark' if dark else 'light'}.png")
                browser.screenshot(path)
                self.assertEqual(path.read_bytes()[:4], b"\x89PNG")


def main():
    global PROGRAM, SCRATCH
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    missing = [
        name for name, path in zip(("chromium", "chromedriver"), find_programs()) if path is None
    ]
    if missing:
        print(
            f"skipped: no {' and no '.join(missing)} on this machine"
            " (Debian packages: chromium, chromium-driver)"
        )
        return SKIPPED
    SCRATCH = tempfile.mkdtemp(prefix="upcast-browser-")
    try:
        result = unittest.main(exit=False, verbosity=1).result
        return 0 if result.wasSuccessful() else 1
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
