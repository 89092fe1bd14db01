#!/usr/bin/env python3
"""The report for people who use a screen reader or a keyboard, or need contrast: names, focus, order and colours in headless Chromium.

usage: access_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main  # noqa: E402

# The URL's hash for every view of the page, by the synthetic report that fills the view.
VIEWS = {
    "runs": (
        "#summary",
        "#failures",
        "#map/add?cell=3,6",
        "#map/add?kinds=all,all&view=difference",
        "#map/add?view=book:jax-x64&cell=3,6",
        "#map/sin",
        "#matrix",
        "#case/1000",
        "#compare",
        "#compare?by=dtype&only=0",
        "#accuracy?dtype=float16",
        "#accuracy/exp?dtype=float16",
        "#search",
        "#search?q=verdict:failed",
        "#search?q=nonsense:x",
        "#known",
        "#changes",
        "#campaigns",
        "#findings",
        "#findings/zeta-nan",
        "#kinds",
    ),
    "rulebooks": ("#summary", "#systems"),
    "list": ("#failures", "#map/sub"),
}

# A script that counts visible tables without a caption, and header cells without a scope or a text. It also counts all
# of them.
TABLES = """
const shown = [...document.querySelectorAll('.view:not([hidden]) table')];
const heads = shown.flatMap((table) => [...table.querySelectorAll('th')]);
const scopes = ['col', 'row', 'colgroup', 'rowgroup'];
return {
  tables: shown.length,
  heads: heads.length,
  nameless: shown.filter((table) => !table.caption?.textContent.trim()).map((t) => t.outerHTML.slice(0, 80)),
  scopeless: heads.filter((th) => !scopes.includes(th.getAttribute('scope')) || !th.textContent.trim())
    .map((th) => th.outerHTML),
  mute: [...document.querySelectorAll('.view:not([hidden]) [role=grid] td.cell')]
    .filter((cell) => !cell.ariaLabel || cell.getAttribute('role') !== 'gridcell').map((c) => c.outerHTML),
};
"""

# A script that lists each pair of text colour and background on the page, with its contrast. By WCAG 2.2, 1.4.3, large
# text needs a contrast of 3, and other text 4.5.
CONTRASTS = """
const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
const context = canvas.getContext('2d', {willReadFrequently: true});
const known = new Map();
function rgba(text) {
  if (!known.has(text)) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    known.set(text, [r, g, b, a / 255]);
  }
  return known.get(text);
}
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
function backdrop(element) {
  if (!element) return rgba(getComputedStyle(document.documentElement).backgroundColor).slice(0, 3);
  const colour = rgba(getComputedStyle(element).backgroundColor);
  return colour[3] === 1 ? colour.slice(0, 3) : over(colour, backdrop(element.parentElement));
}
const linear = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const found = new Map();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || element.closest('script, option, .offscreen, .skip')) continue;
  if (!element.checkVisibility({visibilityProperty: true})) continue;
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const below = backdrop(element);
  const key = [style.color, below.map(Math.round), isLarge].join(' ');
  if (found.has(key)) continue;
  const ratio = contrast(over(rgba(style.color), below), below);
  found.set(key, {ratio, isLarge, at: `${element.tagName} .${element.className} ${element.textContent.slice(0, 20)}`});
}
return [...found.values()];
"""


def too_weak(pairs):
    return [pair for pair in pairs if pair["ratio"] < (3 if pair["isLarge"] else 4.5)]


class AccessTest(ReportTest):
    def each_view(self, **look):
        for kind, routes in VIEWS.items():
            self.open(kind, **look)
            for route in routes:
                self.browser.go(route)
                yield kind, route

    def focused(self):
        return self.browser.script(
            "const e = document.activeElement; return e.ariaLabel || e.id || e.textContent"
        )

    def test_every_table_has_a_name_and_every_head_a_scope(self):
        browser = self.browser
        seen = {}
        for kind, route in self.each_view():
            browser.script("for (const part of document.querySelectorAll('details')) part.open = true")
            found = browser.script(TABLES)
            seen[kind, route] = found["tables"]
            for fault in ("nameless", "scopeless", "mute"):
                self.assertEqual(found[fault], [], (kind, route, fault))
        for view in (("runs", "#campaigns"), ("rulebooks", "#systems"), ("rulebooks", "#summary")):
            self.assertGreater(seen[view], 0, view)
        self.assertGreaterEqual(seen["runs", "#campaigns"], 4)
        self.assertGreaterEqual(seen["runs", "#matrix"], 1)
        # The accessible name that Chromium computes is the one that a screen reader says.
        browser.go("#map/sub")
        self.open("small")
        browser.go("#matrix")
        nodes = browser.devtools("Accessibility.getFullAXTree")["nodes"]
        names = [
            node.get("name", {}).get("value")
            for node in nodes
            if node.get("role", {}).get("value") in ("grid", "table") and not node["ignored"]
        ]
        self.assertEqual(names, ["Op by dtype"])

    def test_faults_in_tables_are_seen(self):
        """Control: a table without a caption and a head without a scope are reported as faults."""
        browser = self.open("small")
        browser.go("#matrix")
        browser.script(
            "document.querySelector('#matrix caption').remove();"
            "document.querySelector('#matrix th').removeAttribute('scope');"
            "document.querySelector('#matrix td.cell').removeAttribute('aria-label');"
        )
        found = browser.script(TABLES)
        self.assertEqual([len(found[fault]) for fault in ("nameless", "scopeless", "mute")], [1, 1, 1])

    def test_contrast_of_all_text(self):
        for dark in (False, True):
            pairs = 0
            weak = []
            for kind, route in self.each_view(dark=dark):
                found = self.browser.script(CONTRASTS)
                pairs += len(found)
                weak += [(kind, route, pair) for pair in too_weak(found)]
            self.assertEqual(weak, [], "dark" if dark else "light")
            self.assertGreater(pairs, 100)

    def test_weak_contrast_is_seen(self):
        """Control: contrasts that WCAG calls too weak, and contrasts just strong enough, on white and on black."""
        browser = self.open("small")
        for colour, paper, is_weak in (
            ("#777777", "#ffffff", True),  # 4.48
            ("#767676", "#ffffff", False),  # 4.54
            ("#747474", "#000000", True),  # 4.42
            ("#767676", "#000000", False),  # 4.62
        ):
            browser.script(
                "document.getElementById('probe')?.remove();"
                "document.body.insertAdjacentHTML('beforeend', '<p id=probe>probe</p>');"
                "const probe = document.getElementById('probe');"
                "probe.style.color = arguments[0]; probe.style.backgroundColor = arguments[1];",
                colour,
                paper,
            )
            weak = [pair for pair in too_weak(browser.script(CONTRASTS)) if "probe" in pair["at"]]
            self.assertEqual(len(weak), is_weak, (colour, paper, weak))

    def test_skip_link_leads_into_the_view_on_show(self):
        browser = self.open("small")
        browser.press("Tab")
        self.assertEqual(self.focused(), "Skip to content")
        browser.go("#known")
        browser.script("document.querySelector('.skip').focus()")
        self.assertGreaterEqual(
            browser.script("return document.activeElement.getBoundingClientRect().left"), 0
        )
        browser.press("Enter")
        self.assertEqual(browser.script("return document.activeElement.id"), "main")
        self.assertEqual(self.visible_view(), ["known"])
        browser.press("Tab")
        self.assertTrue(
            browser.script("return document.getElementById('known').contains(document.activeElement)")
        )
        self.assert_quiet()

    def test_tab_order_is_the_reading_order(self):
        browser = self.open("runs")
        browser.go("#matrix")
        browser.script("document.querySelector('.skip').focus()")  # otherwise Tab would begin in the view
        order = [self.focused()]
        for _ in range(60):
            browser.press("Tab")
            order.append(self.focused())
            if browser.script("return document.activeElement.matches('td.cell')"):
                break
        names = [text.split(" ")[0] for text in order]
        self.assertEqual(names[:4], ["Skip", "upcast", "Summary", "Differences"])
        self.assertLess(names.index("run"), names.index("Colour"))
        controls = ["family", "most unexplained", "name", "all ops", "only those that differ"]
        self.assertEqual(order[-6:-1], controls)
        self.assertIn("cases with it", order[-1])
        # The table of the matrix is a single stop of Tab: the next Tab leaves it.
        browser.press("Tab")
        self.assertFalse(browser.script("return !!document.activeElement.closest('#matrix table')"))

    def walk(self, *keys):
        for key in keys:
            self.browser.press(key)

    def at(self):
        return self.browser.script(
            "const e = document.activeElement.closest('td, th');"
            "return [e.parentElement.rowIndex - 1, e.cellIndex]"
        )

    def enter_grid(self, view):
        self.browser.script(f"document.querySelector('#{view} td.cell[tabindex=\"0\"]').focus()")

    def test_matrix_by_keyboard(self):
        browser = self.open("small")
        browser.go("#matrix")
        self.enter_grid("matrix")
        self.assertEqual(self.at(), [0, 1])
        self.walk("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp")
        self.assertEqual(self.at(), [1, 2])
        self.assertEqual(self.text("#matrix .readout"), [self.focused()])
        self.walk("End")
        self.assertEqual(self.at(), [1, 9])
        self.walk("ArrowRight")
        self.assertEqual(self.at(), [1, 9], "the sums are no cells")
        self.walk("Home", "ArrowLeft")
        self.assertEqual(self.focused(), "sub", "the op's link")
        self.walk("ArrowDown", "ArrowRight", "ArrowUp")
        self.assertEqual(self.at(), [1, 1])
        self.assertEqual(
            browser.script("return document.querySelectorAll('#matrix [tabindex=\"0\"]').length"), 1
        )
        self.walk("Enter")
        browser.wait("return location.hash.startsWith('#map/sub') && document.activeElement.id === 'main'")
        self.assertEqual(self.visible_view(), ["map"])
        browser.script("history.back()")
        browser.wait("return location.hash === '#matrix'")
        self.assert_quiet()

    def test_accuracy_by_keyboard(self):
        browser = self.open("small")
        browser.go("#accuracy?dtype=float16")
        self.enter_grid("accuracy")
        self.walk("ArrowDown", "ArrowRight")
        self.assertEqual(self.at(), [1, 2])
        self.assertEqual(self.text("#accuracy p.readout")[-1], self.focused())
        self.walk("Home", "ArrowLeft", "ArrowUp")
        self.assertEqual(self.at(), [0, 0])
        self.walk("Enter")
        browser.wait("return location.hash.startsWith('#accuracy/exp')")
        self.assert_quiet()

    def test_a_control_keeps_the_focus(self):
        browser = self.open("small")
        browser.go("#map/add")
        for label, text in (("show", "difference"), ("default dtype", "f64"), ("show", "rule books")):
            browser.script(
                "[...document.querySelectorAll(`#map [aria-label='${arguments[0]}'] button`)]"
                ".find((button) => button.textContent.startsWith(arguments[1])).focus();"
                "delete document.documentElement.dataset.route;",
                label,
                text,
            )
            browser.press("Enter")
            browser.wait("return document.documentElement.dataset.route !== undefined")
            self.assertEqual(
                browser.script(
                    "const e = document.activeElement;"
                    "return [e.closest('[role=group]')?.ariaLabel, e.textContent.startsWith(arguments[0]),"
                    " e.ariaPressed]",
                    text,
                ),
                [label, True, "true"],
            )
        browser.go("#matrix")
        browser.script("document.querySelector('#matrix .segmented button:last-child').focus()")
        browser.press("Enter")
        browser.wait("return location.hash.includes('sort=name')")
        self.assertEqual(self.focused(), "name")
        self.assert_quiet()

    def test_back_leads_through_the_chosen_cells(self):
        browser = self.open("small")
        browser.go("#summary")
        browser.go("#map/add")
        length = browser.script("return history.length")
        browser.script("document.querySelector(\"#map td[data-y='3'][data-x='7']\").click()")
        browser.script("document.querySelector(\"#map td[data-y='1'][data-x='2']\").focus()")
        browser.press("Enter")
        browser.press("Enter")
        self.assertEqual(
            browser.script("return history.length"), length + 2, "the same cell again is no step"
        )
        line = "return document.querySelector('#map .case .line code')?.textContent"
        self.assertEqual(browser.script(line), "add.Tensor(uint8[4], int8[4])")
        selected = "return document.querySelector('#map td.selected')?.ariaLabel ?? ''"
        browser.script("history.back()")
        browser.wait(f"return (() => {{ {line} }})() === 'add.Tensor(int16[4], uint32[4])'")
        self.assertIn("int16[4], uint32[4]", browser.script(selected))
        browser.script("history.back()")
        browser.wait("return location.hash === '#map/add' && !document.querySelector('#map .case')")
        self.assertEqual(browser.script(selected), "")
        browser.script("history.back()")
        browser.wait("return location.hash === '#summary'")
        browser.script("history.go(3)")
        browser.wait(f"return (() => {{ {line} }})() === 'add.Tensor(uint8[4], int8[4])'")
        self.assert_quiet()


if __name__ == "__main__":
    sys.exit(main(__doc__))
