"""Play games between bots: one, or all those of some deals."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import NamedTuple

from forsale import game, record, shuffle, view
from forsale.arena.contest import ArenaError, Contest
from forsale.arena.lineups import LineUp, seating
from forsale.bots import Bot, Guarded
from forsale.game import Action, AuctionWon, Decks, Event, Passed, SaleResolved, State, apply, legal_actions
from forsale.record import Record
from forsale.view import View

HOUSE_SUMS = 4
"""For each house: how often it was bought, for how many coins in all, how often sold, for how much in all."""


def play_out(state: State, bots: Sequence[Bot], rngs: Sequence[Random]) -> State:
    """Play a game to its end, a bot in each seat. Each seat draws from its own `rng`, so that none disturbs another."""
    while to_act := state.to_act:
        for seat in sorted(to_act):
            choice = bots[seat].choose(view.of(state, seat), legal_actions(state, seat), rngs[seat])
            state, _ = apply(state, seat, choice)
    return state


def secret_of(purpose: str, seed: int, number: int) -> bytes:
    """What a deal follows from, by the fair shuffle: so that the games of one seed are the same again."""
    return hashlib.sha256(f"forsale {purpose} {seed} {number}".encode()).digest()


def chance(secret: bytes, names: Sequence[str]) -> list[Random]:
    """By seat, for a deal and who sits where: so that a game does not depend on what else is played."""
    return [Random(f"{secret.hex()} {','.join(names)} {seat}") for seat in range(len(names))]


def written(end: State, names: Sequence[str], secret: bytes, table: str) -> Record:
    """The record of a game between bots, with all that `forsale verify` asks for."""
    # A record joins names by | and puts them between quotation marks; the command of a bot may have both.
    plain = [name.replace("|", "!").replace('"', "'") for name in names]
    tags = {
        "Table": table,
        "Bots": "|".join(plain),
        "Commitment": shuffle.commitment(secret),
        "Secret": secret.hex(),
    }
    return record.from_position(end, [f"{name} {game.seat_letter(seat)}" for seat, name in enumerate(plain)], tags)


@dataclass(frozen=True, slots=True)
class Chunk:
    """All that is kept of some deals: what each seat of each game came to, and sums over the games for each bot.

    Seats stand in the order of deals, line-ups, rotations and seats: who sat where follows from the contest.
    """

    start: int
    """The number of its first deal."""
    deals: int
    scores: list[int]
    coins: list[int]
    decisions: list[int]
    houses: list[list[int]]
    """By bot: `HOUSE_SUMS` numbers for each house of the box, ascending."""
    seconds: list[float]
    """By bot: how long it thought. All the rest follows from the contest; this does not."""
    faults: dict[str, int] = field(default_factory=dict)
    """By name, of bots that had any: how many of their decisions were played by default."""


class Played(NamedTuple):
    """A finished game: its deal, line-up and rotation, and how it went."""

    deal: int
    line_up: int
    rotation: int
    names: tuple[str, ...]
    secret: bytes
    end: State


class Player:
    """Plays deals of a contest. A bot may sit in several seats at once."""

    def __init__(self, contest: Contest, bots: Sequence[Bot], keep: Callable[[Played], None] | None = None) -> None:
        """`bots` are those that the contest names; `keep` is given every finished game."""
        from forsale.arena import scripted  # with numpy, which takes a while, and which few commands need

        self._contest = contest
        self._bots = bots
        self._keep = keep
        self._house = {house: index for index, house in enumerate(contest.rules.houses)}
        self._chance = scripted.chance if scripted.traits_of(bots) else chance

    def play(self, start: int, deals: int) -> Chunk:
        """Every game of so many deals."""
        contest = self._contest
        houses = [[0] * HOUSE_SUMS * len(self._house) for _ in contest.bots]
        chunk = Chunk(start, deals, [], [], [], houses, [0.0] * len(contest.bots))
        before = self._faults()
        for number in range(start, start + deals):
            key = secret_of("arena", contest.seed, number)
            deal = shuffle.fair_deal(contest.loaded, contest.seats, key, variant=contest.variant)
            for index, line_up in enumerate(contest.line_ups):
                for rotation in range(contest.seats):
                    seated = seating(line_up, number, rotation)
                    names = tuple(contest.bots[bot] for bot in seated)
                    end = self._play(deal.decks, deal.first, seated, self._chance(key, names), chunk)
                    if self._keep is not None:
                        self._keep(Played(number, index, rotation, names, key, end))
        chunk.faults.update(self._faults() - before)
        return chunk

    def _faults(self) -> Counter[str]:
        """So far, as far as the bots are guarded."""
        named = zip(self._contest.bots, self._bots, strict=True)
        return Counter({name: bot.faults.total() for name, bot in named if isinstance(bot, Guarded)})

    def _play(self, decks: Decks, first: int, seated: LineUp, rngs: Sequence[Random], chunk: Chunk) -> State:
        contest = self._contest
        watched = [_Watched(contest.bots[bot], self._bots[bot]) for bot in seated]
        state = game.new_game(contest.loaded, contest.seats, decks, first, contest.variant)
        end = play_out(state, watched, rngs)
        result = game.outcome(end)
        assert result is not None
        chunk.scores.extend(result.scores)
        chunk.coins.extend(result.coins)
        for bot, seat in zip(seated, watched, strict=True):
            chunk.decisions.append(seat.decisions)
            chunk.seconds[bot] += seat.seconds
        for seat_, house, column, amount in _trades(end.history):
            sums, place = chunk.houses[seated[seat_]], HOUSE_SUMS * self._house[house] + column
            sums[place] += 1
            sums[place + 1] += amount
        return end


@dataclass(slots=True)
class _Watched:
    """A bot in a seat, and how long it thought there. What it breaks is told in one sentence, with its name."""

    name: str
    bot: Bot
    decisions: int = 0
    seconds: float = 0.0

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        began = perf_counter()
        try:
            choice = self.bot.choose(view, legal, rng)
        except (Exception, SystemExit) as error:  # one that calls sys.exit() has not chosen either
            raise ArenaError(f"the bot {self.name!r} broke: {type(error).__name__}: {error}") from error
        self.seconds += perf_counter() - began
        self.decisions += 1
        if choice not in legal:
            raise ArenaError(f"the bot {self.name!r} chose {choice!r}, which is not legal")
        return choice


def _trades(history: Sequence[Event]) -> Iterator[tuple[int, int, int, int]]:
    """Seat, house, 0 if bought or 2 if sold, and for how much."""
    for event in history:
        match event:
            case Passed(seat, int(house), _, price) | AuctionWon(seat, house, price):
                yield seat, house, 0, price
            case SaleResolved(_, houses, cheques):
                for seat, sold in enumerate(houses):
                    if len(sold) == 1:  # with the variant, the last seat sells all its houses for all the cheques
                        yield seat, sold[0], 2, cheques[seat][0]
            case _:
                pass
