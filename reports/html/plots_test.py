#!/usr/bin/env python3
"""The report's plots in headless Chromium: what is drawn, read out and resized, and what the page says without plots.

usage: plots_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver, or the build had no uPlot.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main, report  # noqa: E402

# A script that counts the pixels of each series' colour in a canvas. It also finds the topmost row that has such a
# pixel; null if there is none. The fifth colour is also that of the axes' texts. The script reads a copy, because
# Chromium warns if a canvas is read often.
PAINTED = """
const canvas = document.querySelectorAll(arguments[0] + ' canvas')[arguments[1]];
const {width, height} = canvas;
const copy = Object.assign(document.createElement('canvas'), {width, height}).getContext('2d', {willReadFrequently: true});
copy.drawImage(canvas, 0, 0);
const {data} = copy.getImageData(0, 0, width, height);
return [0, 1, 2, 3].map((i) => {
  copy.fillStyle = styleColour(`--plot-${i}`);
  copy.fillRect(0, 0, 1, 1);
  const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
  let count = 0, top = null;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== r || data[at + 1] !== g || data[at + 2] !== b || data[at + 3] !== 255) continue;
    top ??= Math.floor(at / 4 / width);
    count += 1;
  }
  return [count, top];
});
"""


class PlotsTest(ReportTest):
    def go(self, route):
        self.browser.go(route)
        self.browser.wait(
            "const areas = [...document.querySelectorAll('.view:not([hidden]) .plot-area')];"
            "return areas.length > 0 && areas.every((area) => area.querySelector('canvas')?.width > 0)"
        )

    def setUp(self):
        self.open("small")
        if not self.browser.script("return canPlot()"):
            self.skipTest("this build has no uPlot (ci/setup.sh fetches it)")

    def painted(self, view, plot=0):
        time.sleep(0.1)  # uPlot draws in a microtask, and Chromium shows the plot only in the next frame.
        return self.browser.script(PAINTED, f"#{view} .plot-area", plot)

    def readout(self, view, plot=0):
        return self.text(f"#{view} .plot .readout")[plot]

    def test_inputs_by_error(self):
        self.go("#accuracy/exp?dtype=float16")
        ours, theirs, *others = self.painted("accuracy")
        self.assertGreater(ours[0], 500)
        self.assertGreater(theirs[0], 2 * ours[0], "four bars against two, one of which is short")
        self.assertLess(ours[1], theirs[1], "65,000 stands above 60,000")
        self.assertEqual([count for count, _ in others], [0, 0], "no other side is drawn")
        self.assertEqual(self.text("#accuracy .plot .legend li"), ["■ours", "■LibTorch, scalar paths"])
        # The table must have the same numbers as the plot.
        self.assertIn("60,000", self.text("#accuracy .histogram tbody tr")[0])
        self.assertEqual(self.text("#accuracy meter"), [])
        self.assert_quiet()

    def test_errors_of_all_ops(self):
        self.go("#accuracy?dtype=float16")
        ours, theirs, *_ = self.painted("accuracy")
        self.assertGreater(ours[0], 20)
        self.assertGreater(theirs[0], 20)
        self.assertLess(theirs[1], ours[1], "what is misplaced stands above 0.50006 ulp")
        self.assertEqual(self.text("#accuracy tbody th"), ["exp", "log"])
        self.assert_quiet()

    def test_keyboard_reads_out_and_opens(self):
        browser = self.browser
        self.go("#accuracy/exp?dtype=float16")
        browser.script("document.querySelector('#accuracy .plot-area').focus()")
        for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
            browser.press(key)
        self.assertEqual(
            self.readout("accuracy"),
            "≤ 16 ulp: ours 0 inputs, LibTorch, scalar paths 1,000 inputs",
        )
        browser.press("ArrowLeft")
        self.assertIn("≤ 1 ulp: ours 4 inputs", self.readout("accuracy"))
        outline = browser.script("return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid")
        self.go("#accuracy?dtype=float16")
        browser.script("document.querySelector('#accuracy .plot-area').focus()")
        browser.press("ArrowRight")
        self.assertEqual(
            self.readout("accuracy"), "exp: ours 0.50006 ulp, LibTorch, scalar paths 3 misplaced"
        )
        browser.press("Enter")
        browser.wait("return location.hash.startsWith('#accuracy/exp')")
        self.assert_quiet()

    def test_pointer_reads_out(self):
        browser = self.browser
        self.go("#accuracy?dtype=float16")
        left, top, width, height = browser.script(
            "document.querySelector('#accuracy .plot').scrollIntoView();"
            "const r = document.querySelector('#accuracy .plot-area .u-over').getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]"
        )
        for x, op in ((0.9, "log: "), (0.1, "exp: ")):
            browser.devtools(
                "Input.dispatchMouseEvent", type="mouseMoved", x=left + x * width, y=top + height / 2
            )
            browser.wait(
                f"return document.querySelector('#accuracy .plot .readout').textContent.startsWith('{op}')"
            )

    def test_campaigns(self):
        self.go("#campaigns")
        self.assertEqual(
            self.browser.script(
                "return [...document.querySelectorAll('#campaigns .plot-area')].map((a) => a.ariaLabel)"
            ),
            [
                f"Plot: {label}. The table below says the same; arrow keys read out places."
                for label in (
                    "features over time",
                    "cases a second over time",
                    "findings over time",
                    "share of the tuples of 3 ops that the campaign tried",
                )
            ],
        )
        for plot in range(3):
            self.assertGreater(self.painted("campaigns", plot)[0][0], 100, plot)
        asked, answered, *_ = self.painted("campaigns", 3)
        self.assertLess(asked[1], answered[1], "no more is answered than asked")
        self.browser.script("document.querySelectorAll('#campaigns .plot-area')[1].focus()")
        self.browser.press("ArrowRight")
        self.browser.press("ArrowRight")
        self.assertEqual(self.readout("campaigns", 1), "76,364 cases a second at 12 seconds")
        self.browser.script("document.querySelectorAll('#campaigns .plot-area')[3].focus()")
        self.browser.press("ArrowRight")
        self.assertEqual(
            self.readout("campaigns", 3), "pow: 399 of 400 tuples asked, 250 answered"
        )
        # The tables must have the same numbers as the plots.
        tables = " ".join(self.text("#campaigns details td"))
        for number in ("900,000", "4,800", "399", "250"):
            self.assertIn(number, tables)
        self.assert_quiet()

    def test_runs_side_by_side(self):
        browser = self.open("runs")
        self.go("#compare")
        one, other, *_ = self.painted("compare")
        self.assertGreater(one[0], 50)
        self.assertGreater(other[0], 20)
        self.assertGreater(one[0], other[0], "the second run differs from its oracle in known cases only")
        browser.script("document.querySelector('#compare .plot-area').focus()")
        browser.press("ArrowRight")
        op = self.text("#compare tbody th code")[0]
        share = self.text("#compare td.cell small")[0]
        self.assertIn(f"{op}: impl:cpu {share}", self.readout("compare"))
        browser.press("Enter")
        browser.wait("return location.hash.startsWith('#search')")
        self.assertIn(op, browser.script("return decodeURIComponent(location.hash)"))
        self.assert_quiet()

    def test_follows_the_theme_and_the_window(self):
        browser = self.browser
        self.go("#accuracy/exp?dtype=float16")
        light = browser.script("return styleColour('--plot-0')")
        browser.look(1600, 1000, dark=True)
        browser.wait(f"return styleColour('--plot-0') !== '{light}'")
        self.go("#accuracy/exp?dtype=float16")
        self.assertGreater(self.painted("accuracy")[0][0], 500, "in the dark theme's own colour")
        for width in (390, 1600, 320):
            browser.look(width, 800)
            browser.wait(
                "const [area, canvas] = ['', ' canvas'].map((part) => document.querySelector("
                "'#accuracy .plot-area' + part).getBoundingClientRect().width);"
                "return Math.abs(area - canvas) < 2"
            )
            overflow = browser.script("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(overflow, 0, f"scrolls sideways at {width}")
        for route in ("#accuracy?dtype=float16", "#campaigns"):
            self.go(route)
            overflow = browser.script("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(overflow, 0, f"{route} scrolls sideways at 400 %")
        self.assertEqual(browser.script("return document.getAnimations().length"), 0)
        self.assert_quiet()

    def test_is_gone_with_its_view(self):
        self.go("#campaigns")
        self.assertEqual(len(self.text(".uplot")), 4)
        self.browser.go("#summary")
        self.browser.wait("return document.querySelectorAll('.uplot').length === 0")
        self.go("#campaigns")
        self.assertEqual(len(self.text(".uplot")), 4)

    def test_without_the_library_the_tables_say_all(self):
        browser = self.browser
        browser.script("uPlot = undefined")
        browser.go("#accuracy/exp?dtype=float16")
        self.assertEqual(self.text(".plot"), [])
        self.assertEqual(len(self.text("#accuracy .histogram meter")), 8, "bars of the table itself")
        browser.go("#accuracy?dtype=float16")
        self.assertEqual(self.text(".plot"), [])
        self.assertEqual(self.text("#accuracy tbody th"), ["exp", "log"])
        browser.go("#campaigns")
        self.assertEqual(self.text(".plot"), [])
        self.assertIn("900,000", self.text("#campaigns details td"))
        self.assert_quiet()

    def test_the_library_runs_under_the_policy_only_as_it_is(self):
        """Negative control: the policy refuses another text in uPlot's place, and the page works without plots."""
        page = pathlib.Path(report("small")).read_text()
        changed = page.replace("var uPlot", "window.hacked = 1; var uPlot", 1)
        self.assertNotEqual(page, changed)
        path = pathlib.Path(report("small")).with_name("changed.html")
        path.write_text(changed)
        self.browser.open(f"file://{path}")
        self.browser.wait("return document.documentElement.dataset.route !== undefined")
        self.assertIsNone(self.browser.script("return window.hacked ?? null"))
        self.assertFalse(self.browser.script("return canPlot()"))
        self.assertTrue(
            any("Content Security Policy" in entry["message"] for entry in self.browser.console())
        )


if __name__ == "__main__":
    sys.exit(main(__doc__))
