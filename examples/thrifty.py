#!/usr/bin/env python3
"""Thrifty, a bot in plain Python: it bids little, and sells its best house where the cheques are rich.

forsale simulate --bots "cmd:python3 examples/thrifty.py,broker,broker,broker"
"""

import json
import sys
from random import Random
from typing import Any


def choose(view: dict[str, Any], legal: list[str], rng: Random) -> str:
    if view["phase"] == "buying":
        cap = 2 + rng.randrange(2)
        return next((action for action in legal if action != "-" and int(action) <= cap), "-")
    unseen = [cheque for cheque in view["rules"]["cheques"] if cheque not in view["market"]]
    rich = max(view["market"]) > sum(unseen) / len(unseen)
    return legal[-1] if rich else legal[0]


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "forsale":
        print("ready 1 Thrifty", flush=True)
    elif word == "view":
        view = json.loads(rest)
    elif word == "legal":
        legal = rest.split()
    elif word == "seed":
        rng = Random(int(rest))
    elif word == "choose":
        print("play", rest, choose(view, legal, rng), flush=True)
    elif word == "quit":
        break
