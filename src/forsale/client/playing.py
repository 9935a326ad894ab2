"""A bot at a live table."""

import asyncio
from random import Random

from forsale.bots import Bot
from forsale.client.errors import ClientError, Refused
from forsale.client.seat import Seat
from forsale.game import Outcome


async def play_bot(seat: Seat, bot: Bot, rng: Random) -> Outcome:
    """Let a bot play a seat until the game is over, from its beginning or from the middle on.

    The bot thinks in a thread, so that a slow one does not make the connection fail. If the table has moved on while it
    thought, because its time was up and another bot played for it, it looks again.
    """
    if seat.table.you is None:
        raise ClientError("a spectator cannot play: join the table first")
    while True:
        await seat.until(lambda at: at.must_act or at.is_over)
        view, based_on = seat.view, seat.seq
        if view.outcome is not None:
            return view.outcome
        action = await asyncio.to_thread(bot.choose, view, seat.legal, rng)
        try:
            await seat.act(action, based_on=based_on)
        except Refused as refused:
            if not refused.code.startswith("action/") or not await _has_moved_on(seat, refused, based_on):
                raise


async def _has_moved_on(seat: Seat, refused: Refused, since: int) -> bool:
    """Whether an action was refused only because something else came first. That is known here at once, or soon."""
    if refused.code == "action/stale":
        await seat.until(lambda at: at.seq > since)
    return seat.seq > since
