"""A game as text (`.fsr`, format 1): read, write, replay.

A record is tags, an empty line, then one line for each auction and sale. What chance did is written out, so a record
needs no random generator, and one that stops in the middle of a game is a position. See docs/record-format.md.

>>> record = from_text('''[ForSale "1"]
... [Edition "iello-2020"]
... [Players "Theo|Marianne|Guilaine"]
... [First "A"]
...
... B1 8 20 28 : A1 B2 C5 A6 B- C- | A28@6 B8@1 C20@3
... ''')
>>> replay(record).state.coins
(22, 27, 25)
"""

from forsale.record.model import Comment, Line, Played, Record, RecordError, Remark, Take
from forsale.record.reading import MAX_BYTES, from_bytes, from_text
from forsale.record.replaying import Moment, Replay, replay
from forsale.record.writing import from_position

__all__ = [
    "MAX_BYTES",
    "Comment",
    "Line",
    "Moment",
    "Played",
    "Record",
    "RecordError",
    "Remark",
    "Replay",
    "Take",
    "from_bytes",
    "from_position",
    "from_text",
    "replay",
]
