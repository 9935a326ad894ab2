"""Scripted bots that are levels for people."""

from forsale.bots.scripted.personalities import Personality
from forsale.bots.scripted.traits import Selling, Traits

LODGER = Personality(
    "lodger",
    "Bids on a whim, sells on a whim, and forgets what has gone by.",
    Traits(
        of_purse=0.15, of_purse_by_spread=0.3, jump=0.3, leap=0.5, noise=0.8, selling=Selling.TIERS, at=1.5, whim=0.5
    ),
)
LANDLORD = Personality(
    "landlord",
    "Divides its purse evenly and wants good houses, but remembers only the last two rounds.",
    Traits(of_share=0.6, of_share_by_spread=0.8, noise=0.2, last=1, selling=Selling.RANK, whim=0.1),
)
DEVELOPER = Personality(
    "developer",
    "Pays for wide markets and grand houses, and keeps its best ones for the sales that differ most.",
    # Found by a search: alone against three brokers or personalities of a kind, and three of it against one of them.
    Traits(
        of_purse_by_spread=0.12,
        of_share_by_spread=1.5,
        of_share_by_top=0.95,
        worth=20,
        thrift=1,
        last=1,
        selling=Selling.SPREAD,
        at=2.1,
    ),
)
