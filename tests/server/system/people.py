"""People for the tests: they play at live tables as people do, with plans, second thoughts and broken connections."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random

from forsale.client import Client, Options, PassOn, RaiseTo, Refused, Seat
from forsale.game import Action, Bid, Pass
from forsale.server.wire import Position


class Witness(Seat):
    """A seat that keeps all that it was ever sent."""

    frames: list[bytes]
    seen: dict[int, tuple[Position | None, tuple[Action, ...]]]
    """By sequence number: the position and what was legal, as far as they were told."""
    told_in_play: set[int]
    """Sequence numbers of what was told while the game went on; the rest came when nothing was secret any more."""

    @classmethod
    def of(cls, client: Client, table: str, last: int = 0) -> "Witness":
        witness = cls(client._http, table, patience=60.0, last=last)
        witness.frames, witness.seen, witness.told_in_play = [], {}, set()
        return witness

    async def _take(self, data: str | bytes) -> None:
        self.frames.append(data.encode() if isinstance(data, str) else data)
        known = len(self.happenings)
        await super()._take(data)
        self.seen[self.seq] = self.position, self.legal
        if not self.is_over:
            self.told_in_play.update(happening.seq for happening in self.happenings[known:])


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, from 0 to 1, a person does what; the others are quiet players."""

    raises: float = 0.6
    plans: float = 0.15
    changes: float = 0.4
    drops: float = 0.03


async def play(seat: Seat, rng: Random, habits: Habits | None = None) -> None:
    """Until the game is over."""
    habits = habits or Habits()
    while True:
        await seat.until(lambda at: at.must_act or at.is_over)
        if seat.is_over:
            return
        if rng.random() < habits.drops:
            await seat.reconnect()
        elif seat.position is not None and seat.position.phase == "buying":
            await _buy(seat, rng, habits)
        else:
            await _sell(seat, rng, habits)


async def _buy(seat: Seat, rng: Random, habits: Habits) -> None:
    before = seat.seq
    if rng.random() < habits.plans:
        if await tried(seat, PassOn() if rng.random() < 0.5 else RaiseTo(rng.randrange(8))):
            await seat.until(lambda at: at.seq > before)
        return
    bids = [action for action in seat.legal if isinstance(action, Bid)]
    await tried(seat, rng.choice(bids[:3]) if bids and rng.random() < habits.raises else Pass())


async def _sell(seat: Seat, rng: Random, habits: Habits) -> None:
    await tried(seat, rng.choice(seat.legal))
    while seat.legal and not seat.must_act and rng.random() < habits.changes:
        await tried(seat, rng.choice(seat.legal))


async def tried(seat: Seat, what: Action | PassOn | RaiseTo) -> bool:
    """Do it, unless the table has moved on meanwhile. Any other refusal is an error."""
    before = seat.seq
    try:
        if isinstance(what, PassOn | RaiseTo):
            await seat.set_plan(what)
        else:
            await seat.act(what, based_on=before)
    except Refused as refused:
        if refused.code not in ("action/stale", "action/illegal", "plan/too-late"):
            raise
        await seat.until(lambda at: at.seq > before)
        return False
    return True


@asynccontextmanager
async def guests(address: str, *names: str) -> AsyncIterator[list[Client]]:
    """So many people, each with a name."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(address)) for _ in names]
        await asyncio.gather(*(client.rename(name) for client, name in zip(clients, names, strict=True)))
        yield clients


async def gather_at_table(people: Sequence[Client], options: Options) -> str:
    """A table that the first opens and the others join, each with a seed. Bots take what is left, and it begins."""
    table = (await people[0].create(options)).id
    for number, person in enumerate(people):
        await person.join(table, f"seed of {number}")
    await people[0].start(table)
    return table
