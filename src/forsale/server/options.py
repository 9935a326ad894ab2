"""What a table is opened with: the choices of the one who opens it."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from forsale import bots, editions
from forsale.editions import EditionError
from forsale.server.refusal import Refusal


class NoClock(Struct, frozen=True, forbid_unknown_fields=True, tag="none", tag_field="kind"):
    """Nobody is hurried. A seat whose player is gone is played by a bot after a while, so that no table is blocked."""


class Seconds(Struct, frozen=True, forbid_unknown_fields=True, tag="seconds", tag_field="kind"):
    """So many seconds a decision; what it takes longer comes out of the seat's bank."""

    decision: Annotated[int, Meta(ge=5, le=600)] = 30
    bank: Annotated[int, Meta(ge=0, le=3600)] = 120


class Days(Struct, frozen=True, forbid_unknown_fields=True, tag="days", tag_field="kind"):
    """Play by correspondence: so many days a decision."""

    days: Annotated[int, Meta(ge=1, le=14)] = 3


Clock = NoClock | Seconds | Days


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of the one who opens a table."""

    edition: str = editions.DEFAULT
    variant: str | None = None
    seats: Annotated[int, Meta(ge=editions.MIN_SEATS, le=editions.MAX_SEATS)] = 4
    listed: bool = False
    """Shown among the open tables; otherwise found by its link alone."""
    clock: Clock = msgspec.field(default_factory=NoClock)
    tracker: bool = False
    bot: str = "broker"
    """Which bot fills empty seats and plays for absent people."""
    chat: bool = True


def check(options: Options) -> None:
    """Refuse what no rulebook has. Only published editions: a table's log names its edition by id alone."""
    if options.edition not in editions.published():
        known = ", ".join(editions.published())
        raise Refusal("table/options", f"edition: expected {known}, got {options.edition!r}.")
    try:
        editions.load(options.edition).rules(options.seats, options.variant)
        bots.find(options.bot)
    except (EditionError, bots.BotError) as error:
        raise Refusal("table/options", f"{error}.") from None
