"""The loop of a backend's process: reads requests from standard input, and writes answers to standard output."""

import json
import mmap
import os
import struct
import sys
import time
from json.encoder import encode_basestring_ascii as quoted

from upcast_protocol.backend import Refused, Skipped
from upcast_protocol.chain import Chain, Result

PROTO = 1
LARGE = 1024         # results of this many bytes or more go into shared memory
FLUSH_AFTER = 0.25   # seconds that an answer may wait for others before it is sent


def _number(given):
    (kind, value), = given.items()
    if kind == "int":
        return int(value)
    if kind == "float":
        return struct.unpack(">d", bytes.fromhex(value))[0]
    if kind == "complex":
        return complex(*(struct.unpack(">d", bytes.fromhex(part))[0] for part in value))
    return value  # bool


def one_line(why):
    """An exception as one line of text."""
    return " ".join(f"{type(why).__name__}: {why}".split())[:300]


class _Request:
    """The operands of one request. Each operand is made when a call first asks for it."""

    def __init__(self, message, backend, shared):
        self.backend, self.shared = backend, shared
        self.storages, self.operands = message["storages"], message["operands"]
        self.bytes = [None] * len(self.storages)
        self.buffers = {}
        self.made = [None] * len(self.operands)
        self.is_made = [False] * len(self.operands)

    def data(self, index):
        if self.bytes[index] is None:
            given = self.storages[index]
            self.bytes[index] = (bytes.fromhex(given["hex"]) if "hex" in given else
                                 bytes(self.shared[given["at"]:given["at"] + given["bytes"]]))
        return self.bytes[index]

    def tensor(self, given, buffers, data):
        """Makes an operand over the buffer of its storage. A storage has one buffer, so that a backend sees which
        operands share memory."""
        index, device = given["storage"], given.get("device")
        if (index, device) not in buffers:
            buffers[index, device] = self.backend.storage(data(index), device)
        return self.backend.tensor(given["dtype"], given["shape"], given["strides"], given.get("offset", 0),
                                   buffers[index, device], device)

    def operand(self, index):
        if not self.is_made[index]:
            given = self.operands[index]
            if "tensor" in given:
                value = self.tensor(given["tensor"], self.buffers, self.data)
            elif "number" in given:
                value = _number(given["number"])
            elif "dtype" in given:
                value = self.backend.dtype(given["dtype"])
            elif "undefined" in given:
                value = self.backend.undefined()
            elif "result" in given:
                value = Result(given["result"])
            else:
                value = given.get("text")  # the text of an attribute; None if the attribute is None
            self.made[index], self.is_made[index] = value, True
        return self.made[index]

    def fresh_operands(self, written):
        """A replacement for operand(), for a call that writes operands. It makes the written operands anew, and all
        operands that share a storage with them, so that later calls get them unchanged."""
        storages = {self.operands[i]["tensor"]["storage"] for i in written if "tensor" in self.operands[i]}
        buffers, made = {}, {}

        def operand(index):
            given = self.operands[index].get("tensor")
            if given is None or given["storage"] not in storages:
                return self.operand(index)
            if index not in made:
                made[index] = self.tensor(given, buffers, lambda storage: bytearray(self.data(storage)))
            return made[index]

        return operand


def written_by(item):
    """The numbers of the operands that a call writes."""
    writes = item.get("writes")
    return item.get("out", ()) if writes is None else (writes,)


class _Server:
    def __init__(self, backend, output, kept):
        self.backend, self.output, self.kept = backend, output, kept
        self.default_dtype = "float32"
        self.shared = None
        self.functions, self.prefixes = {}, {}
        self.room_at = self.room_end = 0

    def send(self, text):
        self.output.write(text.encode())
        self.output.write(b"\n")
        self.output.flush()

    def hello(self, message):
        if message.get("proto") != PROTO:
            return self.send(json.dumps({"proto": PROTO, "error": f"speaks version {PROTO} of the protocol, not "
                                                                  f"{message.get('proto')}"}))
        try:
            with open(message["shm"]["path"], "r+b") as file:
                self.shared = memoryview(mmap.mmap(file.fileno(), message["shm"]["bytes"]))
        except (OSError, KeyError, ValueError):
            pass  # without shared memory every tensor travels as text in a line
        backend = self.backend
        manifest = {"name": backend.name, "version": backend.version, "forms": list(backend.forms),
                    "devices": list(backend.devices)}
        for key, value in (("dtypes", backend.dtypes), ("ops", backend.ops())):
            if value is not None:
                manifest[key] = value
        hello = {"proto": PROTO, "manifest": manifest, "shm": self.shared is not None,
                 "versions": {"python": sys.version.split()[0], **backend.versions}}
        if backend.chains:
            hello["chains"] = backend.chains
        if backend.together is not None:
            hello["batch"] = backend.batch
        self.send(json.dumps(hello))

    def function(self, call):
        key = call["callable"]
        if key not in self.functions:
            self.functions[key] = self.backend.function(call["op"], call["callable"], call["form"])
        return self.functions[key]

    def tensor_text(self, value):
        key, data = self.backend.result(value)
        prefix = self.prefixes.get(key)
        if prefix is None:
            described = self.backend.describe(key)
            if isinstance(described, str):
                prefix = f'"dtype":"{described}"'
            else:
                dtype, shape, strides = described
                prefix = f'"dtype":"{dtype}","shape":{json.dumps(list(shape))}'
                if strides is not None:
                    prefix += f',"strides":{json.dumps(list(strides))}'
            self.prefixes[key] = prefix
        if data is None:
            return prefix + ',"values":false'
        if self.shared is not None and self.kept is None and len(data) >= LARGE and self.room_at + len(data) <= self.room_end:
            at = self.room_at
            self.shared[at:at + len(data)] = data
            self.room_at = at + (len(data) + 63) // 64 * 64
            return f'{prefix},"at":{at}'
        return f'{prefix},"hex":"{data.hex()}"'

    def asked(self, request, item, calls):
        """What one item of a request asks for: (function, args, named, out)."""
        if "before" in item:
            return self.asked_chain(request, [*item["before"], item], calls)
        outs = written_by(item)
        return self.asked_call(item, calls, request.fresh_operands(outs) if outs else request.operand)

    def asked_call(self, item, calls, operand):
        function, named = self.function(calls[item["call"]]), item.get("named")
        return (function, [operand(i) for i in item["args"]],
                {name: operand(i) for name, i in named.items()} if named else {}, [operand(i) for i in written_by(item)])

    def asked_chain(self, request, steps, calls):
        outs = [i for step in steps for i in written_by(step)]
        if any("result" in request.operands[i] for i in outs):  # which may be a view of any operand
            outs = [i for step in steps for i in [*step["args"], *step.get("named", {}).values(), *written_by(step)]]
        operand = request.fresh_operands(outs) if outs else request.operand
        chain = Chain([self.asked_call(step, calls, operand) for step in steps])
        return chain, chain.operands, {}, chain.written

    def ok_text(self, value):
        if type(value) is tuple:
            return '"ok":[' + ",".join("{" + self.tensor_text(each) + "}" for each in value) + "]"
        text = self.tensor_text(value)
        if '"shape"' not in text:
            return text.split(",")[0]  # the result is a dtype itself
        return '"ok":[{' + text + "}]"

    def told(self, value):
        """The text of the answer to an item. `value` makes the call; if it raises, the answer tells that."""
        try:
            return self.ok_text(value())
        except Skipped as why:
            return f'"skipped":{{"why":{quoted(str(why))}}}'
        except (Refused, *self.backend.refusals) as why:
            return f'"refused":{{"text":{quoted(one_line(why))}}}'
        except Exception as why:  # pylint: disable=broad-except
            return f'"errored":{{"text":{quoted(one_line(why))}}}'

    def each_told(self, request, items, calls):
        """Yields the answer to each item, in order. A backend that makes one graph of many calls is asked them all
        together."""
        def ask(item):
            return self.asked(request, item, calls)

        def called(item):
            function, args, named, out = ask(item)
            return function(args, named, out)

        if self.backend.together is None:
            for item in items:
                yield self.told(lambda item=item: called(item))
        else:
            for value in self.backend.together([lambda item=item: ask(item) for item in items]):
                yield self.told(value)

    def each_new_or_kept(self, request, items, calls):
        """Yields the answers as each_told() does, but takes those of an earlier run from the file of kept answers."""
        keys = [self.kept.key(request, item, calls[item["call"]], self.default_dtype) for item in items]
        texts = [self.kept.find(key) for key in keys]
        new = self.each_told(request, [item for item, text in zip(items, texts) if text is None], calls)
        for key, text in zip(keys, texts):
            if text is None:
                text = next(new)
                self.kept.keep(key, text)
            yield text

    def run(self, message):
        request = _Request(message, self.backend, self.shared)
        room = message.get("room", {"at": 0, "bytes": 0})
        self.room_at, self.room_end = room["at"], room["at"] + room["bytes"]
        items, answers = message["items"], []
        head = f'{{"seq":{message["seq"]},"answers":['
        flush_at = time.monotonic() + FLUSH_AFTER
        # A request with chains of calls neither uses nor adds kept answers.
        is_kept = self.kept is not None and not any("before" in item for item in items)
        each_told = self.each_new_or_kept if is_kept else self.each_told
        for item, told in zip(items, each_told(request, items, message["calls"])):
            answers.append(f'{{"id":{item["id"]},{told}}}')
            if time.monotonic() > flush_at:
                self.send(head + ",".join(answers) + "]}")
                answers.clear()
                flush_at = time.monotonic() + FLUSH_AFTER
        if self.kept is not None:
            self.kept.flush()
        if answers:
            self.send(head + ",".join(answers) + "]}")

    def handle(self, message):
        """Answers one message. Returns False after `stop`."""
        command = message.get("cmd")
        if command == "run":
            self.run(message)
        elif command == "hello":
            self.hello(message)
        elif command == "configure":
            self.default_dtype = message.get("default_dtype", "float32")
            taken = self.backend.set_default_dtype(self.default_dtype)
            self.send(json.dumps({"ok": bool(taken)} if taken else {"ok": False, "cannot": ["default_dtype"]}))
        elif command == "stop":
            return False
        else:
            self.send(json.dumps({"error": f"unknown command {command!r}"}))
        return True


def take_output():
    """Returns the stream for answers. Anything else that prints on standard output goes to standard error from now
    on."""
    output = os.fdopen(os.dup(1), "wb", buffering=1 << 20)
    os.dup2(2, 1)
    return output


def cannot_serve(why, output):
    """Writes the reason why the process cannot serve as its hello, in one line."""
    output.write(json.dumps({"proto": PROTO, "error": why}).encode() + b"\n")
    output.flush()


def serve(backend, output=None, kept=None):
    """Answers requests until one says stop, or the input ends. `output`: the stream of take_output(), if that was
    called already. `kept`: answers of earlier runs, which are not asked again."""
    server = _Server(backend, output or take_output(), kept)
    try:
        for line in sys.stdin.buffer:
            if not server.handle(json.loads(line)):
                break
    except BrokenPipeError:
        pass
    os._exit(0)  # ends at once, because frameworks are slow to shut down
