#!/usr/bin/env python3
"""One case in full, changes, runs compared, accuracy and campaigns in headless Chromium; also sizes and times.

usage: views_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main, report  # noqa: E402


class ViewsTest(ReportTest):
    def test_a_case_says_who_is_wrong(self):
        browser = self.open("small")
        undecided = "It is undecided who is wrong. The subject (impl:cpu) answers "
        told = {
            "verdict:differ(value)": "impl:cpu, the subject, is wrong here: the exact value of element 2, rounded once,"
            " is 3. In element 2 the subject (impl:cpu) answers nan, the oracle (libtorch:cpu) 3.",
            "verdict:crash": "LibTorch, the oracle, is wrong here. The subject (impl:cpu) answers ",
            "verdict:timeout": "A side gave no answer in time, which does not count as a wrong answer. The subject (impl:cpu)"
            " answers timeout, ",
            "class:design": "By design: both sides do what they mean to do (known difference"
            " pow-refuses-negative-integer, class by_design).",
            "verdict:differ(dtype)": undecided,
            "verdict:differ(accepts)": "impl:cpu, the subject, is wrong here: LibTorch, the oracle, and our own rules give"
            " a refusal. The subject (impl:cpu) answers ",
        }
        for query, words in told.items():
            self.search(f"{query} in:cases")
            found = self.text("#search table.cases td.line small.wrong")[0]
            self.assertEqual(found, words[: len(found)], f"{query}: the same sentence where it is found")
            self.assertGreater(len(found), 20, query)
            self.follow("#search table.cases td.line a", "#case/")
            self.assertEqual(self.text("#case .blame")[0][: len(words)], words, query)
            witnesses = ["witness (python:numpy)", "witness (python:jax)"] if "dtype" in query else []
            self.assertEqual(
                self.text("#case .case dt"), ["subject (impl:cpu)", "oracle (libtorch:cpu)", *witnesses], query
            )
            badges = ["by design"] if query == "class:design" else []
            self.assertEqual(self.text("#case .meta .chip")[1:], badges, query)
        self.search("verdict:agree")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(self.text("#case .blame"), [], "control: nothing differs")
        # The page of a case without a record shows what its known difference says about who is wrong.
        browser.go("#search?q=class:design")
        number = browser.script(
            "const run = runs[0]; for (const op of run.ops) for (const row of op.rows)"
            " for (let at = 0; at < row.n; at++) if (row.loaded?.known[at] &&"
            " !run.records.has(caseNumber(row, at))) return caseNumber(row, at);"
        )
        browser.go(f"#case/{number}")
        self.assertEqual(self.text("#case .blame"), [told["class:design"]])
        # If the expectation in a line is not met by either side, neither side is shown as wrong.
        self.open("list")
        self.assertIn("not what their lines expect", self.text("#summary h1")[0])
        self.search("verdict:expectation")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertRegex(
            self.text("#case .blame")[0], r"^Both sides answer (\S+)\[4\]\{1,2,nan,4\}; the line expects \w+\[1\]\.$"
        )
        self.assertNotIn("upcast minimize", " ".join(self.text("#case .commands dd code")))
        self.assert_quiet()

    def test_witnesses_stand_below_both_sides(self):
        self.open("small")
        self.search('verdict:"differ(dtype)"')
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(
            self.text("#case article dl div")[2:],
            ["witness (python:numpy)float32[4]{1,2,3,4} with the subject", "witness (python:jax)timeout says nothing about it"],
        )
        self.assertIn("the oracle stands alone: 1 of 1 witnesses are with the subject", self.text("#case .detail")[0])
        self.search("verdict:agree")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(len(self.text("#case article dl div")), 2, "control: none was asked")

    def test_the_headline_counts_who_is_wrong(self):
        self.open("small")
        sentence = self.text("#summary .who")[0]
        number = lambda text: int(text.replace(",", ""))  # noqa: E731
        counts = {
            key: number(re.search(pattern, sentence)[1])
            for key, pattern in (
                ("oracle", r"the oracle \(libtorch:cpu\) in ([\d,]+)"),
                ("subject", r"the subject \(impl:cpu\) in ([\d,]+)"),
                ("by_design", r"by design ([\d,]+)"),
                ("undecided", r"undecided ([\d,]+)"),
            )
        }
        whole = number(re.search(r"in ([\d,]+) differences", sentence)[1])
        self.assertEqual(sum(counts.values()), whole)
        for word, count in counts.items():
            self.assertEqual(self.search(f"wrong:{word} in:cases"), f"{count:,} found", word)
        self.assertEqual(self.search("verdict:failed,known -verdict:timeout in:cases"), f"{whole:,} found")

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
        self.assertIn("0.7 = 0.7001953125 0x399a", self.text("#case .elements .value"))
        self.assertIn("made up", self.text("#case .explanation")[0])
        self.assertTrue(any(text.startswith("upcast explain '") for text in self.text("#case dd code")))
        browser.script("document.querySelector('#case .program .copy').click()")
        browser.wait("return document.querySelector('#status').textContent.startsWith('Copied: ')")
        self.assertTrue(self.text("#case .program pre")[0].startswith("import torch\n"))
        self.assertTrue(self.text("#case .program pre")[1].startswith("#include <torch/torch.h>\n"))
        # If Python cannot make the call, the page has a reason instead of a Python button.
        self.search("verdict:differ(value) subject:impl:cpu")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(len(self.text("#case .program")), 1)
        self.assertTrue(self.text("#case .program pre")[0].startswith("#include <torch/torch.h>\n"))
        self.assertIn(
            "No Python program: Python cannot show it; a number cannot be passed as a tensor to this op.",
            self.text("#case section p.lead"),
        )
        # The page of a case without a story says so, and shows the command that tells it.
        self.search("op:add verdict:agree")
        self.follow("#search table.cases td.line a", "#case/")
        self.assertIn("upcast explain", self.text("#case section:last-child")[0])
        self.assert_quiet()

    def test_cells_of_rule_books_offer_what_fits_them(self):
        browser = self.open("rulebooks")
        pair = (
            "upcast run --grid rulebooks --subject 'rulebook:paddle'"
            " --oracle 'table:paddle_3.3.1_dygraph'"
        )
        question = "upcast explain --rulebook all 'add(int64[2], float32[2])'"
        for case, command in ((0, pair), (5, question)):
            browser.go(f"#case/{case}")
            self.assertEqual(self.text("#case .commands dd code"), [command])
            self.assertNotIn("Why it has its dtype", self.text("#case h2"))
            self.assertEqual(
                browser.script("return document.querySelector('#case .case .copy').title"), command
            )
        self.assert_quiet()

    def test_map_of_a_rule_book(self):
        browser = self.open("small")
        browser.go("#map/add")
        shown = "#map [aria-label='show'] button"
        self.assertIn("rule books", self.text(shown))
        # Chooses another side with the keyboard, as a user does.
        browser.script(
            f"[...document.querySelectorAll(\"{shown}\")]"
            ".find((button) => button.textContent === 'rule books').focus()"
        )
        browser.press("Enter")
        browser.wait("return document.querySelector('#map .book-summary') !== null")
        self.assertIn("view=book%3Apytorch", browser.script("return location.hash"))
        books = browser.script(
            "return [...document.querySelector('#map select').options].map((o) => o.value)"
        )
        self.assertLess({"pytorch", "jax-x64", "nep50", "numpy-legacy"}, set(books))
        browser.go("#map/add?view=book:jax-x64&kinds=all,all")
        cells = browser.script(
            "return Object.fromEntries([...document.querySelectorAll('#map td.cell')].map((cell) =>"
            " [cell.ariaLabel.split(' → ')[0], [cell.firstChild?.textContent ?? '',"
            " cell.querySelector('.glyph')?.textContent ?? '', cell.ariaLabel,"
            " cell.classList.contains('book-differs')]]))"
        )
        # In JAX, promote_types(int16, uint16) is int32; the oracle of the synthetic run has int16.
        text, mark, sentence, differs = cells["int16[4], uint16[4]"]
        self.assertEqual((text, mark, differs), ("i32", "≠", True))
        self.assertIn("jax-x64: int32; libtorch:cpu: int16 · not as libtorch:cpu", sentence)
        text, mark, sentence, differs = cells["int8[4], int8[4]"]
        self.assertEqual((text, mark, differs), ("i8", "", False))
        self.assertIn("· as libtorch:cpu", sentence)
        # One cell has a weakly typed answer. Another cannot be compared, because the oracle refuses for a reason
        # outside promotion.
        self.assertEqual(cells["True, 5.5"][0], "f64*")
        self.assertIn("weakly typed", cells["True, 5.5"][2])
        marked = sum(differs for _, _, _, differs in cells.values())
        self.assertGreater(marked, 100)
        self.assertIn(f"{marked} of 400 cells differ", self.text("#map .book-summary")[0])
        # The panel of a cell shows the command that names the rule. Its link leads back to the same state of the page.
        browser.go("#map/add?view=book:jax-x64&cell=3,6")
        self.assertEqual(
            self.text("#map .panel .note code"),
            ["upcast explain --rulebook jax-x64 'add.Tensor(int16[4], uint16[4])'"],
        )
        # The map shows several default dtypes in one table.
        browser.go("#map/add?view=book:nep50&a2=any")
        self.assertIn("NumPy", self.text("#map .book-summary")[0])
        # A book's answers can differ by op, form and default dtype: each has a plane of its own.
        cell = "return document.querySelector('#map td.cell[data-y=\"2\"][data-x=\"1\"]').ariaLabel"
        for route, answer in (
            ("#map/add?view=book:nep50", "int8[4], uint8[4] → nep50: int16;"),
            ("#map/div?view=book:nep50", "int8[4], uint8[4] → nep50: float64;"),
            ("#map/div?view=book:pytorch&a2=1", "int8[4], uint8[4] → pytorch: float64;"),
            ("#map/div?view=book:pytorch&a2=3", "int8[4], uint8[4] → pytorch: bfloat16;"),
            ("#map/div?call=1&view=book:pytorch", "int8[4], uint8[4] → pytorch: refuses;"),
        ):
            browser.go(route)
            self.assertIn(answer, browser.script(cell), route)
        # Calls without a pair of operands have no answers of books: a link to a book's answers shows the subject's
        # instead.
        for route in ("#map/add?call=2&view=book:nep50", "#map/sin?view=book:nep50",
                      "#map/add?view=book:nothing"):
            browser.go(route)
            self.assertEqual(self.text("#map .book-summary"), [], route)
            self.assertEqual(
                self.text("#map [aria-label='show'] [aria-pressed=true]"), ["impl:cpu"], route
            )
        self.assert_quiet()

    def test_a_book_is_compared_where_the_oracle_speaks_of_promotion(self):
        browser = self.open("small")
        compared = browser.script(
            "const refusal = (name) => ANSWER.refusal + DATA.refusals.indexOf(name);"
            "const told = (...pairs) => {"
            "  const said = new BookAnswers();"
            "  for (const [book, oracle] of pairs) said.add(book, oracle);"
            "  return [said.mark(), said.text(), said.comparison('them')];"
            "};"
            "const [float32, int8] = ['float32', 'int8'].map(dtypeNamed);"
            "return ["
            "  told([float32, float32]), told([float32 + 128, float32]), told([float32, int8]),"
            "  told([64, refusal('promotion')]), told([64, refusal('unsupported_dtype')]), told([64, int8]),"
            "  told([float32, refusal('promotion')]), told([float32, refusal('result_cast')]),"
            "  told([float32, refusal('dtype_mismatch')]), told([float32, refusal('unsupported_dtype')]),"
            "  told([float32, refusal('zero_division')]), told([float32, ANSWER.crash]),"
            "  told([float32, ANSWER.notRun]), told([ANSWER.notRun, int8]),"
            "  told([float32, float32], [float32, int8], [int8, int8])];"
        )
        open_question = ["?", "float32", "them says nothing about promotion"]
        self.assertEqual(
            compared,
            [
                ["", "float32", "as them"],
                ["", "float32, weakly typed", "as them"],
                ["≠", "float32", "not as them"],
                ["", "refuses", "as them"],
                ["", "refuses", "as them"],
                ["≠", "refuses", "not as them"],
                *[["≠", "float32", "not as them"]] * 3,
                *[open_question] * 4,
                ["", "says nothing", "not compared"],
                ["≠", "float32 in 2, int8 in 1", "not as them in 1 of 3"],
            ],
        )

    def test_changes_since_a_baseline(self):
        browser = self.open("runs")
        self.assertIn("got worse since the baseline", " ".join(self.text("#summary p")))
        browser.go("#changes")
        rows = dict(zip(self.text("#changes table.changes .chip"), self.text("#changes table.changes .num")[1:]))
        counts = {name.split(" ", 1)[1]: int(count.replace(",", "")) for name, count in rows.items()}
        self.assertEqual(len(counts), 10)
        for name in ("broken", "added, failing", "fixed", "newly judged"):
            self.assertGreater(counts[name], 0, name)
        told = re.findall(r"of ([\d,]+)", self.text("#summary h1")[0])  # the numbers of judged cases and of all cases
        planned = max(int(number.replace(",", "")) for number in told)
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
        self.assertEqual(self.visible_view(), ["summary"], "one run is compared with nothing")

    def test_four_hundred_per_cent(self):
        """At 1280 pixels and four times the size, nothing but tables scrolls sideways."""
        browser = self.open("runs", 320, 640)
        for route in ("#summary", "#search", "#search?q=verdict:failed", "#case/1000", "#compare",
                      "#changes", "#campaigns", "#accuracy", "#accuracy/exp", "#map/add",
                      "#map/add?view=book:thesis-onnx", "#map/add?view=book:jax-strict&cell=3,6", "#known"):
            browser.go(route)
            overflow = browser.script("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(overflow, 0, route)
        self.assert_quiet()

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
            "return bitsValue('0xc10a', dtypeNamed('bfloat16'))"))
        self.assertEqual(
            browser.script(
                "const of = (bits, name) => bitsValue(bits, dtypeNamed(name));"
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

    def first_paint(self, kind):
        self.open(kind).wait(
            "return performance.getEntriesByName('first-contentful-paint').length > 0"
        )
        return self.browser.script(
            "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )

    def cell_to_case(self, op, place):
        self.browser.go("#summary")
        self.browser.go(f"#map/{op}")
        return self.browser.script(
            "const cell = [...document.querySelectorAll('#map td.cell')].at(arguments[0]);"
            "const t = performance.now();"
            "cell.click();"
            "document.querySelector('#map .case').getBoundingClientRect();"
            "return performance.now() - t",
            place,
        )

    def case_by_link(self, number):
        """The seconds from the change of the hash until the case is laid out in full."""
        self.browser.go("#summary")
        return self.browser.script(
            "return new Promise((resolve) => {"
            " const root = document.documentElement;"
            " delete root.dataset.route;"
            " const start = performance.now();"
            " new MutationObserver((_, observer) => {"
            "  observer.disconnect();"
            "  document.querySelector('#case .case').getBoundingClientRect();"
            "  resolve(performance.now() - start);"
            " }).observe(root, {attributeFilter: ['data-route']});"
            " location.hash = `#case/${runs[0].stories.cases.at(arguments[0])}`;"
            "})",
            number,
        )

    def measure(self, kind, op):
        """Each time is the best of three, because other programs slow the others down."""
        path = report(kind)
        paint = min(self.first_paint(kind) for _ in range(3))
        cell = min(self.cell_to_case(op, -1 - i) for i in range(3))
        case = min(self.case_by_link(-1 - i) for i in range(3))
        browser = self.browser
        start = time.monotonic()
        browser.go("#search?q=verdict:failed")
        browser.wait("return document.querySelector('#search [role=status]').textContent !== 'Searching…'")
        search = time.monotonic() - start
        planned = browser.script("return runs[0].ran")
        print(
            f"\n{kind}: {planned:,} cases, {os.path.getsize(path) / 1e6:.2f} MB, first paint {paint:.0f} ms,"
            f" cell to case {cell:.1f} ms, case by its link {case:.1f} ms,"
            f" search over all {search * 1000:.0f} ms"
        )
        self.assert_quiet()
        return os.path.getsize(path), planned

    def test_a_whole_grid_is_small(self):
        """The size of the page is checked. Times are only printed, because they depend on what else the machine
        does."""
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


if __name__ == "__main__":
    sys.exit(main(__doc__))
