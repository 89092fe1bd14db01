"""Tests that there are colours and progress in a terminal, and none in a pipe: terminal_test.py UPCAST."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

UPCAST = sys.argv[1]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SIDES = ["--subject", "impl:cpu", "--oracle", "impl:cpu"]
AGREES = ["run", "add(int32[3], 5.5)", *SIDES]
DIFFERS = ["run", "add(int32[3], 5.5) -> int32[3]", *SIDES]
NO_SUCH = ["run", "ad(int32[3])"]
# The environment without the variables by which a user may forbid or force colours.
PLAIN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR_FORCE")}


def in_terminal(*arguments, columns=80, **variables):
    """Runs the command in a terminal of that many columns, and returns what both of its streams wrote there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([UPCAST, *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**PLAIN, "TERM": "xterm", **variables}) as child:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # EIO: the other end is closed
            pass
        os.close(ours)
        child.wait()
    return text.decode()


def in_pipe(*arguments, **variables):
    ended = subprocess.run([UPCAST, *arguments], capture_output=True, text=True, check=False, env={**PLAIN, **variables})
    return ended.stdout + ended.stderr


class Colours(unittest.TestCase):
    def test_a_terminal_has_them(self):
        self.assertIn("\x1b[32magree           \x1b[0m", in_terminal(*AGREES))
        self.assertIn("\x1b[31;1mexpectation", in_terminal(*DIFFERS))
        self.assertIn("\x1b[31;1mupcast:\x1b[0m ", in_terminal(*NO_SUCH))

    def test_a_pipe_has_none(self):
        for arguments in (AGREES, DIFFERS, NO_SUCH):
            self.assertIsNone(COLOUR.search(in_pipe(*arguments)))
            self.assertIsNone(COLOUR.search(in_terminal(*arguments, NO_COLOR="1")))
            self.assertIsNone(COLOUR.search(in_terminal(*arguments, TERM="dumb")))
            self.assertIsNotNone(COLOUR.search(in_terminal(*arguments, NO_COLOR="")), "an empty variable says nothing")

    def test_they_may_be_asked_for(self):
        self.assertIsNotNone(COLOUR.search(in_pipe(*AGREES, CLICOLOR_FORCE="1")))
        self.assertIsNone(COLOUR.search(in_pipe(*AGREES, CLICOLOR_FORCE="0")))
        self.assertIsNone(COLOUR.search(in_pipe(*AGREES, CLICOLOR_FORCE="1", NO_COLOR="1")))

    def test_the_words_are_the_same(self):
        def words(text):
            return re.sub(r"\d[\d,.]*", "#", COLOUR.sub("", text).replace("\r\n", "\n"))

        self.assertEqual(words(in_terminal(*DIFFERS)), words(in_pipe(*DIFFERS)))

    def test_a_stream_has_its_own(self):
        """If standard output is a pipe and standard error a terminal, an error has colours and a result has none."""
        ours, theirs = pty.openpty()
        for arguments, stream in ((AGREES, "out"), (NO_SUCH, "error")):
            ended = subprocess.run([UPCAST, *arguments], stdout=subprocess.PIPE, stderr=theirs, check=False, text=True,
                                   env={**PLAIN, "TERM": "xterm"})
            self.assertIsNone(COLOUR.search(ended.stdout), stream)
        self.assertIn(b"\x1b[31;1mupcast:", os.read(ours, 65536))
        os.close(ours)
        os.close(theirs)


class Progress(unittest.TestCase):
    def bars(self, columns):
        text = in_terminal("run", "--grid", "smoke", "--block", "16", "--jobs", "1", *SIDES, columns=columns)
        return [COLOUR.sub("", bar) for bar in re.findall(r"\r([^\r\n]*%[^\r\n]*?)\x1b\[K", text)]

    def test_it_is_narrower_than_the_terminal(self):
        for columns in (80, 40, 24):
            bars = self.bars(columns)
            self.assertTrue(bars, "a run of some seconds shows how far it is")
            for bar in bars:
                self.assertLess(len(bar), columns, bar)
        self.assertTrue(any(len(bar) >= 60 for bar in self.bars(200)), "a control: it has more to say")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
