"""Every message between a client and the server. docs/protocol.md, the JSON Schema and web's types are made from here.

One WebSocket a table. The client says `Hello`; the server answers `Welcome`, then sends an `Update` for each thing that
happens. A new field has a default, and none is ever retyped; what cannot be done so is a new `VERSION`.
"""

from typing import Annotated

from msgspec import Meta, Struct

from forsale.editions import CoinsHidden, Rounding, Rules, Words
from forsale.server.log import By
from forsale.server.options import Options
from forsale.server.refusal import Code
from forsale.server.wire import Action, Event, Position

VERSION = 1

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Seq = Annotated[int, Meta(ge=0)]


# --- From the client, on the socket --------------------------------------------------------------------------------


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag="hello"):
    """The first message. `last` is the last sequence number that the client has seen: it gets what it missed."""

    version: int
    last: Seq = 0


class Act(Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """Play an action. `based_on`: the last sequence number seen. `id`: the client's own; repeating it is harmless."""

    id: Id
    based_on: Seq
    action: Action


class PassOn(Struct, frozen=True, forbid_unknown_fields=True, tag="pass-on", tag_field="kind"):
    """Pass when it is my turn in this auction."""


class RaiseTo(Struct, frozen=True, forbid_unknown_fields=True, tag="raise-to", tag_field="kind"):
    """Bid as little as possible up to `limit`, then pass."""

    limit: Annotated[int, Meta(ge=0, le=9999)]


Plan = PassOn | RaiseTo


class SetPlan(Struct, frozen=True, forbid_unknown_fields=True, tag="plan"):
    """Tell the server in advance what to do in this auction; null takes a plan back. Nobody else learns of it."""

    id: Id
    plan: Plan | None


class Say(Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """A line of chat."""

    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class React(Struct, frozen=True, forbid_unknown_fields=True, tag="react"):
    """A quick reaction, one of those that the server knows."""

    id: Id
    reaction: Annotated[str, Meta(max_length=8)]


class Here(Struct, frozen=True, forbid_unknown_fields=True, tag="here"):
    """I am back: a bot that plays for me stops."""


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """Answered by `Pong`, with the server's time."""


ClientMessage = Hello | Act | SetPlan | Say | React | Here | Ping


# --- From the server, on the socket --------------------------------------------------------------------------------


class SeatInfo(Struct, frozen=True):
    """Who sits there, as everyone may know."""

    name: str
    bot: str | None
    taken: bool
    connected: bool
    away: bool
    """A bot plays for the person."""
    deadline: int | None
    """When the time of this seat runs out, in milliseconds since 1970, to the second; null without a clock."""
    bank: int
    """Milliseconds left in its time bank, to the second."""


class TableInfo(Struct, frozen=True):
    """What everyone may know of a table besides the game."""

    id: str
    options: Options
    status: str
    """`waiting`, `playing` or `over`."""
    seats: tuple[SeatInfo, ...]
    you: int | None
    """Your seat; null for a spectator."""
    you_are_host: bool
    spectators: int
    chat: bool
    commitment: str
    secret: str | None
    """Behind the commitment; null until the game is over."""
    seeds: tuple[str, ...] | None
    """What each seat added to the deal; null until the game is over."""
    rematch: str | None


class TableOpened(Struct, frozen=True, tag="opened", tag_field="kind"):
    """The table was opened."""


class SeatTaken(Struct, frozen=True, tag="joined", tag_field="kind"):
    """Somebody sat down."""

    seat: int
    name: str


class SeatLeft(Struct, frozen=True, tag="left", tag_field="kind"):
    """Somebody stood up before the game."""

    seat: int


class ChatSwitched(Struct, frozen=True, tag="chat-switched", tag_field="kind"):
    """The host switched the chat on or off."""

    on: bool


class GameStarted(Struct, frozen=True, tag="started", tag_field="kind"):
    """The game began; the first market is in the events."""


class Played(Struct, frozen=True, tag="played", tag_field="kind"):
    """A seat acted; what came of it is in the events."""

    seat: int
    by: By


class ChatLine(Struct, frozen=True, tag="said", tag_field="kind"):
    """Somebody said something; `seat` is null for a spectator."""

    seat: int | None
    name: str
    text: str


class Reaction(Struct, frozen=True, tag="reacted", tag_field="kind"):
    """Somebody reacted; `seat` is null for a spectator."""

    seat: int | None
    name: str
    reaction: str


class RematchOpened(Struct, frozen=True, tag="rematch-opened", tag_field="kind"):
    """The same people go on at another table."""

    table: str


What = TableOpened | SeatTaken | SeatLeft | ChatSwitched | GameStarted | Played | ChatLine | Reaction | RematchOpened


class Happening(Struct, frozen=True):
    """One entry of the table's log as the receiver may see it."""

    seq: int
    at: int
    what: What
    events: tuple[Event, ...]


class Welcome(Struct, frozen=True, tag="welcome"):
    """The answer to `Hello`: where the table stands, and all that the client has missed."""

    version: int
    now: int
    seq: int
    table: TableInfo
    missed: tuple[Happening, ...]
    position: Position | None
    legal: tuple[Action, ...]
    plan: Plan | None


class Update(Struct, frozen=True, tag="update"):
    """Something happened: what, and where the table stands now."""

    now: int
    happening: Happening
    table: TableInfo
    position: Position | None
    legal: tuple[Action, ...]
    plan: Plan | None


class Presence(Struct, frozen=True, tag="presence"):
    """Somebody came, went or is played by a bot: the table without anything having happened in the game."""

    now: int
    table: TableInfo


class Ack(Struct, frozen=True, tag="ack"):
    """A message was carried out, and is stored. `seq` is its place in the log; 0 for a plan, which has none."""

    id: str
    seq: int


class Refused(Struct, frozen=True, tag="refused"):
    """A message was not carried out: a code for programs, a sentence for people."""

    id: str | None
    code: Code
    sentence: str


class PlanIs(Struct, frozen=True, tag="plan-is"):
    """Your plan, whenever it changes; also in your other tabs."""

    plan: Plan | None


class Closing(Struct, frozen=True, tag="closing"):
    """The server ends the connection. Connect again after `retry_after` seconds, at once if 0, never if null."""

    code: Code
    sentence: str
    retry_after: float | None


class Pong(Struct, frozen=True, tag="pong"):
    """The server's time."""

    now: int


ServerMessage = Welcome | Update | Presence | Ack | Refused | PlanIs | Closing | Pong


# --- HTTP ----------------------------------------------------------------------------------------------------------


class NameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The name that you want."""

    name: Name


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """`seed` goes into the deal of the cards: anything you like, until the game begins."""

    seed: Annotated[str, Meta(max_length=64)] = ""


class ChatBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the chat shall be on."""

    on: bool


class RedeemBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands behind the # of a link from another device."""

    secret: Annotated[str, Meta(min_length=1, max_length=128)]


class Me(Struct, frozen=True):
    """Who the server takes you for."""

    id: str
    name: str


class TableCreated(Struct, frozen=True):
    """A table was opened."""

    id: str
    url: str
    """The link to share."""


class OpenTable(Struct, frozen=True):
    """A table that waits for people."""

    id: str
    options: Options
    host: str
    taken: int


class GameSummary(Struct, frozen=True):
    """A game of yours."""

    id: str
    edition: str
    variant: str | None
    status: str
    updated: int
    players: tuple[str, ...]
    you: int
    scores: tuple[int, ...] | None
    place: int | None


class Stats(Struct, frozen=True):
    """Finished games of yours; a shared victory counts in shares."""

    games: int
    wins: float
    mean_score: float | None
    mean_place: float | None


class History(Struct, frozen=True):
    """Your latest games, and all of them in numbers."""

    games: tuple[GameSummary, ...]
    stats: Stats


class DeviceLink(Struct, frozen=True):
    """Opens your seat on another device, once, for a few minutes. The secret is in the fragment: no server logs it."""

    url: str
    expires: int


class EditionInfo(Struct, frozen=True):
    """An edition that can be played here. `words`: what things are called, by language (`en`)."""

    id: str
    name: str
    seats: tuple[int, ...]
    """The numbers of seats that it can be played with."""
    variants: tuple[str, ...]
    coins_hidden: CoinsHidden
    """Whether seats may, should or must hide their coins."""
    refund: Rounding
    words: dict[str, Words]


class Choices(Struct, frozen=True):
    """What can be chosen at this server."""

    editions: tuple[EditionInfo, ...]
    levels: tuple[str, ...]
    """The bots that people are offered first, from the weakest on."""
    bots: tuple[str, ...]
    """All of them, the levels too."""
    reactions: tuple[str, ...]
    options: Options
    """What holds where nothing else is chosen."""


class Moment(Struct, frozen=True):
    """A position of a replay, and what led to it. Moment 0 is the deal, which is nobody's action."""

    number: int
    seat: int | None
    action: Action | None
    """Null for the deal, and for a choice in a sale that may not be known."""
    events: tuple[Event, ...]
    choices: tuple[int | None, ...]
    """By seat: the house chosen in this sale; null for none, and for one that may not be known."""
    position: Position


class Replay(Struct, frozen=True):
    """A game from its record, moment by moment."""

    tags: dict[str, str]
    """As they stand in the record."""
    players: tuple[str, ...]
    rules: Rules
    seat: int | None
    """Through whose eyes it is seen; null: all is open."""
    moments: tuple[Moment, ...]


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    code: Code
    sentence: str
