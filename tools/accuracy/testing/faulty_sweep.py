#!/usr/bin/env python3
"""A stand-in for the command upcast, for a control: each sweep of `upcast sweep --batch` ends in a fault, which is no refusal of a side."""

import json
import sys

if "--list" in sys.argv:
    print(json.dumps([{"op": "sinc", "numbers": "real numbers", "operands": 1, "source": "a stub",
                       "attributes": "", "slow": False, "why_never": "", "why_no_sample": ""}]))
else:
    for _ in sys.stdin:
        print(json.dumps({"error": "type must be number, but is null"}))
