#!/usr/bin/env python3
"""The search of synthetic reports in headless Chromium.

usage: search_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main  # noqa: E402


class SearchTest(ReportTest):
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
        # A term and its negation together must find every case.
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
        # The second run differs in known cases only. The first run differs in those too, so none is in the second run
        # only.
        self.assertEqual(self.search("only:impl:emulated"), "Nothing is found.")

    def test_values_that_differ_are_told_by_their_element(self):
        browser = self.open("small")
        answers = "return [...document.querySelectorAll('#search tbody tr')].map((row) =>" \
            " [...row.querySelectorAll('td.answer code')].map((code) => code.textContent))"
        self.search("verdict:differ(value) in:cases")
        shown = browser.script(answers)
        self.assertGreater(len(shown), 3)
        self.assertEqual({tuple(pair) for pair in shown}, {("element 2: nan", "element 2: 3")})
        # Two equal dtypes of a difference, of which no record tells more, must not be shown as different.
        told = browser.script(
            "const float32 = dtypeNamed('float32');"
            "return [[VERDICT.known, float32], [VERDICT.agree, float32], [VERDICT.known, ANSWER.crash]]"
            ".map(([verdict, byte]) => answersOfBytes(verdict, byte, byte))"
        )
        unseen = "float32; its values are not in the report"
        self.assertEqual(told, [[unseen] * 2, ["float32"] * 2, ["crash"] * 2])
        places = browser.script("return [{}, {element: 1024}, {element: 3, result: 1}].map(placeOf)")
        self.assertEqual(places, ["0", "1,024", "3 of result 2"])

    def test_the_error_of_a_record_is_the_largest_in_ulp(self):
        browser = self.open("small")
        told = browser.script(
            "const difference = {what: 'element', ulp: 2};"
            "return [{difference, ruling: {oracle_ulp: 3}}, {difference, ruling: {subject_ulp: 1}},"
            " {difference: {what: 'element', ulp: 'Infinity'}}, {unmet: [{difference}]},"
            " {difference: {what: 'element'}, ruling: {subject_ulp: 'Infinity'}}, {}]"
            ".map((verdict) => String(recordUlp({verdict})))"
        )
        self.assertEqual(told, ["3", "2", "Infinity", "2", "undefined", "undefined"])
        self.assertIn("found", self.search("ulp>1000 verdict:differ(value) in:cases"))

    def test_search_knows_classes(self):
        self.open("small")
        self.assertIn("found", self.search("class:design in:cases"))
        self.assertEqual(
            set(self.text("#search td:first-child .chip")), {"◆ known", "by design"}
        )
        by_name = self.search("known:pow-refuses-negative-integer in:cases")
        self.assertEqual(self.search("class:by_design in:cases"), by_name)
        self.search("in:known class:bug")
        self.assertEqual(self.text("#search .found a"), ["zeta-nan"])
        self.assertIn('does not take "bog"; did you mean bug?', self.search("class:bog"))

    def test_an_empty_search_says_why(self):
        self.open("small")
        hints = "#search .hints li"
        self.assertEqual(self.search("op:ad verdict:failed"), "Nothing is found.")
        self.assertEqual(self.text(hints), ["Nothing has op:ad; near: add, abs"])
        self.assertEqual(self.text(f"{hints} a"), ["add", "abs"])
        self.search("op:add verdict:crash")
        self.assertEqual(
            self.text(hints),
            [
                "Without op:add the search finds: verdict:crash",
                "Without verdict:crash the search finds: op:add",
            ],
        )
        self.search("op:add")
        self.assertEqual(self.text(hints), [], "control: something is found")
        self.assert_quiet()

    def test_search_says_what_is_wrong(self):
        self.open("small")
        for query, words in (
            ("opp:add", 'There is no key "opp"; did you mean op?'),
            ("constructor:x", 'There is no key "constructor"'),
            ("dtype:flaot16", 'There is no dtype "flaot16"; did you mean float16?'),
            ("verdict:faild", 'Verdict: does not take "faild"; did you mean failed?'),
            ("ulp>many", "Ulp takes a comparison with a number, such as ulp>3"),
            ("op:", "Op: needs a value after the colon"),
            ('"add', 'A quotation mark (") is not closed'),
            ("only:impl:cpu", "Only: compares runs"),
            ("kind:wraped", "did you mean wrapped?"),
        ):
            self.assertIn(words, self.search(query), query)
        self.assertGreater(len(self.text("#search .keys dt")), 8, "the language is told")
        self.assert_quiet()

    def test_a_view_adds_what_the_search_finds(self):
        browser = self.open("small")
        self.assertIn('In: does not take "weather"; there are cases, ', self.search("in:weather"))
        browser.script(
            "FIND.weather = {title: 'Weather', items: () => ['rain', 'wind'].map((name) =>"
            " ({word: [name], shown: {name, text: 'all day', href: '#summary'}}))}"
        )
        self.assertIn("found", self.search("in:weather rain"))
        self.assertEqual(self.text("#search .found a"), ["rain"])
        self.assertIn("found", self.search("wind"))
        self.assertEqual(self.text("#search .found a"), ["wind"])
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


if __name__ == "__main__":
    sys.exit(main(__doc__))
