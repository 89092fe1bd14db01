"""Copies inputs between a corpus of ClusterFuzz and the folder that campaigns share (upcast fuzz --exchange SHARED).

    corpora.py take SHARED CORPUS     # copies SHARED/inputs to CORPUS
    corpora.py give CORPUS SHARED     # copies CORPUS to SHARED/inputs

In SHARED an input is named after the SHA-1 of its content, and appears whole, by a rename: campaigns may run meanwhile.
Prints how many were new there."""
import hashlib
import os
import pathlib
import re
import socket
import sys

NAME = re.compile(r"[0-9a-f]{40}")
MOST_BYTES = 1 << 20  # upcast fuzz takes no larger input


def name_of(content):
    return hashlib.sha1(content).hexdigest()


def copy_into(folder, content):
    """Writes an input into a folder, under the hash of its content. Returns whether the folder lacked it."""
    target = folder / name_of(content)
    if target.exists():
        return False
    draft = folder / f".{target.name}.{socket.gethostname()}.{os.getpid()}"
    draft.write_bytes(content)
    draft.rename(target)
    return True


def copy_all(source, folder, choose):
    folder.mkdir(parents=True, exist_ok=True)
    new = 0
    for path in sorted(source.iterdir()):
        try:
            if choose(path) and path.stat().st_size <= MOST_BYTES:
                new += copy_into(folder, path.read_bytes())
        except FileNotFoundError:  # a campaign has pruned it meanwhile
            continue
    return new


def take(shared, corpus):
    return copy_all(shared / "inputs", corpus, lambda path: NAME.fullmatch(path.name))


def give(corpus, shared):
    return copy_all(corpus, shared / "inputs", lambda path: path.is_file() and not path.name.startswith("."))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("take", "give"):
        raise SystemExit(__doc__)
    print({"take": take, "give": give}[sys.argv[1]](pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
