#!/usr/bin/env python3
"""Damages run stores, and asks every command that reads them what they hold.

A command may refuse the store (exit code 2, one line), or give the result of the undamaged one. A signal, more than
10 seconds, several lines or another result is a fault.

With --forge the digests are made anew after each edit, as a forger can: the results then differ. That is the control
that this program finds what the digests find, and signals and hangs are faults there too.

usage: store_mutations_test.py UPCAST [--count N] [--seed S] [--forge]
"""
import argparse
import collections
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile

HANG = 10  # seconds
CASES = ["add(int8[2], 5.5)", "mul(bool[3], bool[3])", "exp(float32[4])", "neg(bool[2])", "div(int32[2], int32[2])"]
TABLES = {
    "grid_row": "id, op, family, schema, form, default_dtype, first, count, template, axes",
    "known": "id, name, class, selector, oracle_answer, kind, versions, reason, link, case_line, found, wrong, python, "
             "witness",
}
BLOCK = "id, first, count, values_judged, matched, columns"
RECORD = "case_index, line, verdict, known, subject, oracle, signature"


class Xxh64:
    """The hash XXH64 over rows of a store, as docs/run_store.md describes it. It is written from the specification, not from our code."""
    MASK = (1 << 64) - 1
    P = (0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5)

    def __init__(self):
        self.bytes = bytearray()

    def row(self, values):
        for value in values:
            if isinstance(value, int):
                self.bytes += b"i" + (value & self.MASK).to_bytes(8, "little")
                continue
            if isinstance(value, float):  # has no digest: no column holds one
                value = str(value)
            raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value or b"")
            self.bytes += (b"t" if isinstance(value, str) else b"b") + len(raw).to_bytes(8, "little") + raw
        return self

    def digest(self):
        def rotl(x, by):
            return (x << by | x >> 64 - by) & m

        def turn(acc, x):
            return rotl(acc + x * p[1] & m, 31) * p[0] & m

        data, m, p = self.bytes, self.MASK, self.P
        at = 0
        total = p[4]
        if len(data) >= 32:
            lanes = [p[0] + p[1] & m, p[1], 0, -p[0] & m]
            while at + 32 <= len(data):
                for i in range(4):
                    lanes[i] = turn(lanes[i], int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little"))
                at += 32
            total = sum(rotl(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & m
            for lane in lanes:
                total = ((total ^ turn(0, lane)) * p[0] + p[3]) & m
        total = total + len(data) & m
        while at + 8 <= len(data):
            total = (rotl(total ^ turn(0, int.from_bytes(data[at:at + 8], "little")), 27) * p[0] + p[3]) & m
            at += 8
        if at + 4 <= len(data):
            total = (rotl(total ^ int.from_bytes(data[at:at + 4], "little") * p[0] & m, 23) * p[1] + p[2]) & m
            at += 4
        for byte in data[at:]:
            total = rotl(total ^ byte * p[4] & m, 11) * p[0] & m
        total = (total ^ total >> 33) * p[1] & m
        total = (total ^ total >> 29) * p[2] & m
        return total ^ total >> 32


def signed(number):
    return number - (1 << 64) if number >= 1 << 63 else number


def file_digest(base, blocks):
    """The value of the row `digest` in the table meta. `blocks`: the sum of the digests of all blocks."""
    plan = Xxh64()
    for table, columns in TABLES.items():
        for row in base.execute(f"SELECT {columns} FROM {table} ORDER BY id"):
            plan.row(row)
    whole = Xxh64()
    for row in base.execute("SELECT key, value FROM meta WHERE key <> 'digest' ORDER BY key"):
        whole.row(row)
    whole.bytes += plan.digest().to_bytes(8, "little") + blocks.to_bytes(8, "little")
    return f"{whole.digest():016x}"


def forge(path):
    """Computes all digests of a store anew and writes them, so that they fit its changed contents."""
    with sqlite3.connect(path) as base:
        total = 0
        for row in base.execute(f"SELECT {BLOCK} FROM block ORDER BY id").fetchall():
            digest = Xxh64().row(row)
            for record in base.execute(f"SELECT {RECORD} FROM record WHERE case_index >= ? AND case_index < ? + ? "
                                       "ORDER BY case_index", (row[1], row[1], row[2])):
                digest.row(record)
            total += digest.digest()
            base.execute("UPDATE block SET digest = ? WHERE id = ?", (signed(digest.digest()), row[0]))
        base.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (file_digest(base, total & Xxh64.MASK),))
    base.close()


# Changes of a store. Each function damages the file at `path` in its own way; `r` is the source of random numbers.

def flip(path, r):
    data = bytearray(path.read_bytes())
    for _ in range(r.choice((1, 1, 2, 8))):
        at = r.randrange(len(data)) if r.random() < 0.8 else r.randrange(100)
        data[at] ^= 1 << r.randrange(8)
    path.write_bytes(data)


def overwrite(path, r):
    data = bytearray(path.read_bytes())
    at, size = r.randrange(len(data)), r.randrange(1, 5000)
    data[at:at + size] = r.choice((bytes(size), r.randbytes(size)))[:len(data) - at]
    path.write_bytes(data)


def truncate(path, r):
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.truncate(r.choice((r.randrange(size), r.randrange(size // 4096) * 4096, size + 4096 * r.randrange(1, 9))))


def swap_pages(path, r):
    data = bytearray(path.read_bytes())
    a, b = (4096 * r.randrange(len(data) // 4096) for _ in range(2))
    first, second = data[a:a + 4096], data[b:b + 4096]
    data[b:b + 4096] = first
    if r.random() < 0.7:
        data[a:a + 4096] = second
    path.write_bytes(data)


def leave_next_to_it(path, r):
    """Writes a log or journal of SQLite next to the store, as if another process had left it."""
    kind = r.choice(("-wal", "-journal", "-shm"))
    heads = {"-wal": bytes.fromhex("377f0682002de218"), "-shm": bytes.fromhex("18e22d0018e22d00"),
             "-journal": bytes.fromhex("d9d505f920a163d7ffffffff")}
    size = r.choice((0, 20, 600, 5000, 40000))
    body = r.choice((r.randbytes(size), path.read_bytes()[:size]))
    tail = r.choice((b"", b"/nowhere/at/all" + bytes.fromhex("d9d505f920a163d7")))
    path.with_name(path.name + kind).write_bytes(heads[kind] + body + tail)
    if kind != "-journal":  # a file of a write-ahead log says so in its header
        data = bytearray(path.read_bytes())
        data[18:20] = b"\x02\x02"
        path.write_bytes(data)


VALUES = (0, -1, 1, 7, 255, 2**31, 2**63 - 1, -2**63, 1e308, "", "x", "[[1,1]]", "[[1,99999999999]]", b"", b"\x00\xff",
          "{", "[" * 5000, "\x1b[2J", "\u202e", "9" * 400, "add(int8[1], int8[1])", '{"code":"agree"}', "1/1000000000")


def edit(path, r):
    """Changes a value by SQL, so that the file stays sound as a database."""
    base = sqlite3.connect(path)
    table = r.choice(("meta", "grid_row", "known", "block", "block", "record", "record"))
    columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
    key, column = columns[0], r.choice(columns)
    keys = [row[0] for row in base.execute(f"SELECT {key} FROM {table}")]
    one, other = (r.choice(keys) if keys else 0 for _ in range(2))
    how = r.random()
    try:
        if how < 0.45:
            base.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (r.choice(VALUES), one))
        elif how < 0.65:
            base.execute(f"UPDATE {table} SET {column} = (SELECT {column} FROM {table} WHERE {key} = ?) WHERE {key} = ?",
                         (other, one))
        elif how < 0.75:
            base.execute(f"UPDATE {table} SET {column} = {column} + 1 WHERE typeof({column}) = 'integer' AND {key} = ?",
                         (one,))
        elif how < 0.85:
            base.execute(f"DELETE FROM {table} WHERE {key} = ?", (one,))
        elif how < 0.9:
            base.execute(f"DELETE FROM {table}")
        elif table == "block":  # a block in the place of another
            rest = ", ".join(columns[3:])
            base.execute(f"UPDATE block SET ({rest}) = (SELECT {rest} FROM block WHERE id = ?) WHERE id = ?", (other, one))
        else:
            base.execute(f"INSERT INTO {table} VALUES({', '.join('?' * len(columns))})",
                         [r.choice(VALUES) for _ in columns])
        base.commit()
    except (sqlite3.Error, OverflowError):
        base.rollback()  # SQLite refuses some values for some columns
    base.close()


def null(path, r):
    """Writes NULL into a column that must not be NULL. Removes the column's constraint for that, and puts it back."""
    base = sqlite3.connect(path)
    table = r.choice(("grid_row", "known", "block", "record"))
    column = r.choice([row[1] for row in base.execute(f"PRAGMA table_info({table})")][1:])
    sql = base.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    change = "UPDATE sqlite_master SET sql = ? WHERE name = ?"
    base.execute("PRAGMA writable_schema = ON")
    base.execute(change, (sql.replace(" NOT NULL", ""), table))
    base.commit()
    base.close()
    base = sqlite3.connect(path)
    base.execute(f"UPDATE {table} SET {column} = NULL")
    base.execute("PRAGMA writable_schema = ON")
    base.execute(change, (sql, table))
    base.commit()
    base.close()


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT "


def change_schema(path, r):
    base = sqlite3.connect(path)
    table = r.choice(("meta", "grid_row", "known", "block", "record"))
    names = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
    base.executescript(r.choice((
        f"DROP TABLE {table}; CREATE VIEW {table} AS {ENDLESS}" + ", ".join(f"x AS {name}" for name in names) + " FROM n",
        f"ALTER TABLE {table} RENAME TO kept; CREATE VIEW {table} AS SELECT * FROM kept",
        f"CREATE VIEW more AS {ENDLESS} x FROM n",
        f"CREATE TRIGGER more AFTER INSERT ON {table} BEGIN DELETE FROM record; END",
        f"CREATE INDEX more ON {table}({names[-1]})",
        f"ALTER TABLE {table} ADD COLUMN more AS (length({names[-1]}))",
        f"ALTER TABLE {table} ADD COLUMN more TEXT",
        f"ALTER TABLE {table} DROP COLUMN {names[-1]}",
        f"DROP TABLE {table}",
        "CREATE TABLE more(x)",
        "CREATE VIRTUAL TABLE more USING fts5(x)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 7",
        "PRAGMA journal_mode = WAL",
        "VACUUM",
    )))
    base.close()


MUTATIONS = (flip, flip, overwrite, truncate, swap_pages, leave_next_to_it, edit, edit, edit, null, change_schema)


# Commands that read run stores.

class Reader:
    def __init__(self, name, store, arguments, outputs=()):
        self.name, self.store, self.arguments, self.outputs = name, store, arguments, outputs


class Stores:
    """Makes undamaged stores, and runs commands on damaged copies of them. Every copy is called damaged.db."""

    def __init__(self, upcast, folder):
        self.upcast, self.folder = upcast, folder
        self.damaged = folder / "damaged.db"
        books = ["run", "--grid", "rulebooks", "--subject", "rulebook:jax-strict", "--block", "256"]
        self.readers = []
        self.make("books.db", books, {3})
        self.read("books.db", books)
        for shard in ("1/2", "2/2"):
            self.make(f"books{shard[0]}.db", books + ["--shard", shard], {3})
        self.read("books1.db", books + ["--shard", "1/2"])
        self.call(["merge", "books1.db", "-o", "half.db"])  # half.db is the store of an incomplete run
        self.read("half.db", books)
        self.readers.append(Reader("merge", "books1.db", ["merge", "damaged.db", "books2.db", "-o", "merged.db"]))
        (folder / "some.cases").write_text("\n".join(CASES) + "\n")
        cases = ["run", "--cases", "some.cases", "--block", "2"]
        done = self.call(cases + ["--out", "cases.db"], timeout=120)
        if done.returncode in (0, 1, 3):  # else there is no LibTorch
            self.read("cases.db", None)
        self.wanted = {reader: self.result(reader, folder / reader.store) for reader in self.readers}
        for reader, (done, _) in self.wanted.items():
            assert done.returncode in (0, 1, 3), f"{reader.name} of {reader.store}: {done.stderr.decode()}"

    def call(self, arguments, timeout=HANG):
        return subprocess.run([self.upcast, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=timeout, check=False)

    def make(self, name, arguments, codes):
        done = self.call(arguments + ["--out", name], timeout=120)
        assert done.returncode in {0, 1} | codes, f"{arguments}: {done.stderr.decode()}"

    def read(self, store, run):
        outputs = ("badge", "csv", "junit", "ctrf", "sarif", "step-summary", "ndjson")
        self.readers += [
            Reader("report", store, ["report", "damaged.db"] + [word for each in outputs
                                                                for word in (f"--{each}", f"out.{each}")],
                   [f"out.{each}" for each in outputs]),
            Reader("page", store, ["report", "damaged.db", "-o", "out.html"], ["out.html"]),
            Reader("old", store, ["diff", "damaged.db", store, "--json", "-"]),
            Reader("new", store, ["diff", store, "damaged.db", "--json", "-"]),
        ]
        if run:
            self.readers.append(Reader("run", store, run + ["--out", "damaged.db"]))
            self.readers.append(Reader("baseline", store, run + ["--baseline", "damaged.db"]))

    def clear(self):
        for name in ["merged.db", *(output for reader in self.readers for output in reader.outputs)]:
            (self.folder / name).unlink(missing_ok=True)
        for suffix in ("", "-wal", "-journal", "-shm"):
            (self.folder / ("damaged.db" + suffix)).unlink(missing_ok=True)

    def result(self, reader, store, damage=None):
        """Runs a reading command on a copy of the store, damaged by `damage`. Returns its exit code and all that it wrote, without times."""
        self.clear()
        shutil.copy(store, self.damaged)
        if damage:
            damage(self.damaged)
        done = self.call(reader.arguments)
        files = [(self.folder / name).read_bytes() for name in reader.outputs if (self.folder / name).exists()]
        printed = b"\0".join([done.stdout, *files])
        if reader.name in ("run", "baseline"):
            printed = re.sub(rb"(?m)^  time .*$", b"", printed)
        return done, printed


def fault_of(stores, reader, damage, believed):
    try:
        done, printed = stores.result(reader, stores.folder / reader.store, damage)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode < 0 or done.returncode > 3:
        return f"ends with {done.returncode}: {done.stderr[-300:]!r}"
    wanted, wanted_printed = stores.wanted[reader]
    if done.returncode == 2:
        line = done.stderr.rstrip(b"\n")
        return "" if line and b"\n" not in line and b"\x1b" not in line else f"refuses in these lines: {line!r}"
    if done.returncode == wanted.returncode and printed == wanted_printed:
        return ""
    believed[reader.name] += 1
    return f"exit {done.returncode}, and another result"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("upcast", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=26)
    parser.add_argument("--forge", action="store_true")
    options = parser.parse_args()
    r = random.Random(options.seed)
    faults, believed, refused, asked = [], collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        stores = Stores(options.upcast, pathlib.Path(folder))
        for number in range(options.count):
            mutation = edit if options.forge else r.choice(MUTATIONS)
            reader, seed = stores.readers[number % len(stores.readers)], r.random()

            def damage(path, mutation=mutation, seed=seed):
                mutation(path, random.Random(seed))
                if options.forge:
                    forge(path)

            asked[reader.name] += 1
            before = sum(believed.values())
            fault = fault_of(stores, reader, damage, believed)
            if fault and not (options.forge and sum(believed.values()) > before):
                faults.append(f"{number}: {mutation.__name__} of {reader.store}, {reader.name}: {fault}")
                print(faults[-1], flush=True)
            refused[mutation.__name__] += not fault
    print(f"{options.count} mutations: {dict(asked)}; {len(faults)} faults; another result believed: {dict(believed)}")
    if options.forge and not believed:
        raise SystemExit("the control found no other result")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
