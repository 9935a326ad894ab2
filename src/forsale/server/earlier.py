"""The games before: a rematch is another table, and bots there know what a person would remember of those before it."""

from collections import defaultdict

from forsale.server.loading import load_table
from forsale.server.store import Store
from forsale.server.table import Seat, Table
from forsale.view import MAX_EARLIER, Earlier, remembered


async def games_before(table: Table, store: Store) -> tuple[Earlier, ...]:
    """Of the tables that this one follows, the oldest first. What is not there any more, or not finished, is not told.

    The game has begun, so that who sits where is settled.
    """
    games: list[Earlier] = []
    before = table.follows
    for _ in range(MAX_EARLIER):
        then = await load_table(before, store) if before else None
        if then is None:
            break
        if then.state is not None and then.is_over:
            games.append(remembered(then.state, seats_now(then, table)))
        before = then.follows
    return tuple(reversed(games))


def seats_now(then: Table, now: Table) -> tuple[int | None, ...]:
    """For each seat of an earlier table, where its player sits now. Bots of one name are told apart by their order."""
    places: defaultdict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for index, seat in enumerate(now.seats):
        places[_player(seat)].append(index)
    return tuple([here.pop(0) if (here := places[_player(seat)]) else None for seat in then.seats])


def _player(seat: Seat) -> tuple[str | None, str | None]:
    """Who a player is, from game to game: a guest, or a bot of some name."""
    return seat.guest, seat.bot
