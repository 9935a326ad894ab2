"""From a view to the row that the net is told, without going through the whole history each time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion.habits import HABITS, LENGTH, play
from forsale.bots.champion.told import ROW, write_row
from forsale.bots.replaying import Replay
from forsale.editions import Rules
from forsale.encoding import ACTIONS, EncodingError
from forsale.game import BUYING, Event, HouseChosen, seat_letter
from forsale.scalar.layout import TO_ACT
from forsale.scalar.legal import write_mask
from forsale.view import Earlier, View

_GAMES = 16
"""That are remembered: one for each table that is likely to be served in turn."""
_EARLIER = 3
"""Games before this one that count: in training a line-up stays for four in all, and more was never told to a net."""


class Seen(NamedTuple):
    """What the net is told."""

    row: NDArray[np.int16]
    mask: NDArray[np.bool_]
    """What is legal."""


class _Game:
    """One game and the habits seen in it, as far as it was told, and in the games before it."""

    def __init__(self, rules: Rules, earlier: tuple[Earlier, ...]) -> None:
        self._replay = Replay(rules)
        self._earlier = earlier
        self._habits = habits_before(earlier)
        self._told: tuple[Event, ...] = ()

    def leads_to(self, rules: Rules, earlier: tuple[Earlier, ...], events: tuple[Event, ...]) -> bool:
        """Whether these events, after these games, begin with all that was told."""
        same_table = self._replay.rules == rules and self._earlier == earlier
        return same_table and events[: len(self._told)] == self._told

    def go_on(self, events: tuple[Event, ...]) -> None:
        """To the end of these events, which begin with all that was told."""
        _watch(self._replay, self._habits, events[len(self._told) :])
        self._told = events

    def seen_by(self, seat: int) -> Seen:
        """What the net is told for a seat that can act."""
        s, r = self._replay.s.copy(), self._replay.r
        s[TO_ACT] = seat  # in a sale all act at once
        row, mask = [0] * ROW, [False] * ACTIONS
        write_row(s, r, self._habits, seat, row)
        write_mask(s, r, mask)
        return Seen(np.array(row, np.int16), np.array(mask))


class Watching:
    """Remembers some games, to go on where it was; what it tells is the same if it has forgotten them.

    It keeps what is public alone, so that seats at one table share what is remembered of their game.
    """

    def __init__(self) -> None:
        self._games: list[_Game] = []
        """The one that was asked for last comes last."""

    def seen(self, view: View) -> Seen:
        """What the net is told for the seat whose view it is."""
        seat = _able(view)
        events = tuple([event for event in view.history if type(event) is not HouseChosen])
        game = self._taken(view.rules, view.earlier, events)
        game.go_on(events)
        self._games = [*self._games[1 - _GAMES :], game]
        return game.seen_by(seat)

    def _taken(self, rules: Rules, earlier: tuple[Earlier, ...], events: tuple[Event, ...]) -> _Game:
        """A game that leads to these events, which is no longer among those remembered; or a new one."""
        for place in reversed(range(len(self._games))):
            if self._games[place].leads_to(rules, earlier, events):
                return self._games.pop(place)
        return _Game(rules, earlier)


def _watch(replay: Replay, habits: list[int], events: tuple[Event, ...]) -> None:
    """Play a game on by these events, and add what the seats do there to their habits."""
    for action in replay.actions(events):
        play(replay.s, replay.d, replay.r, habits, action)


def habits_before(earlier: tuple[Earlier, ...]) -> list[int]:
    """What was seen in earlier games, as far as they count, for each player where they sit now."""
    habits = [0] * LENGTH
    for game in earlier[-_EARLIER:]:
        try:
            replay = Replay(game.rules)
        except EncodingError:  # too large an edition
            continue
        moved = [(_part(then), _part(now)) for then, now in enumerate(game.seats) if now is not None]
        habits_then = [0] * LENGTH
        for then, now in moved:
            habits_then[then] = habits[now]
        _watch(replay, habits_then, game.history)
        for then, now in moved:
            habits[now] = habits_then[then]
    return habits


def _part(seat: int) -> slice:
    """Where the habits of a seat stand."""
    return slice(seat * HABITS, (seat + 1) * HABITS)


def _able(view: View) -> int:
    """The seat, which must be able to act: the net has learned to judge a position when it is asked what to do."""
    if view.seat is None:
        raise EncodingError("expected the view of a seat, got a spectator's")
    if view.phase is BUYING:
        able = view.bidders[:1] == (view.seat,)
    else:
        able = bool(view.market and view.hand_sizes[view.seat])
    if not able:
        raise EncodingError(f"expected the view of a seat that can act, got that of seat {seat_letter(view.seat)}")
    return view.seat
