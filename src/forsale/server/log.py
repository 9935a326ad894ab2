"""A table's truth: the entries of its log, stored as they are here. They hold secrets; clients see happenings.

They are values without cycles, and there are many: `gc=False` spares the garbage collector from going through them.
"""

from typing import Literal

from msgspec import Struct

from forsale.server.options import Options
from forsale.server.wire import Action

By = Literal["person", "bot", "stand-in"]
"""Who played: the person in the seat, the bot in the seat, or a bot for an absent person."""


class Opened(Struct, frozen=True, gc=False, omit_defaults=True, tag="opened", tag_field="kind"):
    """A table was opened. The secret of its deal is fixed here, before anyone adds a seed."""

    options: Options
    host: str
    secret: str
    follows: str | None = None
    """The table of which this one is the rematch; logs from before it was noted have none."""


class Joined(Struct, frozen=True, gc=False, tag="joined", tag_field="kind"):
    """A guest took a seat, and added a seed to the deal."""

    seat: int
    guest: str
    name: str
    seed: str = ""


class Left(Struct, frozen=True, gc=False, tag="left", tag_field="kind"):
    """A guest gave up a seat before the game began."""

    seat: int


class ChatSwitched(Struct, frozen=True, gc=False, tag="chat-switched", tag_field="kind"):
    """The host switched the chat on or off."""

    on: bool


class Started(Struct, frozen=True, gc=False, tag="started", tag_field="kind"):
    """The game began. By seat: the bot that was put there, null for a person."""

    bots: tuple[str | None, ...]


class Acted(Struct, frozen=True, gc=False, omit_defaults=True, tag="acted", tag_field="kind"):
    """An action was played. `id` is the one that the client gave it."""

    seat: int
    action: Action
    by: By
    id: str | None = None
    spared: int = 0
    """Milliseconds of the decision that do not count, as the server was down."""


class Said(Struct, frozen=True, gc=False, tag="said", tag_field="kind"):
    """A line of chat. `id` is the one that the client gave it."""

    guest: str
    name: str
    text: str
    id: str | None = None


class Reacted(Struct, frozen=True, gc=False, tag="reacted", tag_field="kind"):
    """A quick reaction. `id` is the one that the client gave it."""

    guest: str
    name: str
    reaction: str
    id: str | None = None


class RematchOpened(Struct, frozen=True, gc=False, tag="rematch-opened", tag_field="kind"):
    """The same people go on at another table."""

    table: str


Entry = Opened | Joined | Left | ChatSwitched | Started | Acted | Said | Reacted | RematchOpened


class Logged(Struct, frozen=True, gc=False):
    """An entry in its place. `at` is in milliseconds since 1970."""

    seq: int
    at: int
    entry: Entry
