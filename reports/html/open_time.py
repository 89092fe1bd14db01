#!/usr/bin/env python3
"""How fast a report opens in headless Chromium, for docs/measured/: the best of three.

usage: open_time.py REPORT.html
Exits with 77 (skipped) where there is no Chromium or no chromedriver.
"""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report_page import ReportTest, main, report  # noqa: E402

REPORT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""


class OpenTime(ReportTest):
    def test_open(self):
        times = []
        for _ in range(3):
            self.open("given").wait("return performance.getEntriesByName('first-contentful-paint').length > 0")
            # What the page holds of all runs is unpacked: each view can be drawn.
            times.append(self.browser.script(
                "return Promise.all(runs.map((run) => run.ready)).then(() => [performance.now(),"
                " performance.getEntriesByName('first-contentful-paint')[0].startTime])"
            ))
        paint, ready = min(first for _, first in times), min(at for at, _ in times)
        listed, unlisted = self.browser.script(
            "return [runs[0].ops.flatMap((op) => op.rows).reduce((sum, row) => sum + row.n, 0), runs[0].summed]"
        )
        self.search("verdict:not_judged")
        print(
            f"{os.path.getsize(report('given')) / 1e6:.2f} MB, {listed:,} cases listed, {unlisted:,} summed:"
            f" first paint {paint:.0f} ms, ready {ready:.0f} ms"
        )
        self.assert_quiet()


if __name__ == "__main__":
    sys.exit(main(__doc__, lambda kind, path: shutil.copy(REPORT, path)))
