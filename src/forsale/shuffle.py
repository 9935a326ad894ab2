"""The fair shuffle: a deal that nobody chose, and that anyone can check afterwards.

Before the game the table publishes a *commitment* to a secret. Then each player may add a seed of their own. The
deal follows from secret and seeds together; after the game the secret is revealed, and anyone can check that it is
the one committed to and that it gives these very cards. What this does and does not protect against is in
docs/fair-shuffle.md.

The algorithm, exactly, so that it can be written again in any language:

1. `commitment` = SHA-256 of `forsale commit 1` followed by the 32 bytes of the secret.
2. `key` = SHA-256 of `forsale deal 1`, the secret, and for each seat in order the length of its seed in UTF-8 as
   4 bytes, big-endian, followed by the seed (a seat without one has length 0).
3. The stream is the concatenation of SHA-256(key + i) for i = 0, 1, 2…, i as 8 bytes, big-endian. It is read as
   numbers of 4 bytes, big-endian.
4. A number below n: read one; if it is at least 2^32 - (2^32 mod n), read again; else it modulo n.
5. A deck starts in ascending order. For i from its last index down to 1, the card at i changes places with the one
   at a number below i + 1.
6. Houses are shuffled first, then cheques. The first cards of each, as many as the edition says, are removed. Then
   the first seat is a number below the number of seats.

>>> secret = bytes(32)
>>> commitment(secret)
'ac43d2dbd227cddf1b1ca2e813093d8d868a3b416a772e1b2599de670d741911'
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from forsale.editions import Edition, Rules
from forsale.game import BUYING, SELLING, Dealt, Decks, Event, seat_letter

__all__ = [
    "Deal",
    "Draws",
    "Opening",
    "ShuffleError",
    "Stream",
    "bot_seed",
    "check_seed",
    "commitment",
    "deal",
    "fair_deal",
    "new_secret",
    "secret_from_hex",
    "verify",
]

SECRET_BYTES = 32
_WORD_BYTES = 4
_NOT_IN_A_SEED = re.compile(r'[|"\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_WORDS = 2 ** (8 * _WORD_BYTES)


class ShuffleError(ValueError):
    """A secret, a commitment or cards that do not belong together, in one sentence."""


class Draws(Protocol):
    """Where chance comes from: a `Stream`, or Python's `random.Random`."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to `stop` - 1, each as likely as the others."""


class Stream:
    """Unbiased numbers from a key: steps 3 and 4 above.

    >>> stream = Stream(b"a key")
    >>> [stream.randrange(6) for _ in range(10)]
    [3, 4, 2, 2, 4, 4, 5, 4, 5, 3]
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._unread = b""

    def randrange(self, stop: int, /) -> int:
        if not 0 < stop <= _WORDS:
            raise ValueError(f"expected a range from 1 to {_WORDS}, got {stop!r}")
        limit = _WORDS - _WORDS % stop
        while (word := self._word()) >= limit:
            pass
        return word % stop

    def _word(self) -> int:
        if not self._unread:
            self._unread = hashlib.sha256(self._key + self._blocks.to_bytes(8, "big")).digest()
            self._blocks += 1
        word, self._unread = self._unread[:_WORD_BYTES], self._unread[_WORD_BYTES:]
        return int.from_bytes(word, "big")


@dataclass(frozen=True, slots=True)
class Deal:
    """All that chance decides in a game."""

    decks: Decks
    first: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What is needed to check a deal: the promise, the secret behind it, and the players' seeds."""

    commitment: str
    secret: bytes
    seeds: tuple[str, ...] = ()


def deal(edition: Edition, seats: int, rng: Draws, variant: str | None = None) -> Decks:
    """Shuffle both decks and remove what the edition says: steps 5 and 6."""
    return _decks(edition.rules(seats, variant), rng)


def _decks(rules: Rules, rng: Draws) -> Decks:
    houses = _shuffled(rules.houses, rng)
    cheques = _shuffled(rules.cheques, rng)
    gone = rules.removed
    return Decks(houses[gone:], cheques[gone:], houses[:gone], cheques[:gone])


def _shuffled(cards: Sequence[int], rng: Draws) -> tuple[int, ...]:
    deck = list(cards)
    for i in range(len(deck) - 1, 0, -1):
        j = rng.randrange(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def new_secret() -> bytes:
    """A secret for one game, from the system's own source of chance."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published before the game: step 1."""
    return hashlib.sha256(b"forsale commit 1" + _checked(secret)).hexdigest()


def fair_deal(
    edition: Edition, seats: int, secret: bytes, seeds: Sequence[str] = (), variant: str | None = None
) -> Deal:
    """The decks and the first seat that follow from a secret and the players' seeds, one a seat or none at all."""
    rules = edition.rules(seats, variant)
    if len(seeds) not in (0, seats):
        raise ShuffleError(f"expected no seeds or one for each of {seats} seats, got {len(seeds)}")
    key = hashlib.sha256(b"forsale deal 1" + _checked(secret))
    for seed in seeds or [""] * seats:
        check_seed(seed)
        data = seed.encode("utf-8")
        key.update(len(data).to_bytes(4, "big") + data)
    stream = Stream(key.digest())
    decks = _decks(rules, stream)
    return Deal(decks, stream.randrange(seats))


def bot_seed(secret: bytes, seat: int, seq: int) -> str:
    """The random seed of a bot that decides for a seat after entry `seq` of the table's log.

    Anyone can compute it once the secret is revealed, but it does not reveal the
    secret to the bot: `bot_seed` = HMAC-SHA256 with the secret as its key, of `forsale bot 1` followed by the seat as
    4 bytes and the entry's number as 8 bytes, both big-endian; written as 64 small hexadecimal digits.

    >>> bot_seed(bytes(32), seat=1, seq=7)
    '93830519b93c0ba75ef33c45d4bdef29ae2bde2da60127c68272a27cf439fb73'
    """
    message = b"forsale bot 1" + seat.to_bytes(4, "big") + seq.to_bytes(8, "big")
    return hmac.digest(_checked(secret), message, "sha256").hex()


def check_seed(seed: str) -> None:
    """Refuse a player's seed that a record could not hold in its tag `Seeds`, where they are joined by |."""
    if _NOT_IN_A_SEED.search(seed):
        raise ShuffleError(f'expected a seed without |, " and control characters, got {seed[:80]!r}')


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ShuffleError(f"expected a secret of {SECRET_BYTES} bytes, got {len(secret)}")
    return secret


def secret_from_hex(text: str) -> bytes:
    """A secret as records write it: 64 small hexadecimal digits."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise ShuffleError(f"expected a secret of {2 * SECRET_BYTES} hexadecimal digits, got {text[:80]!r}")
    return bytes.fromhex(text)


def verify(
    edition: Edition,
    seats: int,
    variant: str | None,
    opening: Opening,
    first: int,
    history: Iterable[Event],
) -> Deal:
    """Recompute the deal of a game and compare it with what was promised before and with the cards that came.

    Raises `ShuffleError` with the first thing that differs. The history may be that of an unfinished game. Within
    one market the order of the cards is not known, and need not be: they are turned up together.
    """
    if commitment(opening.secret) != opening.commitment:
        raise ShuffleError("the secret is not the one that was committed to before the game")
    fair = fair_deal(edition, seats, opening.secret, opening.seeds, variant)
    if first != fair.first:
        began = seat_letter(first) if 0 <= first < seats else repr(first)
        raise ShuffleError(f"seat {began} began, but the deal says seat {seat_letter(fair.first)}")
    drawn = {BUYING: 0, SELLING: 0}
    for event in history:
        if isinstance(event, Dealt):
            deck = fair.decks.houses if event.phase is BUYING else fair.decks.cheques
            start, stop = drawn[event.phase], drawn[event.phase] + len(event.market)
            drawn[event.phase] = stop
            expected = tuple(sorted(deck[start:stop]))
            if event.market != expected:
                what = "auction" if event.phase is BUYING else "sale"
                raise ShuffleError(
                    f"{what} {event.number} turned up {_listed(event.market)}, but the deal says {_listed(expected)}"
                )
    return fair


def _listed(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))
