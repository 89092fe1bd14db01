#!/usr/bin/env python3
"""The report of a run of which only some cases are listed, in headless Chromium.

usage: summed_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main  # noqa: E402


def number(text):
    return int(re.search(r"[\d,]+", text)[0].replace(",", ""))


class SummedTest(ReportTest):
    def test_a_search_counts_what_it_cannot_look_at(self):
        queries = ["verdict:failed", "verdict:known op:pow", "verdict:agree", "verdict:not_judged dtype:int8"]
        self.open("small")
        whole = {query: number(self.search(f"{query} in:cases")) for query in queries}
        self.assertEqual(self.text("#search .note"), [], "control: all cases are listed")
        self.open("summed")
        for query, count in whole.items():
            said = self.search(f"{query} in:cases")
            self.assertIn("summed, not listed", self.text("#search .note")[0], query)
            listed = number(said) if said != "No listed case is found." else 0
            unlisted = number(self.text("#search .note")[0])
            if "dtype" in query:
                # Any case that is not listed may have the dtype.
                self.assertGreater(listed, 0, query)
                self.assertGreaterEqual(listed + unlisted, count, query)
            else:
                self.assertEqual(listed + unlisted, count, query)
        self.assertEqual(self.search("verdict:agree in:cases"), "No listed case is found.")
        self.assertEqual(self.search("op:nothing verdict:failed"), "Nothing is found.")
        self.assert_quiet()

    def test_a_found_case_is_itself(self):
        """A listed case has the same page as in the full report."""
        self.open("summed")
        self.search("verdict:differ(value) in:cases")
        cases = self.browser.script(
            "return [...document.querySelectorAll('#search table.cases td.line a')]"
            ".map((a) => [a.getAttribute('href'), a.textContent])"
        )
        self.assertGreater(len(cases), 50)
        told = {}
        for href, line in cases[::25]:
            self.browser.go(href)
            self.assertEqual(self.text("#case .line code")[0], line)
            told[href] = self.text("#case article")[0]
        self.search(cases[-1][1])
        self.assertEqual(self.found_lines(), [cases[-1][1]], "a pasted line finds its case")
        self.assert_quiet()
        self.open("small")
        for href, said in told.items():
            self.browser.go(href)
            self.assertEqual(self.text("#case article")[0], said)

    def test_a_case_that_is_not_listed_has_its_line_and_no_verdict(self):
        self.open("small")
        self.search("op:add verdict:agree")
        self.follow("#search table.cases td.line a", "#case/")
        place, line = self.browser.script("return location.hash"), self.text("#case .line code")[0]
        self.open("summed")
        self.browser.go(place)
        self.assertEqual(self.text("#case h1"), ["This case is not listed"])
        self.assertIn(line, self.text("#case p code"))
        self.assertIn(f"upcast run '{line}'", self.text("#case .commands dd code"))
        self.assertEqual(self.text("#case .chip"), [])
        self.search(line)
        self.assertEqual(self.text("#search .note"), ["1 more case that may match is summed, not listed."])
        self.assert_quiet()

    def test_an_op_shows_the_sums_of_its_rows(self):
        self.open("small")
        whole = self.browser.script("return runs[0].findOp('pow').ran")
        self.open("summed")
        self.browser.go("#map/pow")
        counts = [number(text) for text in self.text("#map .sums tbody td.num")]
        self.assertEqual(sum(counts), whole)
        agreeing = [text for text in self.text("#map .sums tbody td:last-child") if "✓ agree" in text]
        self.assertEqual(len(agreeing), len(counts), "cases that agree are in the sums")
        self.assertGreater(len(self.text("#map .case-list .case")), 20)
        self.assertNotIn("✓ agree", " ".join(self.text("#map .case-list .chip")))
        self.assertEqual(self.text("#map table.grid"), [])
        # A count of the first screen opens the pane of its cases.
        self.browser.go("#map/pow?q=verdict:known")
        self.assertIn("summed, not listed", self.text("#map .panel .note")[0])
        self.assert_quiet()

    def test_the_first_screen_says_it(self):
        self.open("small")
        self.assertEqual(self.text("#summary .summed"), [])
        self.open("summed")
        self.assertIn("summed, not listed", self.text("#summary .summed")[0])
        self.assertIn("summed, not listed", self.text("#summary .atlas-slot .lead")[0])
        self.assertEqual(number(self.text("#summary .summed")[0]), self.browser.script("return runs[0].summed"))
        for view in ("#matrix", "#kinds", "#failures", "#findings", "#known", "#matrix?only=1"):
            self.browser.go(view)
        self.browser.script("document.querySelector('#matrix td.cell').click()")
        self.assert_quiet()


if __name__ == "__main__":
    sys.exit(main(__doc__))
