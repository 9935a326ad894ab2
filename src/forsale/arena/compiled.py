"""Games of scripted bots, compiled: the same chunks as `playing.Player` gives, thousands of times as fast."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forsale import shuffle
from forsale.arena.contest import ArenaError, Contest
from forsale.arena.playing import HOUSE_SUMS, Chunk, secret_of
from forsale.arena.scripted import number_of
from forsale.arena.seatings import seatings
from forsale.bots.scripted import Traits
from forsale.bots.scripted.policy import scripted
from forsale.encoding import HOUSE, PASS
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits, course, ending, legal
from forsale.scalar.layout import (
    BIDDING,
    CHEQUE_AMOUNTS,
    CHEQUES,
    CHOICES,
    COINS,
    DECK_SIZE,
    DECKS_LENGTH,
    HOUSES,
    LENGTH,
    MARKET,
    MAX_CARDS,
    MAX_SEATS,
    OVER,
    PHASE,
    SEATS,
    SHOWN,
    TO_ACT,
)
from forsale.scalar.rows import rules_row
from forsale.scalar.whole import POLICY_WORDS

policy = compiled(scripted)
word, bit, lowest, popcount, without_lowest = map(
    compiled, (bits.word, bits.bit, bits.lowest, bits.popcount, bits.without_lowest)
)
start, step, is_house_for_next = map(compiled, (course.start, course.step, course.is_house_for_next))
standing, refund_of = compiled(course.standing), compiled(course.refund_of)
is_legal, score = compiled(legal.is_legal), compiled(ending.score)

BOUGHT, SOLD = 0, 2
"""Of the sums for each house; what it went for comes behind."""


class Deals:
    """Some deals in numbers: the chance, the first seat and the decks of each."""

    def __init__(self, contest: Contest, start: int, deals: int) -> None:
        secrets = [secret_of("arena", contest.seed, number) for number in range(start, start + deals)]
        dealt = [
            shuffle.fair_deal(contest.loaded, contest.seats, secret, variant=contest.variant) for secret in secrets
        ]
        cards = len(contest.rules.houses)
        houses = np.array([(*deal.decks.houses, *deal.decks.removed_houses) for deal in dealt], np.int8)
        cheques = np.array([(*deal.decks.cheques, *deal.decks.removed_cheques) for deal in dealt], np.int32)
        self.chances = np.array([number_of(secret) for secret in secrets], np.uint64)
        self.firsts = np.array([deal.first for deal in dealt], np.int32)
        self.decks = np.zeros((deals, DECKS_LENGTH), np.int8)
        self.decks[:, HOUSES : HOUSES + cards] = houses.reshape(deals, cards) - 1
        self.decks[:, CHEQUES : CHEQUES + cards] = _ranks(cheques.reshape(deals, cards))


def _ranks(cheques: NDArray[np.int32]) -> NDArray[np.int64]:
    """The place of each cheque in the box; of equal ones, the first gets the first."""
    return cheques.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")


class CompiledPlayer:
    """Plays deals of a contest in which every bot is a scripted one."""

    def __init__(self, contest: Contest, traits: Sequence[Traits]) -> None:
        """`traits` are those of the contest's bots. It compiles, if that was never done on this machine."""
        self._contest = contest
        self._rules = rules_row(contest.rules)
        self._traits = np.array(traits, np.float32)
        self._names = np.array([number_of(name.encode()) for name in contest.bots], np.uint64)
        self._columns = np.zeros(MAX_CARDS, np.int32)
        for index, house in enumerate(contest.rules.houses):
            self._columns[house - 1] = HOUSE_SUMS * index
        self.play(1, 0)

    def play(self, start: int, deals: int) -> Chunk:
        """Every game of so many deals. Nobody's time is measured alone: it is shared out by decisions."""
        contest, dealt = self._contest, Deals(self._contest, start, deals)
        seated = seatings(contest.line_ups, start, deals).reshape(deals, contest.games_per_deal, contest.seats)
        scores, coins, decisions = (np.zeros(seated.shape, np.int32) for _ in range(3))
        houses = np.zeros((len(contest.bots), HOUSE_SUMS * len(contest.rules.houses)), np.int64)
        began = perf_counter()
        wrong = _play_all(
            self._rules,
            *(dealt.chances, dealt.firsts, dealt.decks),
            *(seated, self._traits, self._names, self._columns),
            *(np.empty(LENGTH, np.int32), np.empty(MAX_SEATS, np.int32), np.empty(MAX_SEATS, np.int32)),
            *(scores, coins, decisions, houses),
        )
        seconds = perf_counter() - began
        if wrong >= 0:
            raise ArenaError(f"deal {start + wrong}: a scripted bot chose what is not legal")
        by_bot = np.bincount(seated.ravel(), decisions.ravel(), minlength=len(contest.bots))
        return Chunk(
            start,
            deals,
            scores.ravel().tolist(),
            coins.ravel().tolist(),
            decisions.ravel().tolist(),
            houses.tolist(),
            (seconds * by_bot / max(1, by_bot.sum())).tolist(),
        )


# --- Compiled --------------------------------------------------------------------------------------------------------
# `s`, `d` and `r` are a game, its decks and its rules: see `forsale.scalar.layout`. It keeps no history, so trades are
# noted as they happen: `held` and `chosen` are the houses that each seat has bought and not sold, and is about to sell.


@loop
def _play_all(
    r, chances, firsts, decks, seatings, traits, names, columns, s, held, chosen, scores, coins, decisions, houses
):
    """Every game; the first deal in which an action was not legal, or -1."""
    for deal in range(len(firsts)):
        d = decks[deal]
        for game in range(seatings.shape[1]):
            seated = seatings[deal, game]
            key = chances[deal]
            for seat in range(r[SEATS]):
                key = word(key, names[seated[seat]])
                held[seat] = 0
                chosen[seat] = 0
            start(s, d, r, firsts[deal])
            if not _play(s, d, r, seated, traits, key, columns, held, chosen, decisions[deal, game], houses):
                return deal
            _sell_the_last(d, r, seated, columns, held, houses)
            for seat in range(r[SEATS]):
                scores[deal, game, seat] = score(s, seat)
                coins[deal, game, seat] = s[COINS + seat]
    return -1


@loop
def _play(s, d, r, seated, traits, key, columns, held, chosen, decisions, houses):
    """A game to its end; False as soon as an action is not legal."""
    counter = POLICY_WORDS
    while s[PHASE] != OVER:
        seat = s[TO_ACT]
        action = policy(s, r, traits[seated[seat]], word(key, counter))
        if not is_legal(s, r, action):
            return False
        if action == PASS:
            _buy(s, r, seated, columns, held, houses)
        elif action > HOUSE:
            chosen[seat] = action - HOUSE
        step(s, d, r, action)
        if action > HOUSE and s[CHOICES + seat] == 0:  # all have chosen, and it was revealed
            _sell(s, r, seated, columns, held, chosen, houses)
        decisions[seat] += 1
        counter += 1
    return True


@loop
def _buy(s, r, seated, columns, held, houses):
    """Before a pass: what it buys, and what the last seat buys if the pass leaves it alone."""
    seat, market = s[TO_ACT], s[MARKET]
    if is_house_for_next(s):
        _note(houses[seated[seat]], columns, lowest(market), BOUGHT, standing(s, seat) - refund_of(s, r, seat))
        held[seat] |= bit(lowest(market))
        market = without_lowest(market)
    others = s[BIDDING] & ~bit(seat)
    if without_lowest(others) == 0:
        last = lowest(others)
        _note(houses[seated[last]], columns, lowest(market), BOUGHT, standing(s, last))
        held[last] |= bit(lowest(market))


@loop
def _sell(s, r, seated, columns, held, chosen, houses):
    """After a reveal, which leaves the cheques that were on show in order."""
    sold = 0
    for seat in range(r[SEATS]):
        if chosen[seat]:
            sold |= bit(chosen[seat] - 1)
    for seat in range(r[SEATS]):
        if chosen[seat]:
            house = chosen[seat] - 1
            cheque = s[SHOWN + popcount(sold & (bit(house) - 1))]
            _note(houses[seated[seat]], columns, house, SOLD, r[CHEQUE_AMOUNTS + cheque])
            held[seat] &= ~bit(house)
            chosen[seat] = 0


@loop
def _sell_the_last(d, r, seated, columns, held, houses):
    """With the variant, a last holder sells all that it has for all cheques: that is a price if both are one."""
    for seat in range(r[SEATS]):
        if held[seat] and without_lowest(held[seat]) == 0:
            cheque = d[CHEQUES + r[DECK_SIZE] - 1]
            _note(houses[seated[seat]], columns, lowest(held[seat]), SOLD, r[CHEQUE_AMOUNTS + cheque])


@loop
def _note(sums, columns, house, what, amount):
    sums[columns[house] + what] += 1
    sums[columns[house] + what + 1] += amount
