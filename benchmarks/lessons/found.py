"""What was found, as it is kept: pictures and page are made of this alone."""

import msgspec
from msgspec import Struct


class Worth(Struct, frozen=True):
    """What houses and coins are worth to the seat that opens an auction."""

    auction: int
    coin_chance: float
    """By how much one coin more raises its chance to win."""
    coin_score: float
    """By how much one coin more raises the score that it expects."""
    houses: list[float]
    """In coins: how much more each house is worth in its hand than house 1."""


class Trust(Struct, frozen=True):
    """What chance the opener of an auction gave itself, and how often it won, on average."""

    auction: int
    expected: float
    won: float


class Check(Struct, frozen=True):
    """What a gift to the opener of an auction should add to its win share, and what it did, in games that go on."""

    gift: str
    expected: float
    won: float
    half: float
    """The truth is that far away at most, with 95 %."""


class Trade(Struct, frozen=True):
    """What a house cost in an auction, and which cheque it took in a sale."""

    price: float
    cheque: float
    low: float
    """One in ten took no more than this."""
    high: float
    """One in ten took no less than this."""


class Stop(Struct, frozen=True):
    """How often a seat bid on, when so many were left in one of these auctions."""

    bidders: int
    first: int
    last: int
    asked: list[list[int]]
    """By gap (see `bidding.GAPS`) and by the least bid, from 1."""
    stayed: list[list[int]]


class Place(Struct, frozen=True):
    """Which of its houses a seat played on such cheques, from 0 for the lowest to 1 for the highest."""

    low: int
    high: int
    place: float
    sales: int


class Manners(Struct, frozen=True):
    """How it bids in an edition, with four seats."""

    edition: str
    odd: float
    """Of all bids."""
    jumps: float
    """Of all bids: those higher than they had to be."""
    at_once: float
    """Of all passes: those of seats that had not bid."""
    price: float
    """Of the highest house, on average."""
    lost: float
    """By a pass, on average."""
    left: float
    """Coins of a seat after the last auction."""
    given_up: list[float]
    """Of all passes after a bid: how high that was, from 0."""


class Seats(Struct, frozen=True):
    """The win share of each seat, from the one that opens the first auction on clockwise."""

    edition: str
    seats: int
    shares: list[float]
    half: float
    """The truth is that far away at most, with 95 %."""


class Found(Struct, frozen=True):
    weights: str
    """The beginning of their SHA-256."""
    games: int
    """In each edition, with each number of seats."""
    seed: int
    worths: list[Worth]
    trust: list[Trust]
    checks: list[Check]
    trades: list[Trade]
    stops: list[Stop]
    places: list[Place]
    manners: list[Manners]
    seats: list[Seats]


def from_text(text: str) -> Found:
    return msgspec.json.decode(text, type=Found)


def to_text(found: Found) -> str:
    """With a line for each thing that was measured, so that two runs can be compared."""
    parts = []
    for name, value in msgspec.to_builtins(found).items():
        if isinstance(value, list):
            rows = ",\n".join(msgspec.json.encode(_short(row)).decode() for row in value)
            parts.append(f'"{name}": [\n{rows}\n]')
        else:
            parts.append(f'"{name}": {msgspec.json.encode(value).decode()}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _short(value: object) -> object:
    """With four digits behind the point: more are noise."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [_short(part) for part in value]
    if isinstance(value, dict):
        return {name: _short(part) for name, part in value.items()}
    return value
