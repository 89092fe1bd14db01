"""A process that is right except for one fault, at items whose op is `sub`: broken.py DEED. It speaks the protocol by hand,
so that it can break it. Every answer is a float32[1] of the first operand's bits."""

import json
import os
import signal
import sys
import time

DEED = sys.argv[1]


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def hang():
    while True:
        time.sleep(1)


def answer(request, item):
    storage = request["operands"][item["args"][0]]["tensor"]["storage"]
    return {"id": item["id"], "ok": [{"dtype": "float32", "shape": [1], "strides": [1],
                                      "hex": request["storages"][storage]["hex"]}]}


def close_output():
    os.close(1)
    hang()


def one_gigabyte():
    piece = "00" * (1 << 20)
    say('{"seq":1,"answers":[{"id":0,"ok":[{"hex":"')
    for _ in range(512):
        say(piece)


def a_byte_a_second():
    while True:
        say(" ")
        time.sleep(1)


def become_a_daemon():
    """Ends this process but leaves a child, which goes on with the same input and output."""
    if os.fork() > 0:
        os._exit(0)
    os.setsid()
    time.sleep(1)


def ignore_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    hang()


def flood_errors():
    while True:
        os.write(2, b"x" * (1 << 16))


def grow():
    hoard = []
    while True:
        hoard.append(bytearray(b"x") * (16 << 20))


PROCESS_DEEDS = {
    "a-byte-a-second": a_byte_a_second,
    "become-a-daemon": become_a_daemon,
    "ignore-signals": ignore_signals,
    "flood-errors": flood_errors,
    "huge-array": lambda: bytearray(1 << 44),
    "grow": grow,
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "abort": lambda: (print("first\nthe reason of the abort", file=sys.stderr, flush=True), os.abort()),
    "exit": lambda: os._exit(3),
    "exit-0": lambda: os._exit(0),
    "hang": hang,
    "garbage": lambda: say("a library prints on standard output\n"),
    "json-garbage": lambda: say('{"progress": 50}\n'),
    "partial-line": lambda: (say('{"seq":'), hang()),
    "partial-exit": lambda: (say('{"seq":'), os._exit(4)),
    "close-output": close_output,
    "one-gigabyte": one_gigabyte,
}
RESULT_DEEDS = {
    "wrong-dtype": {"dtype": "float64", "hex": "00" * 8},
    "no-dtype": {"dtype": "floot32"},
    "dtype-without-ops": {"dtype": "qint8", "hex": "00"},
    "wrong-shape": {"shape": [7]},
    "negative-shape": {"shape": [-1]},
    "huge-shape": {"shape": [1 << 39, 1 << 39]},
    "shape-is-text": {"shape": "[1]"},
    "wrong-strides": {"strides": [1, 1]},
    "odd-hex": {"hex": "000000"},
    "no-hex": {"hex": "zz000000"},
    "outside": {"at": 1 << 60},
}
ITEM_DEEDS = {
    "null": {"ok": None},
    "no-results": {"ok": []},
    "null-result": {"ok": [None]},
    "nothing": {},
    "errored": {"errored": {"text": "KeyError: 'sub'"}},
    "refused": {"refused": {"text": "I refuse", "class": "promotion"}},
    "skipped": {"skipped": {"why": "no such op"}},
    "skipped-without-why": {"skipped": {}},
}


def item_answer(request, item):
    told = answer(request, item)
    if request["calls"][item["call"]]["op"] != "sub":
        return told
    if DEED in PROCESS_DEEDS:
        PROCESS_DEEDS[DEED]()
    if DEED in RESULT_DEEDS:
        told["ok"][0].update(RESULT_DEEDS[DEED])
        if DEED == "outside":
            del told["ok"][0]["hex"]
    if DEED in ITEM_DEEDS:
        told = {"id": item["id"], **ITEM_DEEDS[DEED]}
    if DEED == "errored-for-memory":
        told = {"id": item["id"], "errored": {"text": "MemoryError: Unable to allocate 16.0 TiB"}}
    if DEED == "wrong-id":
        told["id"] += 1
    if DEED == "no-id":
        del told["id"]
    return told


def run(request):
    answers = [item_answer(request, item) for item in request["items"]]
    seq = request["seq"]
    if DEED == "wrong-seq" and any(call["op"] == "sub" for call in request["calls"]):
        seq += 1
    if DEED == "piecewise":  # allowed: several lines a request
        for told in answers:
            say(json.dumps({"seq": seq, "answers": [told]}) + "\n")
    else:
        text = json.dumps({"seq": seq, "answers": answers, "a field of tomorrow": 1}) + "\n"
        more = DEED == "answers-twice" and any(call["op"] == "sub" for call in request["calls"])
        say(2 * text if more else text)


def hello():
    if DEED == "dies-at-once":
        print("no licence found", file=sys.stderr)
        sys.exit(9)
    manifest = {"name": "broken", "version": "1", "dtypes": ["float32", "float64"], "a key of tomorrow": {}}
    manifest.update({"bad-manifest": {"dtypes": ["floot32"]}, "no-name": {"name": ""}}.get(DEED, {}))
    say({"not-json": "Welcome!\n", "no-proto": "{}\n",
         "wrong-proto": '{"proto": 99}\n'}.get(DEED, json.dumps({"proto": 1, "manifest": manifest}) + "\n"))


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "hello":
        hello()
    elif message["cmd"] == "run":
        run(message)
    elif message["cmd"] == "configure":
        say('{"ok": true}\n' if DEED != "configure-null" else "null\n")
    else:
        break
