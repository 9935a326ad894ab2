"""Scripted bots that are levels for people."""

from forsale.bots.scripted.personalities import Personality
from forsale.bots.scripted.traits import Selling, Traits

__all__ = ["DEVELOPER", "LANDLORD", "LODGER", "Personality"]

LODGER = Personality(
    "lodger",
    "Bids on a whim, sells on a whim, and forgets what has gone by.",
    Traits(
        of_purse=0.15, of_purse_by_spread=0.3, jump=0.3, leap=0.5, noise=0.8, selling=Selling.SPREAD, at=2, whim=0.5
    ),
)
LANDLORD = Personality(
    "landlord",
    "Divides its purse evenly and wants good houses, but remembers only the last two rounds.",
    Traits(of_share=0.6, of_share_by_spread=0.8, noise=0.2, last=1, selling=Selling.SPREAD, at=1.7, whim=0.1),
)
DEVELOPER = Personality(
    "developer",
    "Knows what every house is worth and never forgets a card.",
    Traits(of_share=0.5, of_share_by_spread=1.7, of_share_by_top=0.9, worth=20, thrift=1, last=1, selling=Selling.GAIN),
)
