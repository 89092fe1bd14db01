"""A headless Chromium for tests: the WebDriver protocol over HTTP, standard library only."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


class BrowserError(Exception):
    """Raised when the browser or its driver answers with an error."""


def find_programs():
    """The paths of (chromium, chromedriver), each None if it is not on this machine."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    return chromium, shutil.which("chromedriver")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """One window of the browser. Use it as a context manager; sizes are in CSS pixels."""

    def __init__(self, scratch):
        chromium, driver = find_programs()
        self.port = free_port()
        # The browser keeps its home and its cache in the scratch folder.
        environment = dict(
            os.environ, HOME=scratch, XDG_CONFIG_HOME=scratch, XDG_CACHE_HOME=scratch
        )
        self.driver = subprocess.Popen(
            [driver, f"--port={self.port}", "--log-level=SEVERE"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.session = None
        try:
            self._wait_for_driver()
            arguments = [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                f"--user-data-dir={scratch}/profile",
            ]
            answer = self._call(
                "POST",
                "/session",
                {
                    "capabilities": {
                        "alwaysMatch": {
                            "goog:chromeOptions": {"binary": chromium, "args": arguments},
                            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                        }
                    }
                },
            )
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            try:
                self._call("DELETE", self.session)
            except (BrowserError, OSError):
                pass
            self.session = None
        self.driver.terminate()
        self.driver.wait()

    def _wait_for_driver(self):
        deadline = time.monotonic() + 20
        while True:
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            if time.monotonic() > deadline or self.driver.poll() is not None:
                raise BrowserError("chromedriver does not start")
            time.sleep(0.05)

    def _call(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data,
            method=method,
            headers={"Content-Type": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"]) from None

    def command(self, path, body=None):
        return self._call("POST", self.session + path, body)

    def devtools(self, name, **parameters):
        return self.command("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def look(self, width, height, dark=False):
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.devtools(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )

    def open(self, url):
        self.command("/url", {"url": url})
        # Makes the page count as focused: only such a page can read the clipboard, and another browser may have the
        # focus.
        self.devtools("Emulation.setFocusEmulationEnabled", enabled=True)

    def script(self, source, *arguments):
        """Runs JavaScript, the body of a function, in the page. Returns its value."""
        return self.command("/execute/sync", {"script": source, "args": list(arguments)})

    def go(self, route, timeout=20):
        """Follows a hash route of the report and waits until the page has drawn it."""
        self.script(
            "delete document.documentElement.dataset.route; location.hash = arguments[0]; "
            "if (location.hash === arguments[1]) window.dispatchEvent(new Event('hashchange'));",
            route,
            self.script("return location.hash"),
        )
        self.wait("return document.documentElement.dataset.route !== undefined", timeout)

    def wait(self, condition, timeout=20):
        deadline = time.monotonic() + timeout
        while not self.script(condition):
            if time.monotonic() > deadline:
                raise BrowserError(f"never true: {condition}")
            time.sleep(0.02)

    def press(self, key):
        """A real key press: an arrow key, Home, End, Enter, Tab, /."""
        codes = {
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "End": 35,
            "Home": 36,
            "Enter": 13,
            "Tab": 9,
            "/": 191,
        }
        text = {"Enter": {"text": "\r"}, "/": {"text": "/"}}.get(key, {})
        self.devtools(
            "Input.dispatchKeyEvent",
            type="keyDown" if text else "rawKeyDown",
            key=key,
            code=key,
            windowsVirtualKeyCode=codes[key],
            **text,
        )
        self.devtools(
            "Input.dispatchKeyEvent",
            type="keyUp",
            key=key,
            code=key,
            windowsVirtualKeyCode=codes[key],
        )

    def type(self, letter):
        """Types a letter into the focused element."""
        self.devtools("Input.insertText", text=letter)

    def console(self):
        """The messages that the page wrote to its console since the last call of this method."""
        return self.command("/se/log", {"type": "browser"})

    def requests(self):
        """The addresses that the page asked for since the last call of this method."""
        events = [
            json.loads(entry["message"])["message"]
            for entry in self.command("/se/log", {"type": "performance"})
        ]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def screenshot(self, path, full=False):
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
