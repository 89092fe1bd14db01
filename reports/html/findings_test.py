#!/usr/bin/env python3
"""The page of findings in headless Chromium: its order, facets and cards. What a card copies must run; the test prints
how long that takes.

usage: findings_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver. The copied program meets a stub of torch, which
is wrong as the made-up finding says; tools/findings/report_page_test.py runs one of a real report with torch itself.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import report_page  # noqa: E402
from report_page import ReportTest, main  # noqa: E402

ZETA = "zeta-nan"
POWER = "pow-refuses-negative-integer"
SEVERITIES = ["crash", "wrong kind", "wrong value", "extreme arguments", "experimental dtypes"]
# A stub of the module torch: it has what the made-up finding's program calls. {} stands for the answer.
STUB = """
float32 = "float32"
class tensor:
    def __init__(self, values, dtype):
        self.values = values
    def item(self):
        return self.values[0]
class special:
    zeta = staticmethod(lambda x, q: tensor([float("{}")], float32))
"""


class FindingsTest(ReportTest):
    def rows(self):
        """The shown rows of the table: [{finding, severity, class, op, side, cells}]."""
        return self.browser.script(
            "return [...document.querySelectorAll('#findings tr[data-finding]')].filter((row) => !row.hidden)"
            ".map((row) => ({...row.dataset, cells: [...row.cells].map((cell) => cell.textContent)}))"
        )

    def choose(self, facet, value):
        """Sets a facet's dropdown to a value, as a reader does."""
        self.browser.script(
            "delete document.documentElement.dataset.route;"
            "const field = [...document.querySelectorAll('#findings .facets label')]"
            ".find((label) => label.querySelector('.label').textContent === arguments[0]);"
            "const select = field.querySelector('select');"
            "select.value = arguments[1]; select.dispatchEvent(new Event('change'))",
            facet,
            value,
        )
        self.browser.wait("return document.documentElement.dataset.route !== undefined")

    def press(self, name, what):
        """Presses a button of a card, as a mouse does: only that lets a page write to the clipboard."""
        browser = self.browser
        x, y = browser.script(
            "document.getElementById('status').textContent = '';"
            "const card = document.getElementById(`finding-${arguments[0]}`);"
            "const button = card.querySelector(`[data-copies=${arguments[1]}]`);"
            "button.scrollIntoView({block: 'center'}); const box = button.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            name,
            what,
        )
        for kind in ("mousePressed", "mouseReleased"):
            browser.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        browser.wait("return document.getElementById('status').textContent !== ''")
        return self.text("#status")[0]

    def clipboard(self):
        self.browser.devtools("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        return self.browser.script("return navigator.clipboard.readText()")

    def run_pasted(self, program, answer):
        """The exit code and the output of a pasted program, run with a stub of torch that gives `answer`."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=report_page.SCRATCH))
        (folder / "torch.py").write_text(STUB.replace("{}", answer))
        (folder / "pasted.py").write_text(program)
        done = subprocess.run([sys.executable, "pasted.py"], cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=dict(os.environ, PYTHONPATH=str(folder)))
        return done.returncode, done.stdout

    def test_the_table_is_worst_first(self):
        browser = self.open("small")
        browser.go("#findings")
        rows = self.rows()
        ranks = [SEVERITIES.index(row["severity"]) for row in rows]
        self.assertEqual(ranks, sorted(ranks))
        self.assertGreater(len(set(ranks)), 1, "the control: there is an order to keep")
        self.assertEqual(
            self.text("#findings table.findings thead th"),
            ["severity", "what is wrong", "op", "class", "reach", "cases"],
        )
        power = next(row for row in rows if row["finding"] == POWER)
        self.assertEqual(power["cells"][:2], ["wrong kind", f"refuses a call that it has to answer{POWER}"])
        self.assertEqual(power["cells"][3:5], ["by_design", "C++ onlyother settings only"])
        self.assertEqual({row["class"] for row in rows}, {"new", "bug", "by_design"})
        self.assert_quiet()

    def test_the_count_opens_the_cases_that_it_explains(self):
        browser = self.open("small")
        browser.go("#findings")
        cases = next(row for row in self.rows() if row["finding"] == POWER)["cells"][5]
        self.follow(f"#findings tr[data-finding={POWER}] td.num a", "#search")
        browser.wait("return document.querySelector('#search [role=status]')?.textContent.endsWith('found')")
        self.assertEqual(self.text("#search [role=status]"), [f"{cases} found"])

    def test_facets_show_what_has_them_and_are_a_link(self):
        browser = self.open("small")
        browser.go("#findings")
        every = self.rows()
        for facet in ("severity", "class", "op", "side"):
            value = every[-1][facet].split("\n")[0]
            expected = [row["finding"] for row in every if value in row[facet].split("\n")]
            self.choose(facet, value)
            self.assertEqual([row["finding"] for row in self.rows()], expected, facet)
            self.assertEqual(self.text("#findings .facets-found"), [f"{len(expected)} of {len(every)} findings"])
            cards = browser.script(
                "return [...document.querySelectorAll('#findings .finding-card')].filter((c) => c.checkVisibility()).length"
            )
            self.assertEqual(cards, len(expected))
            self.assertIn(f"{facet}=", browser.script("return location.hash"))
            self.choose(facet, "")
        self.assertEqual(len(self.rows()), len(every))
        self.assertLess(len(expected), len(every), "the control: a facet leaves something out")
        # Opens the page by a link with two facets, and then goes back.
        browser.go("#findings?class=new&severity=wrong+value")
        both = [row["finding"] for row in every if row["class"] == "new" and row["severity"] == "wrong value"]
        self.assertEqual([row["finding"] for row in self.rows()], both)
        self.assertEqual(
            browser.script("return [...document.querySelectorAll('#findings .facets select')].map((s) => s.value)"),
            ["wrong value", "new", "", ""],
        )
        browser.script("history.back()")
        browser.wait("return location.hash === '#findings'")
        self.assert_quiet()

    def test_from_a_click_to_a_running_program(self):
        browser = self.open("small")
        browser.go("#findings")
        began = time.monotonic()
        self.follow(f"#findings tr[data-finding={ZETA}] a", "#findings/")
        self.assertTrue(browser.script("return document.getElementById(arguments[0]).open", f"finding-{ZETA}"))
        self.assertRegex(self.press(ZETA, "program"), r"^Copied: \d+ lines$")
        program = self.clipboard()
        code, output = self.run_pasted(program, "nan")
        seconds = time.monotonic() - began
        print(f"\nfrom the click on a finding to the end of its pasted program: {seconds:.2f} s, with a stub of torch")
        self.assertIn("nan\n", output)
        self.assertIn("AssertionError", output)
        self.assertEqual(code, 1)
        self.assertLess(seconds, 10)
        # Controls: a torch that answers rightly, and a program that is cut off.
        self.assertEqual(self.run_pasted(program, "8388608.0"), (0, "8388608.0\n"))
        code, output = self.run_pasted(program[:-20], "nan")
        self.assertIn("SyntaxError", output)
        self.assert_quiet()

    def test_an_issue_is_copied_whole(self):
        browser = self.open("small")
        browser.go(f"#findings/{ZETA}")
        self.press(ZETA, "issue")
        issue = self.clipboard()
        self.assertTrue(issue.startswith("# torch.special.zeta gives nan instead of 8388608 (float32)\n"), issue)
        for heading in ("To reproduce", "Observed", "Expected", "Affected", "Versions"):
            self.assertEqual(issue.count(f"\n## {heading}\n"), 1, heading)
        program = issue.split("```python\n")[1].split("```")[0]
        self.assertEqual(self.run_pasted(program, "nan")[0], 1)
        self.press(ZETA, "program")
        self.assertEqual(self.clipboard(), program, "both buttons copy one program")

    def test_a_browser_without_a_clipboard_copies_what_is_selected(self):
        browser = self.open("small")
        browser.go(f"#findings/{ZETA}")
        browser.script(
            "Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});"
            "document.addEventListener('copy', () => { window.selected = document.activeElement.value; });"
        )
        self.assertRegex(self.press(ZETA, "program"), r"^Copied: \d+ lines$")
        selected = browser.script("return window.selected")
        self.assertEqual(selected, self.text(f"#finding-{ZETA} code.python")[0])
        # Control: if the page cannot copy in either way, it must not say that it copied.
        browser.script("document.execCommand = () => false")
        self.assertIn("does not let the page copy", self.press(ZETA, "program"))

    def test_a_card_has_its_second_program_under_a_toggle(self):
        browser = self.open("small")
        browser.go(f"#findings/{ZETA}")
        browser.wait("return document.querySelector('#findings .finding-card[open] .program')")
        self.assertEqual(self.text(f"#finding-{ZETA} .program summary")[0][:3], "C++")
        self.assertFalse(browser.script("return document.querySelector('#findings .finding-card[open] .program').open"))
        self.assertIn("#include <torch/torch.h>", self.text(f"#finding-{ZETA} .program code")[0])
        # If Python cannot make the call, the button copies the C++ program.
        browser.go(f"#findings/{POWER}")
        self.press(POWER, "program")
        self.assertTrue(self.clipboard().startswith("#include <torch/torch.h>"))
        table = self.text(f"#finding-{ZETA} table.affected tbody tr")
        self.assertEqual(table, ["float32yesnoyes", "bfloat16avx2, defaultno"])

    def test_a_new_finding_has_what_the_report_has_of_its_case(self):
        browser = self.open("small")
        browser.go("#findings?class=new")
        name = browser.script(
            "return [...document.querySelectorAll('#findings .finding-card')].find((card) =>"
            " runs[0].stories.cases.includes(Number(card.dataset.case))).dataset.finding"
        )
        browser.go(f"#findings/{name}")
        browser.wait("return document.querySelector('#findings .finding-card[open] .more-programs > *')")
        self.assertEqual(self.text(f"#finding-{name} [data-copies]"), [], "nothing was measured of it")
        self.follow(f"#finding-{name} .line a", "#case/")
        self.assertEqual(len(self.text("#case .case .line code")), 1)

    def test_the_search_finds_findings(self):
        browser = self.open("small")
        self.assertEqual(self.search(f"in:findings known:{ZETA}"), "1 found")
        self.follow("#search .found a", "#findings/")
        self.assertTrue(browser.script("return document.getElementById(arguments[0]).open", f"finding-{ZETA}"))
        self.assertEqual(self.search("in:findings known:nobody"), "Nothing is found.")


if __name__ == "__main__":
    sys.exit(main(__doc__))
