"""Which question to a bot is answered next: a fair queue, without processes or an event loop.

Questions of tables where a seated person is connected come first. Among them the hosts (the guests who opened the
tables) take turns, then the tables of a host; a table's own questions are answered in the order in which they came.
A question that has waited for `OVERDUE_AFTER` seconds takes turns with those: correspondence games must move on a busy
server too.

Slow bots never occupy every worker: one is left for quick bots. While nobody is at the table, slow bots have a single
worker between them, however many tables they play at and however long those have waited.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

__all__ = ["OVERDUE_AFTER", "RECHECK", "Asker", "BotQueue", "Ticket"]

OVERDUE_AFTER = 60.0
"""Seconds after which a question no longer waits for those of attended tables."""
RECHECK = 0.25
"""Seconds between looks at all waiting tables: people come back, and questions become overdue."""
MAX_REMEMBERED = 10_000
"""Hosts, and tables, whose last turn is remembered."""

_Lane = str
"""What a question competes for. Hosts take turns in each lane, or a busy host's questions in one would starve those
that it has in another."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The table that has a question, and who opened it."""

    table: str
    host: str
    attended: Callable[[], bool]
    """Whether a seated person is connected right now. It is called again whenever a question is to be picked."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A question's place in the queue, and its worker once it has been picked."""

    bot: str
    asker: Asker
    arrived: float
    number: int
    slow: bool = False
    """Whether its bot counted as slow when it was picked."""


class _Standing(Enum):
    ATTENDED = auto()
    OVERDUE = auto()
    UNATTENDED = auto()


@dataclass(eq=False, slots=True)
class _Line:
    """The waiting questions of one table to one bot, oldest first."""

    bot: str
    tickets: deque[Ticket]
    standing: _Standing = _Standing.UNATTENDED

    @property
    def asker(self) -> Asker:
        return self.tickets[0].asker


class _Turns:
    """Who had a turn when, in each lane. New names are put at the back and gain nothing."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[_Lane, str], int] = OrderedDict()
        self._count = 0

    def join(self, lane: _Lane, name: str) -> None:
        if (lane, name) not in self._last:
            self.take(lane, name)

    def take(self, lane: _Lane, name: str) -> None:
        self._count += 1
        self._last[lane, name] = self._count
        self._last.move_to_end((lane, name))
        if len(self._last) > MAX_REMEMBERED:
            self._last.popitem(last=False)

    def last(self, lane: _Lane, name: str) -> int:
        """When it was; those whose turn is forgotten had it before all others."""
        return self._last.get((lane, name), 0)


class BotQueue:
    """Questions that wait and questions that have a worker.

    `is_slow` and `runs_alone` are asked for a bot whenever a question is to be picked. A bot that runs alone has one
    worker at most.
    """

    def __init__(
        self,
        workers: int,
        is_slow: Callable[[str], bool],
        runs_alone: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._workers = workers
        self._slow_workers = max(1, workers - 1)
        self._is_slow = is_slow
        self._runs_alone = runs_alone
        self._clock = clock
        self._number = 0
        self._rechecked = clock()
        self._hosts = _Turns()
        self._tables = _Turns()
        self._waiting: dict[Ticket, _Line] = {}
        self._running: set[Ticket] = set()
        self._lines: dict[tuple[str, str, str], _Line] = {}
        self._by_bot: dict[tuple[_Standing, str], dict[str, set[_Line]]] = {}
        """The lines of a standing and a bot, by host."""

    @property
    def waiting(self) -> int:
        """Questions that have no worker yet."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """Questions that have a worker."""
        return len(self._running)

    @property
    def longest_wait(self) -> float:
        """Seconds that the oldest of the waiting questions has waited; 0 if there is none."""
        oldest = next(iter(self._waiting), None)
        return 0.0 if oldest is None else self._clock() - oldest.arrived

    def add(self, bot: str, asker: Asker) -> Ticket:
        """Put a question at the end of its table's line."""
        self._number += 1
        ticket = Ticket(bot, asker, self._clock(), self._number)
        key = asker.host, asker.table, bot
        if key in self._lines:
            self._lines[key].tickets.append(ticket)
        else:
            line = self._lines[key] = _Line(bot, deque([ticket]))
            line.standing = self._standing(line)
            self._file(line)
        self._waiting[ticket] = self._lines[key]
        return ticket

    def remove(self, ticket: Ticket) -> None:
        """The question was answered or withdrawn: it leaves the queue, or its worker is free."""
        self._running.discard(ticket)
        if ticket in self._waiting:
            self._take_out(ticket)

    def pick(self) -> Ticket | None:
        """The next question for a worker, which is taken from now on; None if no question may have one."""
        if len(self._running) >= self._workers:
            return None
        if self._clock() - self._rechecked >= RECHECK:
            self._recheck()
        while (line := self._first()) is not None:
            if not self._moved(line):
                return self._start(line)
        return None

    # -- order

    def _first(self) -> _Line | None:
        """The line whose turn it is, as far as is known: what is known of attendance may be outdated."""
        return self._least_recent(_Standing.ATTENDED, _Standing.OVERDUE) or self._least_recent(_Standing.UNATTENDED)

    def _least_recent(self, *standings: _Standing) -> _Line | None:
        candidates: list[_Line] = []
        for (standing, bot), hosts in self._by_bot.items():
            if standing in standings and self._may_run(bot, standing):
                lane = self._lane(bot, standing)
                candidates += hosts[min(hosts, key=partial(self._hosts.last, lane))]
        return min(candidates, key=self._order, default=None)

    def _order(self, line: _Line) -> tuple[int, int, int]:
        lane, asker = self._lane(line.bot, line.standing), line.asker
        return self._hosts.last(lane, asker.host), self._tables.last(lane, asker.table), line.tickets[0].number

    def _lane(self, bot: str, standing: _Standing) -> _Lane:
        if self._runs_alone(bot):
            return f"alone: {bot}"
        if not self._is_slow(bot):
            return "quick"
        return "slow" if standing is _Standing.ATTENDED else "slow and unattended"

    def _may_run(self, bot: str, standing: _Standing) -> bool:
        if self._runs_alone(bot) and any(ticket.bot == bot for ticket in self._running):
            return False
        if not self._is_slow(bot):
            return True
        slow = [ticket for ticket in self._running if ticket.slow]
        if len(slow) >= self._slow_workers:
            return False
        return standing is _Standing.ATTENDED or all(ticket.asker.attended() for ticket in slow)

    def _start(self, line: _Line) -> Ticket:
        ticket, lane = line.tickets[0], self._lane(line.bot, line.standing)
        self._hosts.take(lane, ticket.asker.host)
        self._tables.take(lane, ticket.asker.table)
        self._take_out(ticket)
        ticket.slow = self._is_slow(ticket.bot)
        self._running.add(ticket)
        return ticket

    # -- standing

    def _standing(self, line: _Line) -> _Standing:
        if line.asker.attended():
            return _Standing.ATTENDED
        overdue = self._clock() - line.tickets[0].arrived >= OVERDUE_AFTER
        return _Standing.OVERDUE if overdue else _Standing.UNATTENDED

    def _recheck(self) -> None:
        """Look at all lines that might have to move up. Those that should move down are noticed when picked."""
        self._rechecked = self._clock()
        for line in self._lines.values():
            if line.standing is not _Standing.ATTENDED:
                self._moved(line)

    def _moved(self, line: _Line) -> bool:
        """Whether a line had to be filed under another standing."""
        standing = self._standing(line)
        if standing is line.standing:
            return False
        self._unfile(line)
        line.standing = standing
        self._file(line)
        return True

    # -- bookkeeping

    def _take_out(self, ticket: Ticket) -> None:
        line = self._waiting.pop(ticket)
        if len(line.tickets) == 1:
            self._unfile(line)
            del self._lines[ticket.asker.host, ticket.asker.table, ticket.bot]
        line.tickets.remove(ticket)

    def _file(self, line: _Line) -> None:
        lane = self._lane(line.bot, line.standing)
        self._hosts.join(lane, line.asker.host)
        self._tables.join(lane, line.asker.table)
        hosts = self._by_bot.setdefault((line.standing, line.bot), {})
        hosts.setdefault(line.asker.host, set()).add(line)

    def _unfile(self, line: _Line) -> None:
        key = line.standing, line.bot
        lines = self._by_bot[key][line.asker.host]
        lines.remove(line)
        if not lines:
            del self._by_bot[key][line.asker.host]
        if not self._by_bot[key]:
            del self._by_bot[key]
