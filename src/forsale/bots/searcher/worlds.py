"""Worlds: for each action in question the same cards, the same rivals and the same chance, played on side by side.

A game is played on until the seat can choose for the second time, and the net says how likely it is to win there: it
has learnt to judge what comes later, and one such word is worth more than one end of many that might be.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion.net import Floats, champion, softmax
from forsale.bots.champion.told import ROW
from forsale.bots.planner.guessing import policy
from forsale.bots.planner.searching import drawn_from
from forsale.bots.searcher.past import play, tell
from forsale.bots.searcher.rivals import NET
from forsale.encoding import ACTIONS, HOUSE
from forsale.kernel import loops
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits, course, ending, layout, legal
from forsale.scalar.layout import BUYING, CHOICES, HIGHEST, MAX_SEATS, NUMBER, OVER, PHASE, SEATS, TO_ACT

key_of, word = compiled(bits.key_of), compiled(bits.word)
must_choose, win_share = compiled(course.must_choose), compiled(ending.win_share)
legal_count, nth_legal = compiled(legal.legal_count), compiled(legal.nth_legal)
set_out = loops.set_out

Shares: TypeAlias = NDArray[np.float64]

_DECISIONS = 4096
"""Words of chance from this one on are for decisions; those below are for cards and rivals."""
AHEAD = 2
"""Choices, this one included, before the net is asked how it will end. With one it is quicker, and no better in the
same time; to go on to the end takes many times as many worlds."""
_NOTHING = -1


class Task(NamedTuple):
    """What is searched: a position, what was seen of all seats, and who may sit in them."""

    r: NDArray[np.int32]
    row: NDArray[np.int32]
    decks: NDArray[np.int8]
    untold: NDArray[np.int32]
    habits: NDArray[np.int32]
    seat: int
    pool: NDArray[np.float32]
    so_far: Shares
    """By seat: the chances of all that it may be, added up. The seat in question is the net."""
    seed: int


class _Games(NamedTuple):
    """One for each world and action."""

    states: NDArray[np.int32]
    decks: NDArray[np.int8]
    watched: NDArray[np.int32]
    members: NDArray[np.int32]
    """Who sits where."""
    keys: NDArray[np.uint64]


def values(task: Task, actions: NDArray[np.int32], start: int, stop: int, ahead: int = AHEAD) -> Shares:
    """By world, from `start` to `stop`, and action: the seat's chance to win, as the net sees it when so many choices
    lie behind. Where the game ends before that, it is what the seat has won."""
    games = _begun(task, actions, start, stop)
    found = np.empty(len(games.states))
    left = np.full(len(found), ahead)
    playing = np.arange(len(found))
    doing = np.full(len(found), _NOTHING, np.int32)
    while True:
        rows, masks = np.empty((len(playing), ROW), np.int16), np.empty((len(playing), ACTIONS), np.bool_)
        chance = np.empty(len(playing))
        _go_on(*games, task.r, task.pool, task.seat, playing, doing, rows, masks, chance, found)
        asked = games.states[playing, PHASE] != OVER
        playing = playing[asked]
        if not len(playing):
            return found.reshape(-1, len(actions))
        told = champion().tell(rows[asked], masks[asked])
        left[playing] -= games.states[playing, TO_ACT] == task.seat
        known = left[playing] == 0
        found[playing[known]] = told.wins[known, 0]
        playing, doing = playing[~known], _drawn(told.logits[~known], chance[asked][~known])


def _begun(task: Task, actions: NDArray[np.int32], start: int, stop: int) -> _Games:
    """All games, each with its action played."""
    count = (stop - start) * len(actions)
    games = _Games(
        np.empty((count, layout.LENGTH), np.int32),
        np.empty((count, layout.DECKS_LENGTH), np.int8),
        np.repeat(task.habits[None], count, axis=0),
        np.empty((count, MAX_SEATS), np.int32),
        np.empty(count, np.uint64),
    )
    r, row, decks, untold = task[:4]
    _begin(*games, r, row, decks, untold, task.seat, task.so_far, np.uint64(task.seed), actions, start, stop)
    return games


def _drawn(logits: Floats, chance: Shares) -> NDArray[np.int32]:
    """An action for each game, as often as the net's policy has it."""
    so_far = softmax(logits).cumsum(axis=-1)
    drawn: NDArray[np.int32] = (so_far > chance[:, None] * so_far[:, -1:]).argmax(axis=-1).astype(np.int32)
    return drawn


@loop
def _begin(states, decks, watched, members, keys, r, row, deck, untold, seat, so_far, seed, actions, start, stop):
    for world in range(start, stop):
        key = key_of(seed, world, 0)
        for i in range(len(actions)):
            game = (world - start) * len(actions) + i
            s = states[game]
            set_out(s, decks[game], row, deck, untold, key)
            keys[game] = key
            for other in range(r[SEATS]):
                members[game, other] = drawn_from(so_far[other], key, other)
            if s[PHASE] == BUYING:
                play(s, decks[game], r, watched[game], actions[i])
                continue
            # In secret, before the others: it makes no difference to them.
            s[CHOICES + seat] = actions[i] - HOUSE
            for other in range(r[SEATS] - 1, -1, -1):
                if must_choose(s, other):
                    s[TO_ACT] = other


@loop
def _go_on(states, decks, watched, members, keys, r, pool, seat, playing, doing, rows, masks, chance, found):
    """Play what the net decided, and on until it is to choose, or the game is over."""
    for i in range(len(playing)):
        game = playing[i]
        s, d, w = states[game], decks[game], watched[game]
        action = doing[i]
        while True:
            if action != _NOTHING:
                play(s, d, r, w, action)
            if s[PHASE] == OVER:
                found[game] = win_share(s, r, seat)
                break
            x = word(keys[game], np.uint64(_moment(s)))
            member = members[game, s[TO_ACT]]
            if legal_count(s, r) == 1:
                action = nth_legal(s, r, 0)
            elif member != NET:
                action = policy(s, r, pool[member], x)
            else:
                tell(s, r, w, rows[i], masks[i])
                chance[i] = (x >> np.uint64(11)) / 9007199254740992.0
                break


@loop
def _moment(s):
    """Another number for each decision of a game, whatever was decided before: so that chance makes no difference
    between the actions in question."""
    return _DECISIONS + ((s[PHASE] * 16 + s[NUMBER]) * MAX_SEATS + s[TO_ACT]) * 32 + s[HIGHEST] + 1
