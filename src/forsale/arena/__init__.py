"""Bots against bots: the same deals with every rotation of the seats, and who is better, with how sure that is.

>>> from forsale import arena
>>> contest = arena.Contest(bots=("broker", "random"), deals=20)
>>> summary = arena.summarise(contest, arena.play(contest))
>>> [(standing.bot, round(standing.win_share.value, 2)) for standing in summary.standings]
[('broker', 0.5), ('random', 0.0)]

What is played is a `Contest`; `play` gives its results in chunks of deals, and only it knows how a chunk was played.
`forsale.arena.journal` keeps the chunks of a run in a file, so that it can be interrupted; `forsale.arena.files` and
`forsale.arena.report` write down what came out.
"""

from forsale.arena.contest import ArenaError, Contest
from forsale.arena.playing import Chunk, play_out
from forsale.arena.running import play
from forsale.arena.statistics import Cell, Estimate, Standing, Summary, Tally, Trade, summarise

__all__ = [
    "ArenaError",
    "Cell",
    "Chunk",
    "Contest",
    "Estimate",
    "Standing",
    "Summary",
    "Tally",
    "Trade",
    "play",
    "play_out",
    "summarise",
]
