"""Contests of scripted bots alone: their chance comes as words, one for each decision, as the kernel has it.

So their games are the same whichever way they are played: by the engine, or compiled (`forsale.arena.compiled`).
"""

from collections.abc import Sequence
from hashlib import sha256
from random import Random

from forsale import encoding
from forsale.arena.contest import ArenaError, Contest
from forsale.bots import Bot, Guarded
from forsale.bots.scripted import Scripted, Traits
from forsale.encoding import EncodingError
from forsale.scalar.bits import word
from forsale.scalar.whole import POLICY_WORDS


def traits_of(bots: Sequence[Bot]) -> list[Traits] | None:
    """Of each bot, if the kernel can play for all of them; None if only one is anything else.

    It goes by what the bots are, not by what they are called: whoever seats others under these names gets those.
    """
    found = [_unguarded(bot) for bot in bots]
    # Whoever makes more of a scripted bot than it is, or less, as those that forget, must be asked.
    traits = [bot.traits for bot in found if type(bot) is Scripted and bot.rounds is None]
    return traits if len(traits) == len(found) else None


def check(contest: Contest, bots: Sequence[Bot]) -> None:
    """Refuse an edition that scripted bots have no numbers for, rather than let them forfeit every decision."""
    for name, bot in zip(contest.bots, bots, strict=True):
        if isinstance(_unguarded(bot), Scripted):
            try:
                encoding.check(contest.rules)
            except EncodingError as error:
                raise ArenaError(f"the bot {name!r} cannot play this edition: {error}") from None


def _unguarded(bot: Bot) -> Bot:
    return bot.bot if isinstance(bot, Guarded) else bot


def number_of(data: bytes) -> int:
    """64 bits that stand for a secret or a name."""
    return int.from_bytes(sha256(data).digest()[:8], "big")


class Words(Random):
    """The chance of all seats of a game: each word is one decision's.

    >>> Words(7).getrandbits(64) == word(7, POLICY_WORDS)
    True
    """

    def __init__(self, key: int) -> None:
        super().__init__(0)
        self._key = key
        self._counter = POLICY_WORDS

    def getrandbits(self, k: int, /) -> int:
        """As many words as it takes."""
        words = -(-k // 64)
        number = 0
        for _ in range(words):
            number = number << 64 | word(self._key, self._counter)
            self._counter += 1
        return number >> (64 * words - k)

    def random(self) -> float:
        """From 0 to below 1."""
        return self.getrandbits(53) / 2**53


def chance(secret: bytes, names: Sequence[str]) -> list[Random]:
    """For a deal and who sits where: all seats draw from the same words, in the order in which they are asked."""
    key = number_of(secret)
    for name in names:
        key = word(key, number_of(name.encode()))
    return [Words(key)] * len(names)
