"""Answers of an earlier run, kept in a file, so that a slow side is asked once. A run that only judges them takes seconds."""

import hashlib
import json
import sqlite3


class KeptAnswers:
    """A file of answers. The key of an answer is made of the versions of all software that takes part, the default
    dtype, the call, and the bits of its operands."""

    def __init__(self, file, versions):
        self.versions, self.new = json.dumps(versions, sort_keys=True), []
        self.file = sqlite3.connect(file, timeout=60, isolation_level=None)
        self.file.execute("create table if not exists answer (key blob primary key, text text not null) without rowid")

    def key(self, request, item, call, default_dtype):
        numbers = [*item["args"], *(item.get("named") or {}).values(), *item.get("out", ()), *([item["writes"]] if "writes" in item else [])]
        storages, operands = [], []
        for number in numbers:
            operand = request.operands[number]
            if "tensor" in operand:
                storage = operand["tensor"]["storage"]
                if storage not in storages:
                    storages.append(storage)
                operand = {**operand["tensor"], "storage": storages.index(storage)}
            operands.append(operand)
        at = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
        shape = {key: value for key, value in item.items() if key != "id"}
        shape = json.dumps([self.versions, default_dtype, call, sorted((item.get("named") or {})), len(item["args"]), sorted(shape),
                            [at[number] for number in numbers], operands], sort_keys=True)
        digest = hashlib.blake2b(shape.encode(), digest_size=16)
        for storage in storages:
            digest.update(hashlib.blake2b(request.data(storage), digest_size=16).digest())
        return digest.digest()

    def find(self, key):
        """The text of the answer that is kept for a key, or None if there is none."""
        found = self.file.execute("select text from answer where key = ?", (key,)).fetchone()
        return found and found[0]

    def keep(self, key, text):
        self.new.append((key, text))

    def flush(self):
        """Writes the answers that keep() was given to the file, in one short transaction: several processes share
        the file."""
        self.file.execute("begin immediate")
        self.file.executemany("insert or replace into answer values (?, ?)", self.new)
        self.file.execute("commit")
        self.new.clear()
