"""Scripted bots with names: ideas that people have published or play by, each as a set of traits."""

from typing import NamedTuple

from forsale.bots.scripted.traits import Selling, Traits


class Personality(NamedTuple):
    """A scripted bot that can be asked for by name."""

    name: str
    character: str
    traits: Traits


PERSONALITIES = {
    personality.name: personality
    for personality in (
        Personality(
            "miser",
            "Never bids, takes the lowest house every time, and matches the mean of the cheques.",
            Traits(selling=Selling.MEAN),
        ),
        Personality(
            "haggler",
            "Never pays more than four coins for a house, and plays its best one where a cheque is void.",
            Traits(cap=4, selling=Selling.SMALLEST, at=0),
        ),
        Personality(
            "tither",
            "Goes up to a fifth of its purse whatever is on offer, and sells by tiers.",
            Traits(of_purse=0.2, selling=Selling.TIERS, at=1.5),
        ),
        Personality(
            "surveyor",
            "Pays by how far the houses lie apart, out of its whole purse, and sells by how far the cheques do.",
            Traits(of_purse_by_spread=0.45, selling=Selling.SPREAD, at=1.6),
        ),
        Personality(
            "steward",
            "Divides its purse evenly among the auctions left and pays more where the houses differ; matches the mean.",
            Traits(of_share=0.5, of_share_by_spread=0.9, thrift=1, last=1, selling=Selling.MEAN),
        ),
        Personality(
            "magnate",
            "Wants the grandest houses and pays for them, and brings them out for the best cheques.",
            Traits(of_share=1.0, of_share_by_top=1.2, jump=0.2, leap=0.5, selling=Selling.RANK),
        ),
        Personality(
            "gambler",
            "Jumps, wavers, spends it all too soon, and sells on a whim.",
            Traits(
                of_purse=0.3,
                of_purse_by_spread=0.3,
                jump=0.6,
                leap=0.9,
                noise=0.5,
                whim=0.3,
                selling=Selling.SPREAD,
                at=2,
            ),
        ),
        Personality(
            "sniper",
            "Stays only as long as the next house up is worth what it costs, and sells by rank.",
            Traits(of_share=1.2, of_share_by_spread=1.0, gap=0.35, thrift=1, last=1, selling=Selling.RANK),
        ),
        Personality(
            "dealer",
            "Is content with any house from twenty on, never loses half a coin, and matches the mean.",
            Traits(of_share=0.6, of_share_by_spread=1.2, content=20, thrift=1, last=1, selling=Selling.MEAN),
        ),
        Personality(
            "tycoon",
            "Pays for wide markets and grand houses, never more than they are worth; found by a search.",
            Traits(
                of_purse_by_spread=0.12,
                of_share_by_spread=1.7,
                of_share_by_top=0.95,
                worth=20,
                thrift=1,
                last=1,
                selling=Selling.SPREAD,
                at=1.9,
            ),
        ),
    )
}
"""By name."""
