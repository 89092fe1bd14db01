#!/usr/bin/env python3
"""The report of a user's own backend in headless Chromium: its name, what it lacks, where it fails; looks, phones, keys.

usage: subject_test.py SYNTHETIC_REPORT [unittest arguments]
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main  # noqa: E402

# The URL's hash for every view of the page, by the synthetic report that fills the view.
VIEWS = {
    "plugin": ("#summary", "#failures", "#kinds", "#map", "#map/add?q=verdict:failed", "#map/add?kinds=all,all", "#matrix",
               "#known", "#search", "#search?q=verdict:failed", "#search?q=add(int32[3],5.5)", "#case/5", "#accuracy",
               "#campaigns", "#findings"),
    "runs": ("#summary", "#failures", "#kinds", "#map/div?kinds=all,all", "#map/fmod?kinds=all,all&view=difference", "#matrix",
             "#known/zeta-nan", "#search?q=verdict:failed,known,not_judged", "#compare", "#compare?by=dtype&only=0",
             "#accuracy", "#accuracy/exp?dtype=float16", "#changes", "#campaigns", "#case/1000"),
    "list": ("#summary", "#failures", "#map/sub", "#search?q=verdict:expectation"),
    "rulebooks": ("#summary", "#systems"),
}

# A script that checks how verdicts look everywhere on the page. It returns faults, and how often each look occurs.
LOOKS = """
const root = getComputedStyle(document.documentElement);
const probe = document.body.appendChild(document.createElement('i'));
const computed = (colour) => {
  probe.style.color = colour;
  return getComputedStyle(probe).color;
};
const glyphs = Object.fromEntries([...DATA.looks, DATA.missing].map(({css, glyph}) => [css, glyph]));
const colours = Object.fromEntries(Object.keys(glyphs).map((css) => {
  probe.className = `m-${css}`;
  return [css, ['--v', '--v-ink', '--v-text'].map((name) => computed(`var(${name})`))];
}));
probe.className = '';
const seen = {};
const faults = [];
for (const element of document.querySelectorAll('.view:not([hidden]) [class]')) {
  const css = [...element.classList].map((name) => name.match(/^[mv]-(.*)$/)?.[1]).find(Boolean);
  if (!css || !element.checkVisibility()) continue;
  const at = element.outerHTML.slice(0, 90);
  if (!glyphs[css]) { faults.push(`no look: ${at}`); continue; }
  seen[css] = (seen[css] || 0) + 1;
  const style = getComputedStyle(element);
  if (element.matches('rect')) {
    if (style.fill !== colours[css][0]) faults.push(`fill ${style.fill}: ${at}`);
    continue;
  }
  const text = element.textContent.trim();
  const shown = element.matches('.cell') ? element.querySelector('.glyph')?.textContent ?? text : text;
  if (element.matches('.swatch, .tally, .mark, .chip, .cell') && !shown.includes(glyphs[css]))
    faults.push(`shape: ${at}`);
  if (element.matches('.tally, .mark') && !colours[css].slice(1).includes(style.color))
    faults.push(`colour ${style.color}: ${at}`);
  if (element.matches('.cell, .chip') && !['agree', 'unjudged', 'missing'].includes(css)) {
    const isSome = element.matches('.some');
    const fill = isSome ? style.boxShadow : style.backgroundColor;
    if (!fill.includes(colours[css][0]) && !element.matches('.t-refuse.some, .t-none.some, .t-mixed.some'))
      faults.push(`fill ${fill}: ${at}`);
  }
}
// The shape of a verdict stands for nothing else.
const shapes = new Set(['✕', '◆', '✱', '◔', '○', '✓']);
const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const {parentElement: element, textContent: text} = walker.currentNode;
  if (!shapes.has(text.trim()[0]) || !element.checkVisibility()) continue;
  const marked = element.closest('[class*="m-"], [class*="v-"], .compare td, .seal, option');
  if (!marked) faults.push(`alone: ${element.outerHTML.slice(0, 90)}`);
}
// A colour of a verdict is no other thing's.
const own = new Set(Object.entries(colours).filter(([css]) => ['bad', 'known', 'crash', 'timeout'].includes(css))
  .flatMap(([, three]) => [three[0], three[2]]));
for (const element of document.querySelectorAll('main *')) {
  if (!element.checkVisibility() || element.closest('[class*="m-"], [class*="v-"], .seal, .tiles-op')) continue;
  const style = getComputedStyle(element);
  for (const colour of [style.color, style.backgroundColor, style.borderTopColor])
    if (own.has(colour)) faults.push(`a verdict's colour: ${element.outerHTML.slice(0, 90)}`);
}
probe.remove();
return {faults: [...new Set(faults)], seen};
"""

# A script that lists the stops of Tab, in reading order.
STOPS = """
return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
  .filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true}));
"""

OVERFLOW = "return document.scrollingElement.scrollWidth - innerWidth"


def number(text):
    return int(text.split()[0].replace(",", ""))


class SubjectTest(ReportTest):
    def test_the_subject_is_called_by_its_manifest(self):
        browser = self.open("plugin")
        title = "tinytensor 0.3.1 against libtorch:cpu"
        self.assertIn(title, browser.script("return document.title"))
        self.assertIn("tinytensor 0.3.1 differs from libtorch:cpu", self.text("#summary h1")[0])
        # The path of a plug-in may stand only in the environment and in commands, which need it.
        shown = (
            "const texts = []; const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
            "while (walker.nextNode()) { const e = walker.currentNode.parentElement;"
            "if (e.checkVisibility() && walker.currentNode.textContent.includes('/home/runner'))"
            " texts.push(e.tagName); } return texts;"
        )
        self.assertEqual(browser.script(shown), ["TD"])
        self.assertEqual(
            browser.script("return document.querySelector('.env td').textContent"),
            "plugin:/home/runner/work/tiny/tiny/build/release/lib/libtinytensor.so",
        )
        for route in ("#failures", "#map/add?q=verdict:failed", "#map/add?kinds=all,all&cell=3,6", "#matrix", "#known",
                      "#search?q=verdict:failed"):
            browser.go(route)
            self.assertEqual(browser.script(shown), [], route)
        browser.go("#case/5")
        self.assertEqual(set(browser.script(shown)), {"CODE"}, "control: commands have it")
        found = [self.search(f'verdict:failed subject:"{name}" in:cases') for name in (
            "tinytensor 0.3.1", "plugin:/home/runner/work/tiny/tiny/build/release/lib/libtinytensor.so", "tiny*")]
        self.assertEqual(found, [found[0]] * 3)
        self.assertIn("found", found[0])
        self.assert_quiet()

    def test_the_first_screen_ranks_ten_ops_and_each_count_opens_exactly_its_failures(self):
        browser = self.open("plugin", 1280, 900)
        ops = self.text("#summary table.failing tbody th")
        self.assertEqual(len(ops), 10)
        severities = browser.script(
            "return [...document.querySelectorAll('#summary table.failing tbody th')].map((th) =>"
            " severity(runs[0].findOp(th.textContent).worst))"
        )
        self.assertEqual(severities, sorted(severities, reverse=True))
        self.assertGreater(len(set(severities)), 1)
        self.assertLess(
            browser.script("return document.querySelector('#summary table.failing tbody tr').getBoundingClientRect().top"),
            500,
        )
        self.assertLess(
            browser.script("return [...document.querySelectorAll('#summary .failing tr')].at(-1).getBoundingClientRect().bottom"),
            900, "all ten are on the first screen",
        )
        links = browser.script(
            "return [...document.querySelectorAll('#summary .failing .tally a')].map((a) => [a.hash, a.textContent,"
            " a.closest('tr').querySelector('th').textContent])"
        )
        self.assertGreaterEqual(len(links), 10)
        for hash_, text, op in links:
            browser.go(hash_)
            count, kind = text.split()[1:3]
            self.assertEqual(self.text("#map h1"), [op])
            self.assertEqual(self.text("#map .panel.found h3")[0].split(" ")[0], count, hash_)
            chips = self.text("#map .panel.found .tallies .chip")
            self.assertEqual(len(chips), 1)
            self.assertIn(kind, chips[0])
            cards = self.text("#map .panel.found .case .meta .chip:first-child")
            self.assertEqual(set(cards), set(chips))
            self.assertEqual(len(cards), min(number(count), 60))
            self.assertGreater(
                browser.script("return document.querySelectorAll('#map td.found').length"), 0, "and the map shows where"
            )
        # The search that the pane offers must find the same number of cases.
        self.follow("#map .panel.found h3 a", "#search")
        browser.wait("return document.querySelector('#search [role=status]')?.textContent.includes('found')")
        self.assertEqual(number(self.text("#search [role=status]")[0]), number(count))
        self.assert_quiet()

    def test_every_count_of_an_op_leads_to_its_failures(self):
        """Every count of an op in the atlas, in the list of ops and in the matrix leads to its failures."""
        browser = self.open("plugin")
        for view, links in (
            ("#summary", "#summary .atlas a:has(.tally)"),
            ("#map/add", "#map .ops a:has(.tally)"),
            ("#matrix", "#matrix tbody tr:has(.sum .tally) th a"),
        ):
            browser.go(view)
            hashes = browser.script(f"return [...document.querySelectorAll('{links}')].map((a) => decodeURIComponent(a.hash))")
            self.assertGreater(len(hashes), 10, view)
            self.assertTrue(all(hash_.endswith("?q=verdict:failed") for hash_ in hashes), hashes)
        browser.go(hashes[0])
        op = self.text("#map h1")[0]
        bad = browser.script("return runs[0].findOp(arguments[0]).bad", op)
        self.assertEqual(number(self.text("#map .panel.found h3")[0]), bad)
        # A cell of the matrix with failures opens the failures with operands of its dtype.
        browser.go("#matrix")
        counted = browser.script(
            "const cell = document.querySelector('#matrix td[class*=\"v-bad\"]'); const {op, dtype} = cell.dataset;"
            "cell.click(); return runs[0].findOp(op).dtypes.find((e) => e.dtype === Number(dtype)).bad"
        )
        browser.wait("return location.hash.startsWith('#map/') && document.querySelector('#map .panel.found')")
        self.assertEqual(number(self.text("#map .panel.found h3")[0]), counted)
        # When the pane of found cases is closed, the cases of a chosen cell take its place.
        browser.script("document.querySelector('#map .panel .close').click()")
        browser.wait("return !document.querySelector('#map .panel.found')")
        self.assertIn("unexplained", self.text("#map .panel.empty")[0])
        self.assert_quiet()

    def test_ops_that_the_subject_lacks_are_one_line(self):
        browser = self.open("plugin")
        browser.go("#failures")
        rows = self.text("#failures h2 ~ .scroll td[data-label=reason]")
        self.assertIn("no such op", rows)
        self.assertLessEqual(len(rows), 3)
        for view, rows in (("#summary", ".atlas .tile-op"), ("#matrix", "tbody tr"), ("#map/add", ".ops-scroll > a")):
            browser.go(view)
            name = view.split("/")[0]
            self.assertEqual(len(self.text(f"{name} {rows}")), 24, view)
            self.assertEqual(self.text(f"{name} .other-ops summary"), ["76 more ops have no judged case"])
            self.assertEqual(len(self.text(f"{name} .other-ops a")), 76, "which opens")
        # Folded ops, which have no judged case, are found by name all the same.
        browser.script(
            "const box = document.querySelector('#map .ops input'); box.value = 'sqrt';"
            "box.dispatchEvent(new Event('input'))"
        )
        shown = "return [...document.querySelectorAll('#map .ops-scroll a')].filter((a) => a.checkVisibility()).map((a) => a.textContent)"
        self.assertEqual(browser.script(shown), ["sqrt"])
        self.open("small")
        self.assertEqual(self.text(".other-ops"), [], "control: one that has them all")

    def test_differences_stand_by_reason_and_each_count_finds_its_cases(self):
        for kind in ("plugin", "runs", "list"):
            browser = self.open(kind)
            browser.go("#failures")
            severities = browser.script(
                "return [...document.querySelectorAll('#failures .reason')].map((reason) => severity("
                "DATA.verdicts.indexOf(reason.querySelector('.chip').textContent.split(' ')[1])))"
            )
            self.assertGreater(len(severities), 0)
            self.assertEqual(severities, sorted(severities, reverse=True))
            links = browser.script(
                "return [...document.querySelectorAll('#failures .reason [data-query] a')].map((a) =>"
                " [new URLSearchParams(a.hash.split('?')[1]).get('q'), a.textContent])"
            )
            counts = browser.script(
                "return (async () => { const counts = [];"
                "for (const [q] of arguments[0]) { const found = new FoundCases();"
                "for (const run of runs) await findCases(run, parseQuery(q), found, () => false);"
                "counts.push(grouped(found.n)); } return counts; })()",
                links,
            )
            self.assertEqual(counts, [count for _, count in links])
            self.assertGreaterEqual(len(links), len(severities))
        self.assert_quiet()

    def test_a_verdict_looks_the_same_in_every_view(self):
        for dark in (False, True):
            seen = {}
            for kind, routes in VIEWS.items():
                browser = self.open(kind, dark=dark)
                for route in routes:
                    browser.go(route)
                    told = browser.script(LOOKS)
                    self.assertEqual(told["faults"], [], f"{route} of {kind}")
                    for css, count in told["seen"].items():
                        seen[css] = seen.get(css, 0) + count
            looks = browser.script("return [...new Set([...DATA.looks, DATA.missing].map(({css}) => css))]")
            self.assertEqual(sorted(seen), sorted(looks), "every look was seen")

    def test_another_look_is_noticed(self):
        """Control: a mark of a verdict with another look is reported as a fault."""
        browser = self.open("runs")
        browser.go("#search?q=verdict:crash")
        for change, fault in (
            ("chip.className = 'chip m-bad'", "shape"),
            ("chip.className = 'chip m-strange'", "no look"),
            ("chip.style.background = 'red'", "fill"),
            ("chip.parentElement.parentElement.append('✱ dead')", "alone"),
            ("chip.parentElement.parentElement.style.color = getComputedStyle(chip).backgroundColor", "a verdict's colour"),
        ):
            browser.go("#summary")
            browser.go("#search?q=verdict:crash")
            self.assertEqual(browser.script(LOOKS)["faults"], [])
            browser.script(f"const chip = document.querySelector('#search td .chip'); {change}")
            faults = browser.script(LOOKS)["faults"]
            self.assertTrue(any(each.startswith(fault) for each in faults), (change, faults))

    def test_no_view_is_wider_than_a_phone(self):
        for width in (360, 390):
            for kind, routes in VIEWS.items():
                browser = self.open(kind, width, 844)
                for route in routes:
                    browser.go(route)
                    self.assertLessEqual(browser.script(OVERFLOW), 0, f"{route} of {kind} at {width}")
                    browser.script("for (const part of document.querySelectorAll('details')) part.open = true")
                    self.assertLessEqual(browser.script(OVERFLOW), 0, f"{route} of {kind} at {width}, all open")
        browser.script("document.querySelector('.view:not([hidden])').append(Object.assign(document.createElement('p'),"
                       " {textContent: 'x'.repeat(90)}))")
        self.assertGreater(browser.script(OVERFLOW), 0, "control: a text that does not break")

    def test_few_stops_before_and_on_the_summary(self):
        before = f"const stops = (() => {{ {STOPS} }})(); const first = document.querySelector('#summary h1');" \
            "return stops.filter((e) => e.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING).length"
        for kind in ("plugin", "grid"):
            browser = self.open(kind)
            self.assertGreater(browser.script(before), 5, "control: the navigation is counted")
            self.assertLess(browser.script(before), 100)
            self.assertLess(len(browser.script(STOPS)), 100, "all of the Summary, its atlas is one stop")
            browser.go("#map/add")
            content = browser.script(
                f"const stops = (() => {{ {STOPS} }})(); const first = document.querySelector('#map h1');"
                "return stops.filter((e) => e.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING).length"
            )
            self.assertLess(content, 100, "the list of ops is one stop")
            browser.go("#summary")
        browser.script(
            "const first = document.querySelector('#summary');"
            "for (let i = 0; i < 100; i++) first.prepend(Object.assign(document.createElement('a'), {href: '#known'}))"
        )
        browser.script("for (const a of document.querySelectorAll('#summary > a')) a.textContent = 'x'")
        self.assertGreaterEqual(browser.script(before), 100, "control")

    def test_the_atlas_by_keyboard(self):
        browser = self.open("plugin")
        browser.script("document.querySelector('.atlas a').focus()")
        first = browser.script("return document.activeElement.querySelector('.name').textContent")
        browser.press("ArrowRight")
        second = browser.script("return document.activeElement.querySelector('.name').textContent")
        self.assertNotEqual(first, second)
        browser.press("ArrowLeft")
        self.assertEqual(browser.script("return document.activeElement.querySelector('.name').textContent"), first)
        browser.press("End")
        last = self.text(".atlas a .name")[-1]
        self.assertEqual(browser.script("return document.activeElement.querySelector('.name').textContent"), last)
        self.assertEqual(len(browser.script("return document.querySelectorAll('.atlas [tabindex=\"0\"]')")), 1)
        browser.press("Enter")
        browser.wait("return location.hash.startsWith('#map/')")

    def test_the_nearest_case_is_offered_for_a_line_that_is_not_there(self):
        browser = self.open("small")
        for line, nearest, note in (
            ("add(int32[7], 5.5)", "add.Tensor(int32[4], 5.5)", "int32[4] for int32[7]"),
            ("torch.add.Tensor(int16[4], uint32[])", "add.Tensor(int16[4], uint32[])", None),
            ("sub(int16[3], int32[2,3]{1,2,3,4,5,6}) @default=float64", "sub.Tensor(int16[4], int32[4]) @default=float64",
             "int16[4] for int16[3], int32[4] for int32[2,3]{1,2,3,4,5,6}"),
            ("add(int16[4], 9)", "add.Tensor(int16[4], 7)", "7 for 9"),
            ("add(int16[4], False)", "add.Tensor(int16[4], True)", "True for False"),
            ("sinn(int16[4])", "sin(int16[4])", None),
            ("add_(int16[9], uint8[9])", "add_.Tensor(int16[4], uint8[4])", None),
        ):
            self.search(line)
            lines = self.found_lines()
            self.assertEqual(lines[:1], [nearest], line)
            if note:
                self.assertIn(note, self.text("#search td.line small")[0])
                self.assertEqual(self.text("#search h2"), ["The nearest cases"])
                self.assertLessEqual(len(lines), 3)
        # A line that the search offers leads to its case.
        self.follow("#search table.cases td.line a", "#case/")
        self.assertEqual(self.text("#case .case .line code"), [lines[0]])
        self.search("frobnicate_everything(int16[4])")
        self.assertEqual(self.found_lines(), [], "control: nothing is near")
        self.assertIn("Nothing has", self.text("#search .hints li")[0])
        self.search("add.Tensor(int16[4], uint32[4])")
        self.assertEqual(self.text("#search h2")[0].split()[0], "Cases", "control: it is there")
        self.open("list")
        self.search("sub(uint8[1]{0}, 99999)")
        self.assertTrue(self.found_lines()[0].startswith("sub.Tensor(uint8[1]{0}, "), self.found_lines())
        self.assert_quiet()

    def test_the_scan_finds_what_a_look_at_every_case_finds(self):
        """The fast search, by tables and counts for many cases, finds what a look at every single case finds."""
        browser = self.open("small")
        queries = (
            "dtype:int16", "-dtype:int16", "dtype:i8 kind:wrapped", "-kind:dim dtype:int16 -dtype:uint8", "kind:zero_dim",
            "result:float32", "-result:refuses oracle:refuses", "result:int8,int16 -dtype:int8", "verdict:failed,known",
            "verdict:agree form:out", "-verdict:agree", "known:pow*", "-class:bug verdict:known", "5.5", "-add 5.5",
            "form:in_place default:float64 dtype:u8", "schema:add.Tensor -kind:wrapped", "nan", "verdict:not_judged",
        )
        told = browser.script(
            "return (async () => { const out = []; const run = runs[0]; await run.ready;"
            "for (const op of run.ops) for (const row of op.rows) await run.rowColumns(row);"
            "for (const q of arguments[0]) {"
            " const terms = parseQuery(q); const found = new FoundCases();"
            " await findCases(run, terms, found, () => false);"
            " let slow = 0;"
            " for (const op of run.ops) for (const row of op.rows) for (let at = 0; at < row.n; at++) {"
            "  const {verdict, subject, oracle, known} = row.loaded; let rest = at; const tokens = [];"
            "  for (let axis = row.axes.length; axis-- > 0;) { const items = run.axes[row.axes[axis]];"
            "   tokens.unshift({token: items[rest % items.length], role: axisRole(row, axis, items)});"
            "   rest = Math.floor(rest / items.length); }"
            "  const operands = tokens.filter(({role}) => role === 'operand').map(({token}) => token);"
            "  const entry = known[at] ? run.known[known[at] - 1] : null;"
            "  const record = run.records.get(caseNumber(row, at));"
            "  const values = {op: [op.name, row.schema], schema: [row.schema], form: [row.form], default: [dtypeNamed(row.def)],"
            "   dtype: operands.flatMap(tokenDtypes), kind: operands.map(({kind}) => kind), result: [subject[at]],"
            "   oracle: [oracle[at]], verdict: [verdict[at]], known: entry ? [entry.name] : [], class: entry ? [entry.class] : [],"
            "   word: [op.name, row.schema, op.family, ...tokens.map(({token}) => token.text),"
            "    ...(record ? [record.subject, record.oracle, record.told] : [])]};"
            "  if (terms.every(({key, test, negated}) => values[key].some(test) !== negated)) slow += 1;"
            " }"
            " out.push([q, found.n, slow]);"
            "} return out; })()",
            queries,
        )
        for query, fast, slow in told:
            self.assertEqual(fast, slow, query)
            self.assertGreater(slow, 0, query)

    def test_search_over_a_whole_grid_takes_no_time(self):
        browser = self.open("grid")
        browser.script("return Promise.all(runs.map((run) => run.warm())).then(() => null)")
        self.assertGreater(browser.script("return runs[0].ran"), 15e6)
        times = browser.script(
            "return (async () => { const out = {};"
            "for (const q of ['verdict:failed', 'dtype:float16', 'result:refuses -verdict:agree', '-wrong:oracle', 'nan',"
            " 'result:float32 kind:zero_dim', 'add(int32[3], 5.5)', 'ulp>3']) {"
            " let best = Infinity;"
            " for (let i = 0; i < 10; i++) {"
            "  document.documentElement.removeAttribute('data-route');"
            "  const start = performance.now();"
            "  const done = new Promise((resolve) => new MutationObserver((_, observer) => {"
            "   if (!document.documentElement.dataset.route) return;"
            "   observer.disconnect(); resolve(); }).observe(document.documentElement, {attributeFilter: ['data-route']}));"
            "  location.hash = searchHash(q + ' '.repeat(i)); await done;"
            "  document.body.getBoundingClientRect();"
            "  best = Math.min(best, performance.now() - start); }"
            " out[q] = Math.round(best); } return out; })()"
        )
        look = browser.script(
            "const bytes = new Uint8Array(runs[0].ran); let best = Infinity, odd = 0;"
            "for (let i = 0; i < 10; i++) { const start = performance.now();"
            " for (let at = 0; at < bytes.length; at++) odd += bytes[at] & 1;"
            " best = Math.min(best, performance.now() - start); } return best + odd;"
        )
        print("\nsearch over", f"{browser.script('return runs[0].ran'):,}", "cases, best of ten, ms:", times, "one byte of each:", look)
        # The limit is relative, so that it holds on any machine: 31 times the time to read one byte of every case.
        self.assertLess(max(times.values()), 31 * look, times)


if __name__ == "__main__":
    sys.exit(main(__doc__))
