"""How strong scripted bots are, alone with others of their kind."""

from typing import Any

import numpy as np

from forsale.bots.planner.searching import sit_down
from forsale.bots.scripted.policy import scripted
from forsale.kernel.compiling import compiled, loop
from forsale.kernel.loops import deal, key_of, play_out
from forsale.scalar import bits, ending
from forsale.scalar.layout import DECKS_LENGTH, LENGTH, MAX_SEATS, SEATS

below, word, policy, win_share = map(compiled, (bits.below, bits.word, scripted, ending.win_share))

_GAMES = 32
_LINE_UP_WORDS = 4096


def strengths(rules: Any, pool: Any, seed: int) -> Any:
    """How often each bot of a pool wins, as a multiple of what is fair."""
    wins = np.zeros(len(pool))
    s, d = np.empty(LENGTH, np.int32), np.empty(DECKS_LENGTH, np.int8)
    _try_all(rules, pool, np.uint64(seed), s, d, np.empty((MAX_SEATS, pool.shape[1]), np.float32), wins)
    return wins / _GAMES


@loop
def _try_all(rules, pool, seed, s, d, line_up, wins):
    for member in range(len(pool)):
        for game in range(_GAMES):
            key = key_of(seed, member, game)
            r = rules[(member + game) % len(rules)]
            own = below(word(key, np.uint64(_LINE_UP_WORDS)), np.uint64(r[SEATS]))
            for seat in range(r[SEATS]):
                other = below(word(key, np.uint64(_LINE_UP_WORDS + 1 + seat)), np.uint64(len(pool)))
                sit_down(line_up[seat], pool[member if seat == own else other])
            deal(s, d, r, key)
            play_out(s, d, r, policy, line_up, key)
            wins[member] += win_share(s, r, own) * r[SEATS]
