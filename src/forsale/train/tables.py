"""Many tables at once: a net is asked for some seats, scripted bots play in the others, and all are watched.

Each table has rules of its own and goes on for some games with the same line-up; then others sit down. `proceed` plays
one table on until a net is to act; it is compiled for the CPU and for CUDA.
"""

from forsale.bots.champion.habits import forget, play
from forsale.bots.champion.told import write_row
from forsale.bots.scripted.policy import scripted
from forsale.scalar.bits import below, below_too, i32, key_of, word
from forsale.scalar.course import deal
from forsale.scalar.ending import score, win_share
from forsale.scalar.layout import EPISODE, MOVES, OVER, PHASE, SEATS, TO_ACT
from forsale.scalar.legal import write_mask

NET, OTHER, SCRIPTED = 0, 1, 2
"""Who plays in a seat: the net that learns, another net, or a scripted bot."""

ALONE, AMONG, SELF, AGAINST, RAIDED, COPIES, MIXED, ANSWER, PAIR = range(9)
"""Who sits down at a table. In training: the net alone with scripted bots; several of it with them; it alone; with
other nets; or everywhere but in the one seat of another net. In an exam: the net alone with copies of one of the pool,
each in turn, or with several of it. To find an answer to another net: it alone with copies of that one, or two of
it."""
AMONG_NETS = (SELF, AGAINST, RAIDED)

LEFT, MODE, EDITION = 0, 1, 2
"""Of a table: games until others sit down, which kind of line-up, and which rules."""
SETTINGS = 3

_MOVE_WORDS = 64
_LINE_UP_WORDS = 4096
_GAMES = 4
"""A line-up stays for up to so many games."""


def begin(s, d, rules, w, setting, seats, members, pool, seed, table):
    """The first game of a table."""
    s[EPISODE] = 0
    sit_down(s, rules[setting[EDITION]], w, setting, seats, members, pool, seed, table)
    deal(s, d, rules[setting[EDITION]], key_of(seed, table, 0))


def sit_down(s, r, w, setting, seats, members, pool, seed, table):
    """Another line-up, which nobody has watched yet."""
    forget(w)
    key = word(key_of(seed, table, s[EPISODE]), _LINE_UP_WORDS)
    x = word(key, 1)
    setting[LEFT] = i32(1 + below(x, _GAMES))
    hero = below_too(x, r[SEATS])
    partner = i32(hero + 1 + below(word(key, 3), r[SEATS] - 1)) % r[SEATS]
    y = word(key, 2)
    alike = below(y, 2) == 0
    first = below_too(y, pool.shape[0])
    mode = setting[MODE]
    if mode == COPIES:
        alike = True
        first = i32(table % pool.shape[0])
    elif mode == MIXED:
        alike = False
    for seat in range(r[SEATS]):
        z = word(key, 8 + seat)
        coin = below(z, 4)
        members[seat] = first if alike else below_too(z, pool.shape[0])
        if mode == RAIDED:
            seats[seat] = OTHER if seat == hero else NET
        elif seat == hero or mode == SELF or (mode == PAIR and seat == partner):
            seats[seat] = NET
        elif mode in (ALONE, COPIES, MIXED):
            seats[seat] = SCRIPTED
        elif mode == AMONG:
            seats[seat] = NET if coin < 2 else SCRIPTED
        elif mode in (ANSWER, PAIR):
            seats[seat] = OTHER
        else:
            seats[seat] = OTHER if alike or coin < 2 else (NET if coin == 2 else SCRIPTED)


def proceed(s, d, rules, w, setting, seats, members, pool, seed, table, action, done, shares, scores):
    """Play a net's action, if there is one, and go on until a net is to act again."""
    r = rules[setting[EDITION]]
    done[table] = False
    if action >= 0:
        play(s, d, r, w, action)
    while True:
        if s[PHASE] == OVER:
            done[table] = True
            for seat in range(r[SEATS]):
                shares[table, seat] = win_share(s, r, seat)
                scores[table, seat] = score(s, seat)
            s[EPISODE] += 1
            setting[LEFT] -= 1
            if setting[LEFT] <= 0:
                sit_down(s, r, w, setting, seats, members, pool, seed, table)
            deal(s, d, r, key_of(seed, table, s[EPISODE]))
        seat = s[TO_ACT]
        if seats[seat] != SCRIPTED:
            return
        chance = word(key_of(seed, table, s[EPISODE]), _MOVE_WORDS + s[MOVES])
        s[MOVES] += 1
        play(s, d, r, w, scripted(s, r, pool[members[seat]], chance))


def tell(s, rules, w, setting, row, mask):
    """What the net is told for the seat to act, and what it may do."""
    r = rules[setting[EDITION]]
    write_row(s, r, w, s[TO_ACT], row)
    write_mask(s, r, mask)


__all__ = [
    "AGAINST",
    "ALONE",
    "AMONG",
    "AMONG_NETS",
    "ANSWER",
    "COPIES",
    "EDITION",
    "LEFT",
    "MIXED",
    "MODE",
    "NET",
    "OTHER",
    "PAIR",
    "RAIDED",
    "SCRIPTED",
    "SELF",
    "SETTINGS",
    "begin",
    "proceed",
    "tell",
]
