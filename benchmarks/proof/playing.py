"""Play a case, and say what it came to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.lessons.writing import name_of
from benchmarks.proof.cases import ANSWER, BLIND, CHAMPION, COMBOS, EACH, MIXED, PAIR, TABLES, Case
from benchmarks.proof.side_by_side import ALWAYS, Habits, Player, play
from forsale import arena, bots
from forsale.arena import Contest
from forsale.arena.compiled import Deals
from forsale.arena.scripted import traits_of
from forsale.arena.seatings import Seatings, seatings
from forsale.arena.statistics import GROUPS, Bootstrap
from forsale.bots import Bot
from forsale.bots.champion import Champion
from forsale.bots.champion.net import WEIGHTS, Net
from forsale.bots.champion.weights import from_bytes
from forsale.bots.scripted import PERSONALITIES

GAMES = 4
"""At one table, one after the other: as many as a line-up stays in training."""

Floats = NDArray[np.float64]

_SURE = np.float32(1e4)
"""Odds are as if of so many times the difference: nothing is left to chance."""


class Figure(NamedTuple):
    """A value, and the ends of its interval, None where there are too few deals for one."""

    value: float
    low: float | None
    high: float | None


Figures = dict[str, Figure]

_DRAWN = Contest((CHAMPION, "others"), deals=1)
"""Whose seed the draws of all intervals come from."""


# --- Who plays -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cast:
    """Whoever is named: nets by the files of their weights, all others from the registry."""

    weights: Mapping[str, Path]

    def player(self, name: str) -> Player | None:
        """A net or traits; None for a bot that can only be asked."""
        if self.file(name):
            return self.net(name)
        traits = traits_of([bots.make(name)])
        return traits[0] if traits else None

    def bot(self, name: str) -> Bot:
        return Champion(self.net(name)) if self.file(name) else bots.make(name)

    def net(self, name: str) -> Net:
        file = self.file(name)
        assert file is not None
        return _net(file, name in (ANSWER, PAIR))

    def file(self, name: str) -> Path | None:
        """Of the weights, if it is a net."""
        own = Path(str(resources.files("forsale.bots.champion").joinpath(WEIGHTS)))
        return self.weights.get(name, own if name == CHAMPION else None)

    def digest(self, name: str) -> str | None:
        """A name for the weights of a net."""
        file = self.file(name)
        return None if file is None else _digest(file)


@cache
def _digest(file: Path) -> str:
    return name_of(file.read_bytes())


@cache
def _net(file: Path, sure: bool) -> Net:
    """A `sure` one always plays what seems best to it, houses too: who only answers need not fear to be foreseen."""
    tensors = dict(from_bytes(file.read_bytes()))
    if sure:
        tensors |= {name: _SURE * tensors[name] for name in ("act.weight", "act.bias") if name in tensors}
    return Net(tensors)


# --- What came of it -------------------------------------------------------------------------------------------------


def figures(case: Case, cast: Cast) -> Figures:
    """The win shares of the one bot: `share`, or by name where a case has several."""
    if case.part == "history":
        return _over_games(case, cast) if case.others == TABLES else _by_rounds(case, cast)
    if case.part == "seats":
        return _by_seat(case, cast)
    return {"share": estimate(shares(case, cast, 1, case.deals))}


def shares(case: Case, cast: Cast, start: int, deals: int) -> Floats:
    """What the one bot won on some of the deals, one by one."""
    line_ups = _mixed if case.others == MIXED else _pairs if case.one == PAIR else _against_copies
    contest, seated = line_ups(case)
    some = seated[start - 1 : start - 1 + deals]
    return _of_the_one(some, _wins(contest, start, some, cast))


def only_asked(case: Case, cast: Cast) -> bool:
    """Whether someone in it is neither a net nor compiled: then games are played one by one."""
    together = (MIXED, EACH, TABLES)
    return not all(cast.player(name) for name in (case.one, case.others) if name not in together)


def estimate(by_deal: Floats, gain: bool = False) -> Figure:
    """A mean over deals with the arena's interval; a gain may be negative, and 0 is nothing special for it."""
    groups: list[Counter[Any]] = [Counter() for _ in range(min(len(by_deal), GROUPS))]
    for place, value in enumerate(by_deal.tolist()):
        groups[place * len(groups) // len(by_deal)].update({("won",): value, ("deals",): 1})
    drawn = Bootstrap(groups, _DRAWN)
    found = drawn.mean(("won",), ("deals",)) if gain else drawn.share(("won",), ("deals",), 1)
    return Figure(found.value, found.low, found.high)


def win_shares(scores: NDArray[np.int32], coins: NDArray[np.int32]) -> Floats:
    """A game won, shared by those who tie; coins break ties, and nobody has a thousand."""
    keys = scores * 1000 + coins
    first = keys == keys.max(axis=-1, keepdims=True)
    shares: Floats = first / first.sum(axis=-1, keepdims=True)
    return shares


def _of_the_one(seated: Seatings, shares: Floats) -> Floats:
    """By deal: what the bot with the number 0 won, in all its seats together, on average over games."""
    by_deal: Floats = np.where(seated == 0, shares, 0).sum(axis=2).mean(axis=1)
    return by_deal


# --- Games -----------------------------------------------------------------------------------------------------------


def _contest(case: Case, names: Sequence[str]) -> Contest:
    """Each combination of edition, seats and variant has deals of its own, so that their results are independent."""
    edition, seats, variant = case.combo
    seed = 1 + COMBOS.index(case.combo)
    return Contest(tuple(names), case.deals, seats, edition, variant, "against-field", seed)


def _against_copies(case: Case) -> tuple[Contest, Seatings]:
    contest = _contest(case, (case.one, case.others))
    return contest, seatings(contest.line_ups, 1, case.deals)[:, 0]


def _pairs(case: Case) -> tuple[Contest, Seatings]:
    """Two of the one, in every two seats."""
    contest, seats = _contest(case, (case.one, case.others)), range(case.combo.seats)
    seated = np.array([[seat not in pair for seat in seats] for pair in combinations(seats, 2)], np.int32)
    return contest, np.repeat(seated[None], case.deals, axis=0)


def _mixed(case: Case) -> tuple[Contest, Seatings]:
    """Other personalities for each deal, in every rotation of the seats."""
    contest, seats = _contest(case, (case.one, *PERSONALITIES)), case.combo.seats
    line_ups = [
        [0, *Random(f"forsale proof {deal}").sample(range(1, len(contest.bots)), seats - 1)]
        for deal in range(case.deals)
    ]
    rotations = [np.roll(np.array(line_ups, np.int32), rotation, axis=1) for rotation in range(seats)]
    return contest, np.stack(rotations, axis=1)


def _wins(contest: Contest, start: int, seated: Seatings, cast: Cast) -> Floats:
    """By deal, game and seat: side by side where all can be, else one by one in the arena."""
    players = [cast.player(name) for name in contest.bots]
    if all(player is not None for player in players):
        played = play(contest, start, seated, [player for player in players if player is not None])
        return win_shares(played.scores, played.coins)
    spans = [(start, len(seated))]
    asked = arena.play(contest, spans, seated=lambda names: nullcontext([cast.bot(name) for name in names]))
    chunks = sorted(asked, key=lambda chunk: chunk.start)
    scores = np.array([score for chunk in chunks for score in chunk.scores], np.int32)
    coins = np.array([coin for chunk in chunks for coin in chunk.coins], np.int32)
    return win_shares(scores.reshape(seated.shape), coins.reshape(seated.shape))


def _watching(
    case: Case, cast: Cast, other: str, rounds: int = ALWAYS, start: int = 1, before: Habits | None = None
) -> tuple[Floats, Habits]:
    """What the one won by deal, and what it saw of the others, if it watches so many rounds."""
    contest, seated = _against_copies(case._replace(others=other))
    played = play(contest, start, seated, [cast.net(case.one), PERSONALITIES[other].traits], rounds, before)
    return _of_the_one(seated, win_shares(played.scores, played.coins)), played.habits


def _by_rounds(case: Case, cast: Cast) -> Figures:
    """After how many auctions it stops watching, and then the sales too; a blind one sees nothing from the start."""
    auctions = _contest(case, (case.one, case.others)).rules.auctions
    stops = {"0": 0} if case.one == BLIND else {str(stop): stop for stop in range(auctions + 1)} | {"all": ALWAYS}
    found: Figures = {}
    shares = {
        stop: {other: _watching(case, cast, other, rounds)[0] for other in PERSONALITIES}
        for stop, rounds in stops.items()
    }
    for stop, by_other in shares.items():
        found[stop] = estimate(_mean(by_other))
        found |= {f"{other} {stop}": estimate(share) for other, share in by_other.items()}
    if case.one == BLIND:
        seeing = {other: _watching(case._replace(one=CHAMPION), cast, other)[0] for other in PERSONALITIES}
        found["gain"] = estimate(_mean(seeing) - _mean(shares["0"]), gain=True)
        return found
    for stop, by_other in list(shares.items())[1:]:
        found[f"gain {stop}"] = estimate(_mean(by_other) - _mean(shares["0"]), gain=True)
    for other in PERSONALITIES:
        found[f"{other} gain"] = estimate(shares["all"][other] - shares["0"][other], gain=True)
    return found


def _over_games(case: Case, cast: Cast) -> Figures:
    """Games one after the other with the same line-up; and the same games as if each were the first."""
    carried: list[dict[str, Floats]] = [{} for _ in range(GAMES)]
    anew: list[dict[str, Floats]] = [{} for _ in range(GAMES)]
    for other in PERSONALITIES:
        before = None
        for game in range(GAMES):
            start = 1 + game * case.deals
            carried[game][other], before = _watching(case, cast, other, start=start, before=before)
            anew[game][other], _ = _watching(case, cast, other, start=start)
    found: Figures = {}
    for game in range(GAMES):
        found[str(game + 1)] = estimate(_mean(carried[game]))
        found[f"gain {game + 1}"] = estimate(_mean(carried[game]) - _mean(anew[game]), gain=True)
    return found


def _by_seat(case: Case, cast: Cast) -> Figures:
    """The seat that opens the first auction is `1`, the one after it `2`."""
    contest, seats = _contest(case, (CHAMPION, "others")), case.combo.seats
    played = play(contest, 1, np.zeros((case.deals, 1, seats), np.int32), [cast.net(CHAMPION)])
    shares = win_shares(played.scores, played.coins)[:, 0]
    firsts = Deals(contest, 1, case.deals).firsts
    return {str(place + 1): estimate(shares[np.arange(case.deals), (firsts + place) % seats]) for place in range(seats)}


def _mean(by_other: Mapping[str, Floats]) -> Floats:
    mean: Floats = np.mean(list(by_other.values()), axis=0)
    return mean
