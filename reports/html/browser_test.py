#!/usr/bin/env python3
"""Opens synthetic reports in headless Chromium, from disk, as a reader would.

usage: browser_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

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

    def test_failure_leads_to_its_cell(self):
        browser = self.open("small")
        browser.go("#failures")
        line, case = browser.script(
            "const code = document.querySelector('#failures code[data-case]');"
            "return [code.textContent, code.dataset.case]"
        )
        browser.script(
            "delete document.documentElement.dataset.route;"
            "document.querySelector('#failures .line a').click()"
        )
        browser.wait(
            "return location.hash.startsWith('#map') &&"
            " document.documentElement.dataset.route !== undefined"
        )
        self.assertIn(line, self.text("#map .case .line code"))
        self.assertIn(f"case {int(case):,}", self.text("#map .case .meta a"))

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
            "#map/" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E?cell=1,1",
        ):
            browser.go(route)
            self.assertIsNone(browser.script("return window.hacked ?? null"))
        self.assertEqual(self.text("#map h1"), ["<script>alert(1)</script>"])
        self.assertEqual(
            browser.script(
                "return document.querySelectorAll("
                "'main script, main img, main i:not(.offscreen)').length"
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

    def test_a_whole_grid_is_quick(self):
        path = report("grid")
        browser = self.open("grid")
        browser.wait("return performance.getEntriesByName('first-contentful-paint').length > 0")
        paint = browser.script(
            "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        browser.go("#map/add")
        cell = browser.script(
            "const t = performance.now(); document.querySelectorAll('#map td.cell')[200].click();"
            "document.querySelector('#map .case').getBoundingClientRect();"
            "return performance.now() - t"
        )
        start = time.monotonic()
        browser.go("#map/addcmul?a2=any")
        fold = time.monotonic() - start
        print(
            f"\nwhole grid: {os.path.getsize(path) / 1e6:.2f} MB, first paint {paint:.0f} ms, "
            f"cell to case {cell:.1f} ms, ternary map over 48 third operands {fold * 1000:.0f} ms"
        )
        self.assertLess(os.path.getsize(path), 8e6)
        self.assertLess(paint, 1000)
        self.assertLess(cell, 100)
        self.assertLess(fold, 3)
        self.assert_quiet()

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
        ):
            for width, height, dark in ((390, 844, False), (1600, 1000, False), (1600, 1000, True)):
                browser = self.open("small", width, height, dark)
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
