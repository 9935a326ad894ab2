"""What is to be shown: one bot, the others at its table, and where."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from forsale import bots, editions
from forsale.bots.scripted import PERSONALITIES
from forsale.train.league import KEPT_OUT

CHAMPION, BLIND, PLANNER = "champion", "blind", "planner-50ms"
ANSWER, PAIR = "answer", "pair"
"""Nets that have learnt nothing but to beat the champion, alone at a table of it, or two together."""
MIXED, EACH, TABLES = "mixed", "each personality", "each personality, game after game"
"""Those at the table that are not copies of one bot."""

STRANGERS = tuple(name for name, one in PERSONALITIES.items() if one.traits.gap or one.traits.selling in KEPT_OUT)
"""Of families that are kept out of training."""
OTHERS = (*PERSONALITIES, *bots.LEVELS[: bots.LEVELS.index(CHAMPION)], "random")


_ASKED = ("lodger", "landlord", "broker", "random")
"""Those that are not compiled: their games take fifteen times as long, and fewer show enough."""


def _deals(other: str) -> int:
    return 60 if other in _ASKED else 400


class Combo(NamedTuple):
    """An edition, a number of seats, and its variant or none."""

    edition: str
    seats: int
    variant: str | None

    @property
    def title(self) -> str:
        """Without the seats, as a page has it."""
        return f"`{self.edition}`, {self.variant}" if self.variant else f"`{self.edition}`"


COMBOS = tuple(
    Combo(name, seats, variant)
    for name in editions.published()
    for variant in (None, *editions.load(name).variants)
    for seats in editions.load(name).seats
)
PLAIN = tuple(combo for combo in COMBOS if combo.variant is None)
HOME = Combo(editions.DEFAULT, 4, None)


class Case(NamedTuple):
    """One bot and those it meets, on so many deals."""

    part: str
    combo: Combo
    one: str
    others: str
    """Copies of a bot, `MIXED`, `EACH` or `TABLES`."""
    deals: int

    @property
    def fair(self) -> float:
        return (2 if self.one == PAIR else 1) / self.combo.seats

    @property
    def what(self) -> tuple[str, Combo, str, str]:
        """All but the deals: with more of them it is the same, known better."""
        return self[:4]


Part = Callable[[Sequence[str]], Iterator[Case]]
"""All its cases, given the names of the nets that there are beside the champion."""


def _copies(_: Sequence[str]) -> Iterator[Case]:
    for combo in COMBOS:
        for other in OTHERS:
            yield Case("copies", combo, CHAMPION, other, _deals(other))


def _mixed(_: Sequence[str]) -> Iterator[Case]:
    for combo in COMBOS:
        yield Case("mixed", combo, CHAMPION, MIXED, 400)


def _field(_: Sequence[str]) -> Iterator[Case]:
    for combo in PLAIN:
        if combo.seats == HOME.seats or combo.edition == HOME.edition:
            for other in OTHERS:
                yield Case("field", combo, other, CHAMPION, _deals(other))


def _planner(_: Sequence[str]) -> Iterator[Case]:
    """Few deals against planners: with five of them a game takes more than three seconds."""
    for combo in PLAIN:
        yield Case("planner", combo, PLANNER, CHAMPION, 120)
        yield Case("planner", combo, CHAMPION, PLANNER, 120)


def _history(nets: Sequence[str]) -> Iterator[Case]:
    yield Case("history", HOME, CHAMPION, EACH, 400)
    yield Case("history", HOME, CHAMPION, TABLES, 400)
    if BLIND in nets:
        yield Case("history", HOME, BLIND, EACH, 400)


def _seats(_: Sequence[str]) -> Iterator[Case]:
    for combo in COMBOS:
        yield Case("seats", combo, CHAMPION, CHAMPION, 4000)


def _seeds(nets: Sequence[str]) -> Iterator[Case]:
    """Each other seed's champion and the one that is shipped; and all of them against the same others."""
    names = [net for net in nets if net not in (CHAMPION, BLIND, ANSWER, PAIR)]
    for combo in PLAIN:
        for name in names:
            yield Case("seeds", combo, CHAMPION, name, 200)
            yield Case("seeds", combo, name, CHAMPION, 200)
    for name in (CHAMPION, *names) if names else ():
        yield from (Case("seeds", combo, name, MIXED, 400) for combo in COMBOS)
        four = [combo for combo in COMBOS if combo.seats == HOME.seats]
        yield from (Case("seeds", combo, name, other, 400) for combo in four for other in PERSONALITIES)


def _answers(nets: Sequence[str]) -> Iterator[Case]:
    for name in (ANSWER, PAIR):
        if name in nets:
            yield from (Case("answers", combo, name, CHAMPION, 200) for combo in COMBOS)


PARTS: Mapping[str, Part] = {
    "copies": _copies,
    "mixed": _mixed,
    "field": _field,
    "history": _history,
    "seats": _seats,
    "seeds": _seeds,
    "answers": _answers,
    "planner": _planner,
}
