#!/usr/bin/env python3
"""Opens synthetic reports in headless Chromium, from disk, as a reader would.

usage: browser_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main, report  # noqa: E402


# The URL's hashes of each report that the tests open. Together they cover every view.
ROUTES = {
    "small": (
        "#summary",
        "#failures",
        "#map",
        "#map/pow?kinds=0,2",
        "#map/add?kinds=all,all",
        "#map/where",
        "#map/sin",
        "#map/add?call=2",
        "#map/add?view=book:nep50",
        "#matrix",
        "#matrix?sort=name&only=1",
        "#known",
        "#known/zeta-nan",
        "#known/nobody",
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
        "#findings",
        "#findings/zeta-nan",
        "#findings/nobody?class=x&op=add",
        "#kinds",
    ),
    "runs": ("#summary", "#kinds", "#findings", "#compare", "#compare?by=dtype&only=1", "#changes", "#known", "#case/1000"),
    "rulebooks": ("#summary", "#systems", "#map", "#matrix", "#case/0", "#case/5"),
}


class PageTest(ReportTest):
    def test_every_view_opens_at_every_width(self):
        for dark in (False, True):
            for width, height in ((320, 640), (390, 844), (1024, 768), (1600, 1000)):
                for kind, routes in ROUTES.items():
                    browser = self.open(kind, width, height, dark)
                    for route in routes:
                        browser.go(route)
                        view = route[1:].split("/")[0].split("?")[0]
                        self.assertEqual(
                            self.visible_view(), [view if view != "nonsense" else "summary"], route
                        )
                        overflow = browser.script(
                            "return document.documentElement.scrollWidth - innerWidth"
                        )
                        self.assertLessEqual(
                            overflow, 0, f"{route} of {kind} scrolls sideways at {width}"
                        )
                    self.assert_quiet()

    def test_a_view_that_has_nothing_to_show_is_the_summary(self):
        browser = self.open("small")
        for route in ("#systems", "#changes", "#compare"):
            browser.go(route)
            self.assertEqual(self.visible_view(), ["summary"], route)

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
        # The link of the chosen cell must show that cell again after another page.
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

    def test_known_differences_have_their_thread_and_their_age(self):
        browser = self.open("small")
        browser.go("#known")
        facts = browser.script(
            "return Object.fromEntries([...document.querySelectorAll('#known .entry')].map((entry) =>"
            " [entry.querySelector('h4').textContent, Object.fromEntries("
            "[...entry.querySelectorAll('dl > div')].map((fact) => ['dt', 'dd'].map((part) =>"
            " fact.querySelector(part).textContent)))]))"
        )
        shown = {name: (fact["upstream"], fact["found"]) for name, fact in facts.items()}
        self.assertEqual(
            shown,
            {
                "zeta-nan": ("pytorch#1", "2026-11-21 1 day old"),
                "shift-past-width": ("no upstream thread known", "2026-11-22 0 days old"),
                "pow-refuses-negative-integer": (
                    "pytorch.org: torch.pow, pytorch#2",
                    "2025-11-22 365 days old",
                ),
            },
        )
        links = browser.script(
            "return [...document.querySelectorAll('#known dd a[rel]')].map((a) => [a.href, a.rel])"
        )
        self.assertIn(["https://github.com/pytorch/pytorch/issues/1", "noreferrer"], links)
        self.assertEqual({rel for _, rel in links}, {"noreferrer"})
        self.assertEqual({href[:8] for href, _ in links}, {"https://"})
        # A case that a known difference explains has that one's link too, and a search for the thread's number finds
        # the entry.
        self.search("known:pow-refuses-negative-integer in:cases")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(
            self.text("#case .case .detail a[rel=noreferrer]"),
            ["pytorch.org: torch.pow", "pytorch#2"],
        )
        self.assertEqual(self.search("in:known pytorch#2"), "1 found")
        self.assert_quiet()

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
            "#findings",
            "#findings/%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E",
            "#findings?side=%3Cimg%20src%3Dx%20onerror%3D%22window.hacked%3D14%22%3E",
            "#compare",
            "#compare?by=dtype",
            "#systems",
            "#case/0?run=2",
            "#matrix?run=2",
            "#known/%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E",
            "#map/sub?view=book:nep50&cell=1,1",
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
        self.assertIn("<img src=x onerror='window.hacked=11'>", self.text("#systems th"))
        self.assertIn("plugin:<b>emulated</b>", " ".join(self.text("#compare .compare thead th")))
        self.assert_quiet()

    def test_policy_refuses_a_foreign_script(self):
        """Negative control: the content security policy is in force, and stops a foreign script."""
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

    def test_screenshots(self):
        """Writes pictures of the page for people to look at. The test only checks that each is a picture."""
        folder = os.environ.get("UPCAST_SCREENSHOTS")
        if not folder:
            self.skipTest("set UPCAST_SCREENSHOTS to a folder to get pictures of every view")
        for name, route in (
            ("summary", "#summary"),
            ("failures", "#failures"),
            ("map", "#map/pow?cell=3,5"),
            ("map-book", "#map/add?view=book:jax-x64&cell=3,6"),
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
            ("systems", "#systems"),
        ):
            for width, height, dark in (
                (390, 844, False),
                (1024, 768, False),
                (1600, 1000, False),
                (1600, 1000, True),
            ):
                browser = self.open("rulebooks" if name == "systems" else "runs", width, height, dark)
                browser.go(route)
                time.sleep(0.4)
                path = pathlib.Path(folder, f"{name}-{width}-{'dark' if dark else 'light'}.png")
                browser.screenshot(path)
                self.assertEqual(path.read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    sys.exit(main(__doc__))
