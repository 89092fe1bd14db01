"""Tells how much of a run is stored, while a task may still be writing the store."""
import contextlib
import sqlite3


def stored(path):
    """(how many cases a run store has, whether it is complete)."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            cases = database.execute("SELECT coalesce(sum(count), 0) FROM block").fetchone()[0]
            complete = database.execute("SELECT value FROM meta WHERE key = 'complete'").fetchone()
            return cases, bool(complete and complete[0] == "1")
    except sqlite3.OperationalError:  # it is not there yet, or has no tables yet
        return 0, False


def is_in_the_middle(path):
    cases, complete = stored(path)
    return cases > 0 and not complete
