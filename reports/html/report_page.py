"""The base class of tests of the page: it opens reports from disk in headless Chromium."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_programs  # noqa: E402

SKIPPED = 77
PROGRAM = None
SCRATCH = None


def make_synthetic(kind, path):
    subprocess.run([PROGRAM, kind, path], check=True)


MAKE = make_synthetic


def report(kind):
    path = os.path.join(SCRATCH, f"{kind}.html")
    if not os.path.exists(path):
        MAKE(kind, path)
    return path


class ReportTest(unittest.TestCase):
    browser = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(tempfile.mkdtemp(dir=SCRATCH))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, kind, width=1600, height=1000, dark=False):
        browser = self.browser
        browser.look(width, height, dark)
        browser.open("about:blank")
        browser.console()
        browser.requests()
        browser.open("file://" + report(kind))
        browser.wait("return document.documentElement.dataset.route !== undefined")
        return browser

    def assert_quiet(self):
        """Asserts that the console has no error, and that the page asked for nothing but its own file."""
        self.assertEqual([entry["message"] for entry in self.browser.console()], [])
        asked = [url for url in self.browser.requests() if not url.startswith(("data:", "blob:"))]
        self.assertEqual([url for url in asked if not url.startswith(f"file://{SCRATCH}/")], [])
        self.assertGreaterEqual(len(asked), 1, "the check sees requests")

    def visible_view(self):
        return self.browser.script(
            "return [...document.querySelectorAll('.view:not([hidden])')].map((v) => v.id)"
        )

    def text(self, selector):
        return self.browser.script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
            selector,
        )

    def follow(self, link, view):
        self.browser.script(
            "delete document.documentElement.dataset.route;"
            "document.querySelector(arguments[0]).click()",
            link,
        )
        self.browser.wait(
            f"return location.hash.startsWith('{view}') &&"
            " document.documentElement.dataset.route !== undefined"
        )

    def search(self, query):
        self.browser.go("#search?q=" + urllib.parse.quote(query))
        return self.text("#search [role=status], #search [role=alert]")[0]

    def found_lines(self):
        return self.text("#search table.cases td.line a code")


def main(usage, make=make_synthetic):
    """Runs the tests of the calling script. Its first argument is the program with which `make` makes reports."""
    global MAKE, PROGRAM, SCRATCH
    MAKE = make
    if len(sys.argv) < 2:
        sys.exit(usage)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    missing = [
        name for name, path in zip(("chromium", "chromedriver"), find_programs()) if path is None
    ]
    if missing:
        print(
            f"skipped: no {' and no '.join(missing)} on this machine"
            " (Debian packages: chromium, chromium-driver)"
        )
        return SKIPPED
    SCRATCH = tempfile.mkdtemp(prefix="upcast-browser-")
    try:
        result = unittest.main(exit=False, verbosity=1).result
        if result.testsRun and len(result.skipped) == result.testsRun:
            return SKIPPED
        return 0 if result.wasSuccessful() else 1
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
