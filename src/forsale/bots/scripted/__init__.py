"""A family of scripted bots: one policy, and the traits that make its members differ.

The policy (`forsale.bots.scripted.policy`) is written on rows (see `forsale.scalar`), so that the kernel plays it at
full speed, on the CPU and on a GPU, with thousands of different members; at a table the same functions run uncompiled.

>>> from random import Random
>>> from forsale.bots import scripted
>>> scripted.PERSONALITIES["miser"].traits.selling
<Selling.MEAN: 3>
>>> scripted.draw(Random(1)) == scripted.draw(Random(2))
False
"""

from forsale.bots.scripted.bot import Scripted
from forsale.bots.scripted.personalities import PERSONALITIES, Personality
from forsale.bots.scripted.traits import Selling, Traits, draw

__all__ = ["PERSONALITIES", "Personality", "Scripted", "Selling", "Traits", "draw"]
