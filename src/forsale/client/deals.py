"""The client's part in a fair shuffle: a seed of its own, and the check after the game that it was used."""

import base64
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from forsale import record, shuffle
from forsale.client.errors import ClientError, DealError
from forsale.game import Dealt, Event, Phase
from forsale.record import Record, RecordError
from forsale.shuffle import Opening, ShuffleError

_SEED_BYTES = 16


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a client keeps of a table before the game: what was promised, and what it added only after that."""

    commitment: str
    seed: str


def new_seed() -> str:
    """128 random bits in 26 characters that a record can hold."""
    return base64.b32encode(secrets.token_bytes(_SEED_BYTES)).decode().rstrip("=").lower()


def check_deal(own: Contribution, seat: int, written: Record, seen: Iterable[Event]) -> str:
    """Check the deal of a finished game. `written` is its record, `seen` what this client was shown during the game.

    Returns what is proved, in a sentence. Raises `DealError` with the first thing that is wrong.
    """
    secret = written.tag("Secret")
    if secret is None:
        raise ClientError("the game is not over, so the secret of its deal is not known yet")
    seeds = tuple((written.tag("Seeds") or "").split("|"))
    if written.tag("Commitment") != own.commitment:
        raise DealError("the commitment is not the one that was published when you sat down")
    if seat >= len(seeds) or seeds[seat] != own.seed:
        raise DealError("the deal was not made with the seed that you gave")
    history = _verified_history(written, Opening(own.commitment, _secret(secret), seeds))
    dealt = {event for event in history if isinstance(event, Dealt)}
    for event in seen:
        if isinstance(event, Dealt) and event not in dealt:
            what = "auction" if event.phase is Phase.BUYING else "sale"
            raise DealError(f"{what} {event.number} showed you other cards than the record says")
    if own.seed:
        return "fair: the cards follow from the secret committed to before you gave your seed, and from your seed"
    whose = "from seeds of other players" if any(seeds) else "from no player's seed"
    return f"as committed: the cards follow from the secret committed to before the game, and {whose}"


def _secret(text: str) -> bytes:
    try:
        return shuffle.secret_from_hex(text)
    except ShuffleError as error:
        raise DealError(str(error)) from None


def _verified_history(written: Record, opening: Opening) -> tuple[Event, ...]:
    try:
        played = record.replay(written)
        rules, history = played.state.rules, played.state.history
        shuffle.verify(played.edition, rules.seats, rules.variant, opening, written.first, history)
    except RecordError as error:
        raise DealError(f"the record of the game breaks a rule: {error}") from None
    except ShuffleError as error:
        raise DealError(str(error)) from None
    return history
