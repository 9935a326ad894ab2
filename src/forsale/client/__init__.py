"""Play at a live table from Python: a client for `forsale serve`, for bots, for tests, for anything that is no browser.

    async with Client("http://127.0.0.1:8000") as me:
        await me.rename("Ana")
        table = await me.create(Options(seats=3))
        await me.start(table.id)
        async with me.sit(table.id) as seat:
            async for _ in seat:
                if seat.must_act:
                    await seat.act(seat.legal[0])
                if seat.is_over:
                    break
        print(await me.check_deal(table.id))

`play_bot` lets a bot of `forsale.bots`, or one of your own, play a whole game. docs/protocol.md says what goes over the
wire.
"""

from forsale.client.errors import ClientError, DealError, Refused
from forsale.client.guest import Client
from forsale.client.playing import play_bot
from forsale.client.seat import News, Seat
from forsale.client.views import event_from_wire, view_from
from forsale.server.options import Clock, Days, NoClock, Options, Seconds
from forsale.server.protocol import PassOn, Plan, RaiseTo

__all__ = [
    "Client",
    "ClientError",
    "Clock",
    "Days",
    "DealError",
    "News",
    "NoClock",
    "Options",
    "PassOn",
    "Plan",
    "RaiseTo",
    "Refused",
    "Seat",
    "Seconds",
    "event_from_wire",
    "play_bot",
    "view_from",
]
