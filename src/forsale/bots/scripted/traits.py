"""What makes one scripted bot different from another: the numbers that the policy goes by.

In an auction a bot has a limit, and raises by as little as it can until the limit is reached. The limit is made of the
first traits, for a purse (standing bid included), the auctions left, the spread of the market (from its lowest to its
highest house, 1 for the widest there is) and its top (from -1 for house 1 to 1 for house 30):

    cap + purse × (of_purse + of_purse_by_spread × spread)
        + purse / auctions × (of_share + of_share_by_spread × spread + of_share_by_top × top)
"""

from enum import IntEnum
from random import Random
from typing import NamedTuple


class Selling(IntEnum):
    """How a house is chosen for the cheques on show. Most find a place from 0, the lowest house, to 1, the highest."""

    CHANCE = 0
    """Any."""
    LOWEST = 1
    HIGHEST = 2
    MEAN = 3
    """Match the mean: as high among the houses as the mean of the cheques is among all cheques left."""
    SPREAD = 4
    """The wider the cheques differ, the higher: it is then that the order of the houses counts."""
    SMALLEST = 5
    """The highest where the smallest cheque is a bad one (`at`, such as 0), else the lowest."""
    RANK = 6
    """As high as the best cheque is among those left."""
    TIERS = 7
    """Low, middle or high: where the mean is below, near or above that of all cheques left, by `at`."""
    GAIN = 8
    """The house that gains most by going now: the cheque at the rank that it can expect among the others' houses, less
    the one at the same rank among those that nobody has seen."""


class Traits(NamedTuple):
    """The numbers of one bot. Without any it passes at once, and sells by chance."""

    cap: float = 0.0
    of_purse: float = 0.0
    of_purse_by_spread: float = 0.0
    of_share: float = 0.0
    of_share_by_spread: float = 0.0
    of_share_by_top: float = 0.0
    most: float = 1.0
    """No more than this part of the purse, whatever the rest says."""
    worth: float = 0.0
    """If above 0: no more than so many coins for the widest market, and less for others."""
    gap: float = 0.0
    """If above 0: stays only while the next house up is worth it: at so many coins for a number of the house."""
    content: float = 31.0
    """Passes as soon as the house that a pass takes has this number."""
    thrift: float = 0.0
    """How often it avoids bids of which half a coin would be lost."""
    jump: float = 0.0
    """How often it raises by more than it must."""
    leap: float = 0.5
    """How far a jump goes, of the way to the limit."""
    last: float = 0.0
    """At least this part of the purse in the last auction, where coins are worth no house any more."""
    noise: float = 0.0
    """How much the limit wavers: by up to this part of it, up or down."""
    selling: float = Selling.CHANCE
    at: float = 0.0
    """What the way of selling goes by: see `Selling`."""
    whim: float = 0.0
    """How often it sells by chance instead."""


def draw(rng: Random) -> Traits:
    """Traits of a bot that has never been before, of the same make as those with names: opponents to learn from."""
    mood = rng.choice(("cap", "purse", "share", "mixed"))
    mixed = mood == "mixed"
    return Traits(
        cap=rng.uniform(0, 9) if mood == "cap" else rng.uniform(-1, 2) * mixed,
        of_purse=rng.uniform(0, 0.5) if mood == "purse" else rng.uniform(0, 0.2) * mixed,
        of_purse_by_spread=rng.uniform(0, 0.8) if mood == "purse" else rng.uniform(0, 0.3) * mixed,
        of_share=rng.uniform(0, 2) if mood == "share" else rng.uniform(0, 1) * mixed,
        of_share_by_spread=rng.uniform(-0.5, 3) if mood == "share" else rng.uniform(0, 2) * mixed,
        of_share_by_top=rng.uniform(-0.5, 1.5) if mood == "share" else rng.uniform(0, 1) * mixed,
        most=rng.choice((1.0, rng.uniform(0.2, 1.0))),
        worth=rng.choice((0.0, 0.0, rng.uniform(4, 30))),
        gap=rng.choice((0.0, 0.0, rng.uniform(0.1, 2.0))),
        content=rng.choice((31.0, 31.0, float(rng.randint(8, 28)))),
        thrift=rng.choice((0.0, 1.0, rng.random())),
        jump=rng.choice((0.0, 0.0, rng.random() ** 2)),
        leap=rng.uniform(0.1, 1.0),
        last=rng.choice((0.0, rng.random())),
        noise=rng.choice((0.0, rng.uniform(0.0, 0.6))),
        selling=float(rng.choice((*Selling, Selling.GAIN, Selling.GAIN))),
        at=rng.uniform(0.5, 3.0),
        whim=rng.choice((0.0, 0.0, rng.random() ** 2)),
    )
