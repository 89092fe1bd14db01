"""How far a run store is that a task may be writing."""
import contextlib
import sqlite3


def stored(path):
    """(cases stored, whether the run says that it is complete)."""
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
