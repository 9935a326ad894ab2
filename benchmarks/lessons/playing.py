"""Champions among themselves, at many tables at once, as they play at a table: each game is the first they have had
with each other."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion import habits, told
from forsale.bots.champion.net import Net, Told
from forsale.bots.scripted import Traits
from forsale.editions import Rules
from forsale.encoding import ACTIONS, BID, MAX_SEATS, PASS, SEAT_FIELDS, SLICES
from forsale.scalar import layout
from forsale.scalar.rows import rules_row
from forsale.train import cpu
from forsale.train.tables import LEFT, MODE, SELF, SETTINGS

Numbers: TypeAlias = NDArray[Any]

SEATS = SLICES["rules"].start
PHASE, NUMBER, _, _, _, HIGHEST, LEAST, CARDS = range(SLICES["moment"].start, SLICES["moment"].stop)
"""Where a row tells of the moment."""
TAKES, _, LOST, LEFT_OVER = range(SLICES["pass"].start, SLICES["pass"].stop)
"""Where it tells what a pass would do."""
COINS, STANDING = (SLICES["seats"].start + SEAT_FIELDS.index(name) for name in ("coins", "bid"))
"""Where it tells of the seat itself."""
HOUSES, MARKET = SLICES["houses"], SLICES["market"]
UNSEEN, OWN = 0, 2
"""Where a house is."""


class Turn(NamedTuple):
    """What was asked at many tables at once, and done."""

    tables: Numbers
    seats: Numbers
    rows: Numbers
    told: Told
    actions: Numbers

    def of(self, which: Numbers) -> "Turn":
        """Only those of some tables, which are chosen by a flag for each."""
        told = Told(*(part[which] for part in self.told))
        return Turn(self.tables[which], self.seats[which], self.rows[which], told, self.actions[which])

    @property
    def bidding(self) -> "Turn":
        return self.of(self.rows[:, PHASE] == layout.BUYING)

    @property
    def selling(self) -> "Turn":
        return self.of(self.rows[:, PHASE] == layout.SELLING)

    @property
    def free(self) -> "Turn":
        """Of auctions: where the seat could have bid."""
        return self.of(self.rows[:, LEAST] <= self.rows[:, COINS] + self.standing)

    @property
    def passes(self) -> Numbers:
        return np.equal(self.actions, PASS)

    @property
    def bids(self) -> Numbers:
        """How much was bid; nonsense for others."""
        return self.actions - BID

    @property
    def standing(self) -> Numbers:
        """What the seat had bid in this auction, 0 for nothing."""
        return np.maximum(self.rows[:, STANDING], 0)

    @property
    def number(self) -> Numbers:
        """Of the auction or the sale."""
        return self.rows[:, NUMBER]

    @property
    def market(self) -> Numbers:
        return self.rows[:, MARKET]

    @property
    def cards(self) -> Numbers:
        """How many there are in the market."""
        return self.rows[:, CARDS]

    @property
    def hands(self) -> Numbers:
        """A flag for each house: whether the seat holds it."""
        return np.equal(self.rows[:, HOUSES], OWN)


def are_starts(rows: Numbers) -> Numbers:
    """Where an auction begins: nobody has bid or passed."""
    starts: Numbers = (rows[:, PHASE] == layout.BUYING) & (rows[:, HIGHEST] < 0) & (rows[:, CARDS] == rows[:, SEATS])
    return starts


class Outcomes(NamedTuple):
    """How the games ended, by table and seat."""

    first: Numbers
    """The seat that opened the first auction."""
    shares: Numbers
    scores: Numbers


def play(
    net: Net,
    rules: Rules,
    games: int,
    seed: int,
    see: Iterable[Callable[[Turn], None]] = (),
    change: "Callable[[Tables], None]" = lambda _: None,
) -> Outcomes:
    """One game at each table. All that is asked and done is shown to those who want to `see` it; before anyone is
    asked, `change` may do something to the tables."""
    tables = Tables(rules, games, seed)
    rng = np.random.default_rng(seed)
    first = tables.to_act
    playing = np.arange(games)
    while len(playing):
        change(tables)
        rows = tables.rows[playing]
        told = net.tell(rows, tables.masks[playing])
        turn = Turn(playing, tables.to_act[playing], rows, told, _chosen(rows, told, rng))
        for look in see:
            look(turn)
        playing = playing[~tables.proceed(playing, turn.actions)]
    return Outcomes(first, tables.shares[:, : rules.seats], tables.scores[:, : rules.seats])


def _chosen(rows: Numbers, told: Told, rng: np.random.Generator) -> Numbers:
    """As at a table: the likeliest bid, and any house, each as often as the policy has it."""
    sales = (rows[:, PHASE] == layout.SELLING)[:, None]
    chosen: Numbers = np.argmax(told.logits + sales * rng.gumbel(size=told.logits.shape), axis=1)
    return chosen


class Tables:
    """Tables of training, with nobody but the net at them."""

    def __init__(self, rules: Rules, count: int, seed: int) -> None:
        def fields(length: int, kind: type[np.generic]) -> Numbers:
            return np.zeros((count, length), kind)

        self._states = fields(layout.LENGTH, np.int32)
        self._settings = fields(SETTINGS, np.int32)
        self._settings[:, MODE] = SELF
        self._decks = fields(layout.DECKS_LENGTH, np.int8)
        self._lying = (
            self._states,
            self._decks,
            rules_row(rules)[None],
            fields(habits.LENGTH, np.int32),
            self._settings,
            fields(MAX_SEATS, np.int8),
            fields(MAX_SEATS, np.int32),
            np.zeros((1, len(Traits._fields)), np.float32),
            np.uint64(seed),
        )
        self._done = np.zeros(count, np.bool_)
        self.shares, self.scores = fields(MAX_SEATS, np.float32), fields(MAX_SEATS, np.int16)
        self.rows, self.masks = fields(told.ROW, np.int16), fields(ACTIONS, np.bool_)
        cpu.begin_all(*self._lying)
        self._tell()

    @property
    def to_act(self) -> Numbers:
        return self._states[:, layout.TO_ACT].copy()

    def proceed(self, tables: Numbers, actions: Numbers) -> Numbers:
        """Play at some tables; the others stand still. Whether the game ended, for each of these."""
        everywhere = np.full(len(self._states), -1, np.int64)
        everywhere[tables] = actions
        self._settings[:, LEFT] = 1
        cpu.proceed_all(*self._lying, everywhere, self._done, self.shares, self.scores, self.rows, self.masks)
        return self._done[tables]

    def give(self, tables: Numbers, seats: Numbers, coins: int) -> None:
        """Put coins into a purse at each of some tables."""
        self._states[tables, layout.COINS + seats] += coins
        self._tell()

    def exchange(self, tables: Numbers, seats: Numbers, houses: Numbers, others: Numbers) -> None:
        """At each of some tables, a house in a hand for one that nobody has seen: each comes where the other was."""
        both = (1 << (houses - 1)) | (1 << (others - 1))
        self._states[tables, layout.HANDS + seats] ^= both
        self._states[tables, layout.HOUSES_SEEN] ^= both
        decks = self._decks[tables, layout.HOUSES : layout.CHEQUES]
        at, there = ((decks == (wanted - 1)[:, None]).argmax(axis=1) for wanted in (houses, others))
        self._decks[tables, layout.HOUSES + at] = others - 1
        self._decks[tables, layout.HOUSES + there] = houses - 1
        self._tell()

    def _tell(self) -> None:
        """Nothing is played; what the net is told becomes true again."""
        self.proceed(np.arange(0), np.arange(0))
