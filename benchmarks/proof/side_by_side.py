"""Games of nets and scripted bots, many side by side: a net is asked for all tables at which it is to act together.

They are the games that `arena.play_out` plays with these bots, on the deals of the contest and with the chance of
`arena.scripted.chance`, some twenty times as fast. (A net adds up many rows in another order than one, so that its odds
differ in the last digit, and in a very long while a choice.)
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.arena import Contest
from forsale.arena.compiled import Deals
from forsale.arena.scripted import number_of
from forsale.arena.seatings import Seatings
from forsale.bots.champion import habits, told
from forsale.bots.champion.net import Net, softmax
from forsale.bots.scripted import Traits
from forsale.bots.scripted.policy import scripted
from forsale.encoding import ACTIONS
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits, course, ending, legal
from forsale.scalar.layout import AUCTIONS, BUYING, COINS, LENGTH, NUMBER, OVER, PHASE, SEATS, SELLING, TO_ACT
from forsale.scalar.rows import rules_row
from forsale.scalar.whole import POLICY_WORDS

word, policy, begin, step, score = map(compiled, (bits.word, scripted, course.start, course.step, ending.score))
write_row, watch_and_play = compiled(told.write_row), compiled(habits.play)
legal_count, nth_legal, write_mask = map(compiled, (legal.legal_count, legal.nth_legal, legal.write_mask))

ALWAYS = 1000
"""Rounds: more than a game has."""

Player = Net | Traits
Habits = NDArray[np.int32]
Counts = NDArray[np.int32]


class Played(NamedTuple):
    """What games came to, by deal, game of it and seat."""

    scores: Counts
    coins: Counts
    habits: Habits
    """By deal and game: what was watched, as the next game at the same table begins with it."""


def play(
    contest: Contest,
    start: int,
    seated: Seatings,
    cast: Sequence[Player],
    rounds: int = ALWAYS,
    before: Habits | None = None,
) -> Played:
    """Some deals of a contest, from this one on; `seated` are the bots by deal, game and seat, `cast` who they are.

    Nets watch the first so many `rounds`, auctions and then sales; `before` is what they have watched already.
    """
    deals, games, seats = seated.shape
    dealt, rules = Deals(contest, start, deals), rules_row(contest.rules)
    sitting = seated.reshape(-1, seats)
    names = np.array([number_of(name.encode()) for name in contest.bots], np.uint64)
    watched = np.zeros((len(sitting), habits.LENGTH), np.int32) if before is None else before.reshape(len(sitting), -1)
    tables = _Tables(rules, np.repeat(dealt.decks, games, axis=0), sitting, cast, rounds, watched.copy())
    tables.begin(np.repeat(dealt.firsts, games), np.repeat(dealt.chances, games), names)
    tables.play_out()
    scores, coins = tables.outcomes()
    return Played(scores.reshape(seated.shape), coins.reshape(seated.shape), tables.watched.reshape(deals, games, -1))


class _Tables:
    """Games of the same rules, each with a deck and a line-up of its own."""

    def __init__(
        self,
        rules: NDArray[np.int32],
        decks: NDArray[np.int8],
        sitting: Seatings,
        cast: Sequence[Player],
        rounds: int,
        watched: Habits,
    ) -> None:
        games = len(sitting)
        self._rules, self._decks, self._sitting, self._rounds, self.watched = rules, decks, sitting, rounds, watched
        self._nets = {number: player for number, player in enumerate(cast) if isinstance(player, Net)}
        self._is_net = np.array([number in self._nets for number in range(len(cast))])
        self._traits = np.array([Traits() if isinstance(player, Net) else player for player in cast], np.float32)
        self._states = np.zeros((games, LENGTH), np.int32)
        self._keys = np.zeros(games, np.uint64)
        self._counters = np.full(games, POLICY_WORDS, np.uint64)
        self._rows = np.zeros((games, told.ROW), np.int16)
        self._masks = np.zeros((games, ACTIONS), np.bool_)
        self._words = np.zeros(games, np.uint64)

    def begin(self, firsts: NDArray[np.int32], chances: NDArray[np.uint64], names: NDArray[np.uint64]) -> None:
        _begin_all(self._states, self._decks, self._rules, firsts, chances, names, self._sitting, self._keys)

    def play_out(self) -> None:
        actions = np.full(len(self._states), -1)
        while True:
            _proceed_all(
                *(self._states, self._decks, self._rules, self.watched, self._rounds),
                *(self._sitting, self._is_net, self._traits, self._keys, self._counters),
                *(actions, self._rows, self._masks, self._words),
            )
            waiting = np.flatnonzero(self._states[:, PHASE] != OVER)
            if not len(waiting):
                return
            actions[:] = -1
            players = self._sitting[waiting, self._states[waiting, TO_ACT]]
            for number, net in self._nets.items():
                asked = waiting[players == number]
                if len(asked):
                    actions[asked] = self._chosen(net, asked)

    def _chosen(self, net: Net, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """As `forsale.bots.champion.Champion` chooses: the likeliest bid, or any house by the net's policy."""
        masks = self._masks[games]
        logits = net.tell(self._rows[games], masks).logits
        # What `Random.choices` does with what `arena.scripted.Words` gives.
        odds = softmax(logits).cumsum(axis=1, dtype=np.float64)
        at = (self._words[games] >> np.uint64(11)) / 2**53 * odds[:, -1]
        last = ACTIONS - 1 - masks[:, ::-1].argmax(axis=1)
        drawn = np.minimum((odds <= at[:, None]).sum(axis=1), last)
        actions: NDArray[np.int64] = np.where(self._states[games, PHASE] == SELLING, drawn, logits.argmax(axis=1))
        return actions

    def outcomes(self) -> tuple[Counts, Counts]:
        """Scores and coins, by game and seat."""
        scores, coins = np.zeros_like(self._sitting), np.zeros_like(self._sitting)
        _end_all(self._states, self._rules, scores, coins)
        return scores, coins


# --- Compiled --------------------------------------------------------------------------------------------------------
# `s`, `d`, `r` and `w` are a game, its decks, its rules and what was watched.


@loop
def _begin_all(states, decks, r, firsts, chances, names, sitting, keys):
    for g in range(len(states)):
        keys[g] = chances[g]
        for seat in range(r[SEATS]):
            keys[g] = word(keys[g], names[sitting[g, seat]])
        begin(states[g], decks[g], r, firsts[g])


@loop
def _proceed_all(
    states, decks, r, watched, rounds, sitting, is_net, traits, keys, counters, actions, rows, masks, words
):
    """Play the action of each game, if there is one, and go on until a net has a choice: that is what is told."""
    for g in range(len(states)):
        s, d, w = states[g], decks[g], watched[g]
        action = actions[g]
        while s[PHASE] != OVER:
            if action < 0:
                player = sitting[g, s[TO_ACT]]
                if not is_net[player]:
                    action = policy(s, r, traits[player], word(keys[g], counters[g]))
                    counters[g] += np.uint64(1)
                elif legal_count(s, r) == 1:
                    action = nth_legal(s, r, 0)
                else:
                    write_row(s, r, w, s[TO_ACT], rows[g])
                    write_mask(s, r, masks[g])
                    if s[PHASE] == SELLING:
                        words[g] = word(keys[g], counters[g])
                        counters[g] += np.uint64(1)
                    break
            if s[NUMBER] + (0 if s[PHASE] == BUYING else r[AUCTIONS]) <= rounds:
                watch_and_play(s, d, r, w, action)
            else:
                step(s, d, r, action)
            action = -1


@loop
def _end_all(states, r, scores, coins):
    for g in range(len(states)):
        for seat in range(r[SEATS]):
            scores[g, seat] = score(states[g], seat)
            coins[g, seat] = states[g, COINS + seat]
