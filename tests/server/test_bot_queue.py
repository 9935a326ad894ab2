"""The order in which questions to bots are answered, and that nobody starves."""

from collections.abc import Callable, Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forsale.server import bot_queue
from forsale.server.bot_queue import OVERDUE_AFTER, RECHECK, Asker, BotQueue, Ticket

QUICK, SLOW, SLOW_TOO, SUSPECT = "quick", "slow", "slow-too", "suspect"
BOTS = (QUICK, SLOW, SLOW_TOO, SUSPECT)


class Office:
    """A queue with a clock that stands still, and people who come and go."""

    def __init__(self, workers: int = 3) -> None:
        self.seconds = 1000.0
        self.present: set[str] = set()
        """Tables where somebody is."""
        self.slow = {SLOW, SLOW_TOO, SUSPECT}
        self.queue = BotQueue(workers, self.slow.__contains__, SUSPECT.__eq__, lambda: self.seconds)
        self.running: list[Ticket] = []

    def ask(self, bot: str, table: str, host: str | None = None) -> Ticket:
        """A table's host is named by its first letter, if not otherwise."""
        return self.queue.add(bot, Asker(table, host or table[0], lambda: table in self.present))

    def ask_all(self, bot: str, tables: str) -> list[Ticket]:
        return [self.ask(bot, table) for table in tables.split()]

    def pick(self) -> list[str]:
        """The tables whose questions get workers."""
        picked = []
        while (ticket := self.queue.pick()) is not None:
            self.running.append(ticket)
            picked.append(ticket.asker.table)
        return picked

    def finish(self, ticket: Ticket | None = None) -> None:
        """Answer a question, the oldest one if not otherwise."""
        ticket = ticket or self.running[0]
        self.running.remove(ticket)
        self.queue.remove(ticket)

    def order(self) -> list[str]:
        """The tables of all waiting questions, in the order in which a single worker answers them."""
        picked = []
        while found := self.pick():
            picked += found
            for ticket in list(self.running):
                self.finish(ticket)
        return picked

    def is_empty(self) -> bool:
        queue = self.queue
        return not (queue.waiting or queue.running or queue._lines or queue._by_bot)


def office(*present: str, workers: int = 1) -> Office:
    here = Office(workers)
    here.present.update(present)
    return here


# --- Order -----------------------------------------------------------------------------------------------------------


def test_a_table_gets_its_answers_in_the_order_of_its_questions() -> None:
    here = office()
    tickets = [here.ask(QUICK, "a1") for _ in range(5)]
    for ticket in tickets:
        assert here.pick() == ["a1"]
        assert here.running == [ticket]
        here.finish()
    assert here.is_empty()


def test_hosts_take_turns_then_their_tables() -> None:
    here = office(*["a1", "a2", "b1", "c1", "c2"])
    here.ask_all(QUICK, "a1 a1 a1 a2 a2 b1 b1 c1 c2")
    assert here.order() == ["a1", "b1", "c1", "a2", "b1", "c2", "a1", "a2", "a1"]


def test_the_host_served_least_recently_goes_first() -> None:
    here = office(*["a1", "b1", "c1"])
    here.ask_all(QUICK, "c1 b1 a1")
    assert here.order() == ["c1", "b1", "a1"]
    here.ask_all(QUICK, "a1 b1 c1")
    assert here.order() == ["c1", "b1", "a1"]


def test_a_guest_with_many_tables_delays_another_by_one_question() -> None:
    here = office(*[f"a{number}" for number in range(50)], "b1")
    here.ask_all(QUICK, " ".join(f"a{number}" for number in range(50)))
    here.pick()
    here.ask(QUICK, "b1")
    here.finish()
    assert here.pick() == ["a1"]  # a host that was never seen before begins at the back
    here.finish()
    assert here.pick() == ["b1"]
    here.finish()
    here.pick()
    here.ask(QUICK, "b1")
    here.finish()
    assert here.pick() == ["b1"]


def test_attended_tables_come_first() -> None:
    here = office("b1")
    here.ask_all(QUICK, "a1 c1 b1 b1")
    assert here.order() == ["b1", "b1", "a1", "c1"]


def test_what_counts_is_who_is_there_when_a_question_is_picked() -> None:
    here = office("a1")
    here.ask_all(QUICK, "a1 b1 c1")
    here.present = {"c1"}
    here.seconds += RECHECK
    assert here.pick() == ["c1"]
    here.finish()
    here.present = set()
    assert here.order() == ["a1", "b1"]
    assert here.is_empty()


def test_all_tables_are_looked_at_only_now_and_then() -> None:
    """Thousands may wait, and most are asked for quick bots: that must not cost a look at each, each time."""
    looks: list[str] = []

    def attended(table: str) -> Callable[[], bool]:
        return lambda: bool(looks.append(table))  # type: ignore[func-returns-value]

    here = office()
    for number in range(1000):
        here.queue.add(QUICK, Asker(f"t{number}", f"h{number}", attended(f"t{number}")))
    looks.clear()
    for _ in range(10):
        here.pick()
        here.finish()
    assert len(looks) == 10
    here.seconds += RECHECK
    here.pick()
    assert len(looks) == 10 + 990 + 1


def test_a_question_that_is_overdue_takes_turns_with_attended_tables() -> None:
    here = office("b1", "c1")
    here.ask(QUICK, "a1")
    here.seconds += OVERDUE_AFTER - 1
    here.ask_all(QUICK, "b1 b1 c1 c1 a1")
    assert here.pick() == ["b1"]
    here.finish()
    here.seconds += 1
    assert here.pick() == ["a1"]
    here.finish()
    assert here.order() == ["c1", "b1", "c1", "a1"]


def test_who_is_forgotten_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_queue, "MAX_REMEMBERED", 2)
    here = office(*["a1", "b1", "c1"])
    here.ask_all(QUICK, "a1 b1")
    assert here.order() == ["a1", "b1"]
    here.ask_all(QUICK, "c1 b1 a1")
    assert here.order()[0] == "b1"


# --- Slow bots -------------------------------------------------------------------------------------------------------


def test_one_worker_is_left_to_quick_bots() -> None:
    here = office(*["a1", "b1", "c1", "d1"], workers=3)
    here.ask_all(SLOW, "a1 b1 c1")
    here.ask(QUICK, "d1")
    assert here.pick() == ["a1", "b1", "d1"]
    here.finish(here.running[2])
    assert here.pick() == []
    here.finish(here.running[0])
    assert here.pick() == ["c1"]


def test_a_single_worker_is_for_all() -> None:
    here = office("a1", "b1")
    here.ask(SLOW, "a1")
    here.ask(QUICK, "b1")
    assert here.order() == ["a1", "b1"]


def test_quick_bots_may_have_all_workers() -> None:
    here = office(workers=3)
    here.ask_all(QUICK, "a1 a2 a3 a4")
    assert here.pick() == ["a1", "a2", "a3"]


@pytest.mark.parametrize("seconds", [0, OVERDUE_AFTER])
def test_slow_bots_of_unattended_tables_have_one_worker(seconds: float) -> None:
    here = office("c1", workers=5)
    here.ask_all(SLOW, "a1 a2 b1")
    here.ask(SLOW_TOO, "b2")
    here.seconds += seconds
    assert here.pick() == ["a1"]
    here.ask(SLOW, "c1")
    assert here.pick() == ["c1"]
    here.finish(here.running[1])
    assert here.pick() == []
    here.finish()
    assert here.pick() == ["b1"]


def test_a_slow_bot_whose_people_leave_counts_as_unattended() -> None:
    here = office("a1", "b1", workers=5)
    here.ask(SLOW, "a1")
    assert here.pick() == ["a1"]
    here.present.remove("a1")
    here.ask_all(SLOW, "c1 b1")
    assert here.pick() == ["b1"]
    here.finish()
    assert here.pick() == ["c1"]


def test_people_who_leave_while_their_question_waits_are_no_longer_first() -> None:
    here = office("a1", "b1", workers=5)
    here.ask_all(SLOW, "c1 a1 a1")
    here.present.remove("a1")
    assert here.pick() == ["c1"]
    here.finish()
    assert here.pick() == ["a1"]


def test_a_bot_that_becomes_quick_while_it_waits_is_quick() -> None:
    here = office(workers=3)
    here.ask_all(SLOW, "a1 b1 c1")
    assert here.pick() == ["a1"]
    here.slow.remove(SLOW)
    assert here.pick() == ["b1", "c1"]


def test_a_suspect_runs_alone() -> None:
    here = office("a1", "b1", workers=5)
    here.ask_all(SUSPECT, "a1 b1")
    assert here.pick() == ["a1"]
    here.ask(SLOW, "b1")
    assert here.pick() == ["b1"]
    here.finish()
    assert here.pick() == ["b1"]


def test_a_host_that_plays_quick_bots_is_not_put_back_in_the_other_lanes() -> None:
    """Each quick answer would make it the host served last, and its slow question would never be next."""
    here = office(*["a1", "a2", "b1", "c1"], workers=2)
    here.ask_all(SLOW, "b1 c1 a2")
    served = here.pick()
    for _ in range(2):
        here.ask_all(QUICK, "a1 a1")
        served += [table for table in here.pick() if table != "a1"]
        for ticket in [ticket for ticket in here.running if ticket.bot == QUICK]:
            here.finish(ticket)
        here.finish()
        here.ask_all(SLOW, "b1 c1")
        served += here.pick()
    assert "a2" in served


# --- Leaving ---------------------------------------------------------------------------------------------------------


def test_a_withdrawn_question_leaves_the_queue_and_a_removed_one_its_worker() -> None:
    here = office(workers=2)
    first, second, third, fourth = here.ask_all(QUICK, "a1 a1 a1 b1")
    here.queue.remove(second)
    assert here.queue.waiting == 3
    assert here.pick() == ["a1", "b1"]
    assert here.running == [first, fourth]
    here.queue.remove(third)
    assert here.pick() == []
    here.queue.remove(first)
    here.queue.remove(first)
    assert (here.queue.waiting, here.queue.running) == (0, 1)
    here.queue.remove(fourth)
    assert here.is_empty()


def test_what_an_operator_wants_to_know() -> None:
    here = office()
    assert (here.queue.waiting, here.queue.longest_wait) == (0, 0.0)
    here.ask(QUICK, "a1")
    here.seconds += 5
    here.ask(QUICK, "b1")
    here.seconds += 2
    assert (here.queue.waiting, here.queue.longest_wait) == (2, 7.0)
    here.pick()
    assert (here.queue.waiting, here.queue.longest_wait) == (1, 2.0)


# --- Whatever happens ------------------------------------------------------------------------------------------------

TABLES = [f"{host}{number}" for host, number in product("abc", range(3))]
STEPS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(BOTS), st.sampled_from(TABLES)),
    st.tuples(st.just("come or go"), st.sampled_from(TABLES)),
    st.tuples(st.just("finish"), st.integers(0, 5)),
    st.tuples(st.just("withdraw"), st.integers(0, 30)),
    st.tuples(st.just("wait"), st.sampled_from([0.1, 1.0, 30.0, 60.0])),
    st.tuples(st.just("pick")),
)


def check_limits(here: Office, workers: int) -> None:
    running = here.running
    assert here.queue.running == len(running) <= workers
    assert sum(ticket.slow for ticket in running) <= max(1, workers - 1)
    assert sum(ticket.bot == SUSPECT for ticket in running) <= 1


@given(st.integers(1, 4), st.lists(STEPS, max_size=60))
def test_limits_hold(workers: int, steps: Iterable[tuple[object, ...]]) -> None:
    here = office(workers=workers)
    waiting: list[Ticket] = []
    for step in steps:
        match step:
            case "ask", str(bot), str(table):
                waiting.append(here.ask(bot, table))
            case "come or go", str(table):
                here.present ^= {table}
            case "finish", int(place) if place < len(here.running):
                here.finish(here.running[place])
            case "withdraw", int(place) if place < len(waiting):
                here.queue.remove(waiting.pop(place))
            case "wait", float(seconds):
                here.seconds += seconds
            case _:
                unattended = [ticket for ticket in here.running if ticket.slow and not ticket.asker.attended()]
                already = len(here.running)
                here.pick()
                started = here.running[already:]
                unattended += [ticket for ticket in started if ticket.slow and not ticket.asker.attended()]
                assert len(unattended) <= 1 or not set(started) & set(unattended)
                waiting = [ticket for ticket in waiting if ticket not in started]
                if waiting and len(here.running) < workers:  # what waits beside a free worker has to
                    held = {ticket.bot for ticket in waiting}
                    assert QUICK not in held
        check_limits(here, workers)
        assert here.queue.waiting == len(waiting)
        assert here.queue.longest_wait == max((here.seconds - ticket.arrived for ticket in waiting), default=0.0)
    for ticket in [*waiting, *here.running]:
        here.queue.remove(ticket)
    assert here.is_empty()


@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.sampled_from(BOTS), st.sampled_from(TABLES)), min_size=1, max_size=20),
    st.sets(st.sampled_from(TABLES)),
)
def test_nobody_starves(workers: int, questions: list[tuple[str, str]], present: set[str]) -> None:
    """Each question is asked again as soon as it is answered; a second passes with each round of answers."""
    here = office(*present, workers=workers)
    waiting = {here.ask(bot, table): here.seconds for bot, table in questions}
    longest = 0.0
    for _ in range(400):
        here.pick()
        for ticket in list(here.running):
            longest = max(longest, here.seconds - waiting.pop(ticket))
            here.finish(ticket)
            waiting[here.ask(ticket.bot, ticket.asker.table)] = here.seconds
        here.seconds += 1
    assert max(longest, *(here.seconds - since for since in waiting.values())) <= OVERDUE_AFTER + 8 * len(questions)


@given(st.integers(2, 4), st.integers(1, 50), st.sampled_from([SLOW, QUICK]))
def test_unattended_tables_do_not_delay_a_person(workers: int, tables: int, bot: str) -> None:
    """As after a guest has opened many tables and left: the next free worker is the person's."""
    here = office("b1", workers=workers)
    here.ask_all(bot, " ".join(f"a{number}" for number in range(tables)))
    here.pick()
    for _ in range(5):
        here.ask(QUICK, "b1")
        if bot == QUICK and len(here.running) == workers:
            here.finish()
        assert here.pick()[0] == "b1"
        here.finish(next(ticket for ticket in here.running if ticket.asker.table == "b1"))
        here.pick()
