#!/usr/bin/env python3
"""A reader's paths through the report in headless Chromium: between views, back, to a printed page, and to a terminal.

usage: walks_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main  # noqa: E402

DRAWN = ["map", "matrix", "case", "search", "accuracy"]


class WalksTest(ReportTest):
    def test_known_difference_leads_to_its_case_and_its_python_program(self):
        browser = self.open("clean")
        browser.go("#known")
        entry = "[id='known-pow-refuses-negative-integer']"
        line = self.text(f"#known {entry} .line a code")[0]
        self.follow(f"#known {entry} .line a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [line])
        self.assertEqual(
            self.text("#case .program pre")[0], f"import torch\n# {line}\n", "the synthetic program"
        )
        # The page of the case has a link back to the known difference, which the test follows.
        self.follow("#case .case .detail a[href^='#known']", "#known/")
        self.assertEqual(
            browser.script("return document.activeElement.id"),
            "known-pow-refuses-negative-integer",
        )
        self.assert_quiet()

    def test_known_differences_count_is_a_search_for_its_cases(self):
        browser = self.open("runs")
        browser.go("#known")
        # A known difference of the second run, which has entries with the same names as the first run.
        entry = "[id='known-1-pow-refuses-negative-integer']"
        browser.go("#known/pow-refuses-negative-integer?run=1")
        self.assertEqual(browser.script("return document.activeElement.id"), "known-1-pow-refuses-negative-integer")
        counts = {}
        for run in ("", "1-"):
            chip = self.text(f"#known [id='known-{run}pow-refuses-negative-integer'] .chip a")[0]
            counts[run] = int(chip.split(" of ")[0].replace(",", ""))
        self.follow(f"#known {entry} .chip a", "#search")
        self.assertEqual(
            urllib.parse.unquote(browser.script("return location.hash")),
            "#search?q=known:pow-refuses-negative-integer in:cases",
        )
        self.settle_search()
        self.assertEqual(
            self.text("#search [role=status]"), [f"{sum(counts.values()):,} found"]
        )
        browser.go("#known")
        self.follow(f"#known {entry} dd [data-op] a", "#search")
        self.settle_search()
        self.assertIn("found", self.text("#search [role=status]")[0])
        self.assert_quiet()

    def test_change_leads_to_its_case(self):
        browser = self.open("runs")
        browser.go("#changes")
        self.assertEqual(len(self.text("#changes .line a")), len(self.text("#changes .line")))
        line = self.text("#changes .line a code")[0]
        self.follow("#changes .line a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [line])
        self.assertIn("found", self.search("in:changes broken"))
        line = self.text("#search .found a")[0]
        self.follow("#search .found a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [line])
        self.assert_quiet()

    def test_a_pasted_line_is_found(self):
        browser = self.open("small")
        line = "div.Tensor(int16[4], uint8[]) @default=float64"
        for pasted in (
            line,
            "div(int16[4],uint8[])  @default=float64",
            f"torch.{line} -> float64[4]",
        ):
            self.assertIn("found", self.search(pasted), pasted)
            self.assertEqual(self.found_lines(), [line], pasted)
        self.assertEqual(self.search("div.Scalar(int16[4], uint8[])"), "Nothing is found.")
        # An attribute's name is not a key of the search, in a line or alone. A key with a comparison is one.
        for pasted in ("add.Tensor(int8[4], uint8[4], alpha=300)", "alpha=300", "-out=x alpha=300"):
            self.assertNotIn("key", self.search(pasted), pasted)
        self.assertIn("found", self.search("ulp=254.9 in:accuracy"))
        self.assertIn("There is no key", self.search("alpha:300"))
        browser = self.open("list")
        self.assertEqual(self.search("sub.Tensor(uint8[1]{0}, 1)"), "1 found")
        self.assert_quiet()

    def test_a_new_page_begins_at_its_top_and_back_returns(self):
        browser = self.open("runs", 1024, 500)
        titles = set()
        for view in ("#failures", "#known", "#matrix", "#compare", "#search?q=op:add", "#changes"):
            browser.go(view)
            titles.add(browser.script("return document.title"))
            browser.script("scrollTo(0, 400)")
            self.assertGreater(browser.script("return scrollY"), 100, f"{view} is long enough")
        self.assertEqual(len(titles), 6)
        browser.go("#failures")
        self.assertEqual(browser.script("return scrollY"), 0)
        self.assertEqual(browser.script("return document.activeElement.id"), "main")
        browser.script("scrollTo(0, 700)")
        self.follow("#failures .line a", "#case/")
        self.assertEqual(browser.script("return scrollY"), 0)
        self.assertRegex(browser.script("return document.title"), r"^\d+ · Case · impl:cpu against")
        browser.script(
            "scrollTo(0, 50); delete document.documentElement.dataset.route; history.back()"
        )
        browser.wait("return document.documentElement.dataset.route === '#failures'")
        self.assertEqual(browser.script("return scrollY"), 700)
        browser.script("delete document.documentElement.dataset.route; history.forward()")
        browser.wait("return document.documentElement.dataset.route?.startsWith('#case')")
        self.assertEqual(browser.script("return scrollY"), 50)
        # A button within the shown page must not open a new page in the history.
        browser.go("#matrix")
        browser.script(
            "scrollTo(0, 100); delete document.documentElement.dataset.route;"
            "document.querySelector('#matrix .segmented button[aria-pressed=false]').click()"
        )
        browser.wait("return document.documentElement.dataset.route !== undefined")
        self.assertEqual(browser.script("return scrollY"), 100)
        self.assert_quiet()

    def test_reloading_keeps_the_place(self):
        browser = self.open("small", 1024, 500)
        browser.go("#failures")
        browser.script("scrollTo(0, 300)")
        browser.wait("return history.state.y === 300")
        browser.command("/refresh")
        browser.wait("return document.documentElement.dataset.route === '#failures'")
        self.assertEqual(browser.script("return scrollY"), 300)

    def test_the_skip_link_stays_on_the_page(self):
        browser = self.open("small")
        browser.go("#known")
        browser.script("document.querySelector('.skip').click()")
        self.assertEqual(browser.script("return document.activeElement.id"), "main")
        self.assertEqual(self.visible_view(), ["known"])

    def test_paper_has_the_view_that_is_shown(self):
        browser = self.open("runs")
        browser.script("document.getElementById('theme').click()")
        printed = (
            "return [...document.querySelectorAll('.view')]"
            ".filter((v) => getComputedStyle(v).display !== 'none' && v.offsetHeight).map((v) => v.id)"
        )
        try:
            for view in [*DRAWN, "compare"]:
                browser.go({"case": "#case/5", "search": "#search?q=op:add"}.get(view, f"#{view}"))
                browser.devtools("Emulation.setEmulatedMedia", media="print")
                self.assertEqual(browser.script(printed), [view])
                self.assertEqual(
                    browser.script(
                        f"return [...document.querySelectorAll('#{view} .segmented')].filter((group) =>"
                        " [...group.children].filter((b) => b.offsetWidth).length !== 1).length"
                    ),
                    0,
                    "of the controls of a view what they are set to",
                )
                browser.devtools("Emulation.setEmulatedMedia", media="")
            browser.go("#known")
            browser.devtools("Emulation.setEmulatedMedia", media="print")
            self.assertEqual(
                browser.script(printed),
                ["summary", "failures", "findings", "kinds", "known", "changes", "campaigns"],
            )
            browser.script("document.documentElement.dataset.theme = 'dark'")
            self.assertEqual(
                browser.script("return getComputedStyle(document.body).color"),
                "rgb(29, 33, 38)",
                "dark ink, whatever the theme",
            )
        finally:
            browser.devtools("Emulation.setEmulatedMedia", media="")
        self.assertEqual(
            browser.script("return getComputedStyle(document.body).color"), "rgb(233, 231, 226)"
        )

    def test_a_program_is_a_paste_into_a_terminal(self):
        self.open("small")
        text = "import sys\nprint('$HOME `x` \\\\' + \"'\")\nEOF\nsys.exit(1)"
        run = subprocess.run(
            ["bash"],
            input=self.browser.script("return runPython(arguments[0])", text.replace("EOF", "#EOF")),
            text=True,
            capture_output=True,
        )
        self.assertEqual((run.returncode, run.stdout), (1, "$HOME `x` \\'\n"), run.stderr)
        # A program with the line "EOF" would end the here-document early, so another word ends it.
        self.assertIn("\nEOF_\n", self.browser.script("return runPython(arguments[0])", text))
        cpp = "//   g++ -w reproduce.cc -I$T \\\n//     -lc10 -o reproduce && ./reproduce\nint x;\n"
        command = self.browser.script("return buildAndRun(arguments[0])", cpp)
        self.assertTrue(command.startswith("cat > reproduce.cc <<'EOF'\n//   g++"), command)
        self.assertTrue(
            command.endswith(" && g++ -w reproduce.cc -I$T -lc10 -o reproduce && ./reproduce\n"), command
        )
        self.assertIsNone(self.browser.script("return buildAndRun('int main() {}')"))

    def settle_search(self):
        self.browser.wait(
            "return document.querySelector('#search [role=status]')?.textContent.includes('found')"
        )


if __name__ == "__main__":
    sys.exit(main(__doc__))
