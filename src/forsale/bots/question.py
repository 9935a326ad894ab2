"""A question as a program is asked it, line by line: see docs/bot-protocol.md."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache

from forsale.editions import Rules
from forsale.game import Action, Event, Phase
from forsale.record.model import action_text
from forsale.view import Earlier, View

VERSION = 1
"""Of the protocol. It grows by new lines and new fields; anything else is a new version."""

# Histories are written event by event; the rest is known only when nobody is asked any more.
_FIELDS = tuple(field.name for field in fields(View) if field.name not in ("history", "outcome", "decks", "earlier"))


def question_text(number: int, view: View, legal: Sequence[Action], milliseconds: int, seed: int) -> str:
    """All that a bot needs for one decision: it need not remember anything of an earlier question."""
    return (
        f"view {view_text(view)}\n"
        f"legal {' '.join(map(action_text, legal))}\n"
        f"time {milliseconds}\n"
        f"seed {seed}\n"
        f"choose {number}\n"
    )


def view_text(view: View) -> str:
    """A view as one JSON object: the names are those of `View`, events and pass terms those of docs/protocol.md.

    Where there were no earlier games, there is no `earlier`: the line is then as it was before there was that field.
    """
    known: dict[str, object] = {name: getattr(view, name) for name in _FIELDS}
    if view.pass_terms is not None:
        known["pass_terms"] = dict(zip(("house", "refund", "price"), view.pass_terms, strict=True))
    else:
        known["pass_terms"] = None
    earlier = f',"earlier":[{",".join(map(_earlier_text, view.earlier))}]' if view.earlier else ""
    return f'{_to_json(known)[:-1]},"history":{_history_text(view.history)}{earlier}}}'


def _earlier_text(game: Earlier) -> str:
    known = _to_json({"rules": game.rules, "seats": game.seats})
    return f'{known[:-1]},"history":{_history_text(game.history)}}}'


def _history_text(events: Sequence[Event]) -> str:
    return f"[{','.join(map(_event_text, events))}]"


@lru_cache(maxsize=2**14)  # most events of a game were in the question before, and are in that of another seat
def _event_text(event: Event) -> str:
    kind = re.sub(r"\B([A-Z])", r"-\1", type(event).__name__).lower()
    return _to_json({"kind": kind} | {field.name: getattr(event, field.name) for field in fields(event)})


def _to_json(thing: object) -> str:
    return json.dumps(thing, default=_plain, separators=(",", ":"))


def _plain(thing: Phase | frozenset[int] | Rules) -> object:
    """For what JSON has no form of its own."""
    match thing:
        case Phase():
            return thing.value
        case frozenset():
            return sorted(thing)
        case _:
            return {field.name: getattr(thing, field.name) for field in fields(thing)}
