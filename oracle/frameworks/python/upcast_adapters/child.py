"""Work in a forked child, so that what crashes, hangs or fills memory or disk ends that piece of work alone."""

import os
import pickle
import resource
import select
import signal
import struct
import time
import traceback

# The limit of a child's memory, in bytes of data. Not of address space: a compiler reserves far more than it uses.
MEMORY = 12 << 30
FILES = 1 << 30    # the limit of a file that a child writes, in bytes


class Ended(Exception):
    """Raised when the child has ended; the text says why."""


def _limited():
    for what, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_FSIZE, FILES), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _read(pipe, size, until):
    data = b""
    while len(data) < size:
        ready, _, _ = select.select([pipe], [], [], max(0, until - time.monotonic()))
        if not ready:
            raise TimeoutError
        part = os.read(pipe, size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def each_of(work, seconds):
    """Runs `work`, a generator, in a child, and yields what it yields. Raises Ended if the child dies, or is silent
    for `seconds`."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            os.setpgid(0, 0)
            _limited()
            for value in work():
                data = pickle.dumps(value)
                data = struct.pack("<Q", len(data)) + data
                while data:
                    data = data[os.write(write_end, data):]
            os._exit(0)
        except BaseException:  # noqa: BLE001: it is this child that ends
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(write_end)
    why, asked_to_end = None, False
    try:
        while True:
            until = time.monotonic() + seconds
            (size,) = struct.unpack("<Q", _read(read_end, 8, until))
            yield pickle.loads(_read(read_end, size, until))
    except EOFError:
        pass
    except TimeoutError:
        asked_to_end, why = True, f"silent for {seconds} s"
    finally:
        os.close(read_end)
        for target in (os.kill, os.killpg):
            try:
                target(child, signal.SIGKILL) if asked_to_end or target is os.killpg else None
            except OSError:
                pass
        _, status = os.waitpid(child, 0)
    if why is None and os.WIFSIGNALED(status):
        why = f"killed by signal {os.WTERMSIG(status)}"
    elif why is None and status != 0:
        why = "ended by itself"
    if why is not None:
        raise Ended(why)
