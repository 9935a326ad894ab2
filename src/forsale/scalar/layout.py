"""How a game lies in arrays of whole numbers: its row `s`, its decks `d`, its rules `r`.

The row is what a table knows, with a perfect memory, and the secret choices of a sale. The decks lie apart, so that
whoever is given the row cannot look into them. Sets of cards are bit masks: house n is bit n - 1; a cheque is the bit
of its place in the box, ascending, so that a market is in order as it stands.
"""

from forsale.editions import MAX_SEATS
from forsale.encoding import MAX_CARDS

__all__ = [
    "ABSENT",
    "AUCTIONS",
    "BIDDING",
    "BIDS",
    "BOX",
    "BUYING",
    "CHEQUES",
    "CHEQUES_SEEN",
    "CHEQUE_AMOUNTS",
    "CHOICES",
    "COINS",
    "DECKS_LENGTH",
    "DECK_SIZE",
    "EPISODE",
    "HANDS",
    "HIGHEST",
    "HOUSES",
    "HOUSES_SEEN",
    "HOUSE_NUMBERS",
    "LENGTH",
    "LOWEST_BID",
    "MARKET",
    "MAX_CARDS",
    "MAX_SEATS",
    "MONEY",
    "MOVES",
    "NUMBER",
    "OVER",
    "PHASE",
    "REFUND_UP",
    "REMOVED",
    "RULES_LENGTH",
    "SEATS",
    "SELLING",
    "SHORT",
    "SHOWN",
    "START_COINS",
    "TAKEN",
    "TO_ACT",
]

BUYING, SELLING, OVER = 0, 1, 2

# The row of a game.
PHASE = 0
NUMBER = 1
"""Of the auction or the sale."""
TO_ACT = 2
"""The seat that is asked. In a sale all choose at once; they are asked in order, and none is told of the others."""
MARKET = 3
"""Houses left in this auction, or cheques of this sale."""
HIGHEST = 4
"""The highest standing bid; -1 before the first."""
BIDDING = 5
"""Seats still in the auction."""
HOUSES_SEEN = 6
CHEQUES_SEEN = 7
"""All cards that have been turned up, those on show included."""
EPISODE = 8
"""How many games were played in this place before."""
MOVES = 9
"""How many actions were played in this game, as far as a batch knows."""
COINS = 10
BIDS = COINS + MAX_SEATS
"""-1: none."""
HANDS = BIDS + MAX_SEATS
CHOICES = HANDS + MAX_SEATS
"""0: none."""
MONEY = CHOICES + MAX_SEATS
TAKEN = MONEY + MAX_SEATS
"""The cheques that each seat took."""
SHOWN = TAKEN + MAX_SEATS
"""The places of the cheques on show, ascending: written at a reveal, and read only there."""
LENGTH = SHOWN + MAX_SEATS

# The decks: places of cards in the order in which they are drawn; the removed ones come last.
HOUSES = 0
CHEQUES = HOUSES + MAX_CARDS
DECKS_LENGTH = CHEQUES + MAX_CARDS

# The rules.
SEATS = 0
START_COINS = 1
DECK_SIZE = 2
REMOVED = 3
SHORT = 4
REFUND_UP = 5
LOWEST_BID = 6
AUCTIONS = 7
BOX = 8
"""Cards in each box."""
ABSENT = 9
"""House numbers that the box does not have."""
HOUSE_NUMBERS = 10
CHEQUE_AMOUNTS = HOUSE_NUMBERS + MAX_CARDS
RULES_LENGTH = CHEQUE_AMOUNTS + MAX_CARDS
