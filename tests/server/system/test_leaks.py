"""Nothing that is secret can be told from what anyone receives.

Each game is played twice, in two worlds that differ only in something secret: the cards that nobody has seen, what a
seat has chosen, what it plans, who the guests are, the secret and the seeds of the shuffle. Up to the moment when the
rules reveal it, every byte that each seat and a spectator gets must be the same, and come at the same time; and from
then on it must differ, or the test would prove nothing. Only the commitment, a hash that is public from the start, is
left out.

In this process, so that a test can choose the secret and the cards.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random

import msgspec
import pytest

from forsale import editions, game, shuffle
from forsale.game import SELLING, Dealt, Decks, SaleResolved, Sell, State
from forsale.server import live
from forsale.server.bus import LocalBus
from forsale.server.limits import Rate
from forsale.server.live import summary
from forsale.server.log import Entry, Joined, Logged, Opened
from forsale.server.options import Clock, NoClock, Options, Seconds
from forsale.server.protocol import VERSION, Act, Hello, PassOn, Plan, RaiseTo, SetPlan
from forsale.server.response_times import LONGEST, SHORTEST, ResponseTimes
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest, Planned, Summary
from forsale.server.table import fold
from forsale.server.tables import Connection, Tables
from forsale.server.thinkers import Thinkers
from forsale.server.wire import action_to_wire
from forsale.shuffle import Deal
from tests.games import COMBOS, NAMES, Combo, Game, Turn, combo_game

Observer = int | None
"""A seat, or None for a spectator."""
Step = Turn | tuple[int, Plan | None] | int
"""An action, a plan, or milliseconds that pass."""
Heard = dict[Observer, list[list[bytes]]]
"""By observer: what it received at each step. The first is what it was told when it came."""

TABLE = "atable"
SOME = [combo for combo in COMBOS if combo.seats in (3, 5)] + [COMBOS[2]]


@dataclass(frozen=True)
class World:
    """What differs between two runs of a game."""

    combo: Combo
    deal: Deal | None
    """None: what the secret says."""
    secret: bytes = bytes(32)
    guests: tuple[str, ...] = tuple(f"guest-{letter}" for letter in "abcdefw")
    seeds: tuple[str, ...] = ("",) * 6
    ids: str = "id"
    """What the ids of actions begin with."""
    tracker: bool = False
    clock: Clock = field(default_factory=NoClock)


class Memory(SqliteStore):
    """A store without a file: thousands of games are quicker so, and nothing here is about storing."""

    def __init__(self) -> None:
        super().__init__("nowhere")
        self._log: list[Logged] = []

    async def append(self, table: str, logged: Logged, summary: Summary) -> None:  # noqa: ARG002 - one table only
        self._log.append(logged)

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:  # noqa: ARG002
        return self._log[after:][:limit]

    async def plans(self, table: str) -> dict[int, Planned]:  # noqa: ARG002
        return {}

    async def set_plan(self, table: str, seat: int, planned: Planned | None) -> None: ...


class Tape:
    """Where the messages for an observer go."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def put(self, data: bytes) -> None:
        self.heard.append(data)

    def close(self, number: int) -> None: ...


@dataclass
class Table:
    """A live table of a world, with everyone connected."""

    world: World
    tapes: dict[Observer, Tape] = field(default_factory=dict)
    seats: dict[Observer, Connection] = field(default_factory=dict)
    heard: Heard = field(default_factory=dict)
    steps: int = 0
    time: int = 1_000_000

    def __post_init__(self) -> None:
        self.tables = Tables(Memory(), LocalBus(), Thinkers(), now=lambda: self.time)

    def guest(self, observer: Observer) -> Guest:
        if observer is None:
            return Guest(self.world.guests[-1], "Watcher")
        return Guest(self.world.guests[observer], NAMES[observer])

    @property
    def observers(self) -> list[Observer]:
        return [None, *range(self.world.combo.seats)]

    async def open(self) -> None:
        """The log of a table where everyone has sat down, as the world wants it; then the game begins."""
        world, combo = self.world, self.world.combo
        options = Options(combo.edition, combo.variant, combo.seats, clock=world.clock, tracker=world.tracker)
        entries: list[Entry] = [Opened(options, world.guests[0], world.secret.hex())]
        entries += [Joined(seat, world.guests[seat], NAMES[seat], world.seeds[seat]) for seat in range(combo.seats)]
        logged = [Logged(seq, 0, entry) for seq, entry in enumerate(entries, 1)]
        for count, each in enumerate(logged, 1):
            await self.tables.store.append(TABLE, each, summary(fold(TABLE, logged[:count])))
        for observer in self.observers:
            self.tapes[observer], self.heard[observer] = Tape(), []
            hello = Hello(VERSION)
            self.seats[observer] = await self.tables.connect(TABLE, self.guest(observer), hello, self.tapes[observer])
        await self.tables.start_game(TABLE, self.guest(0))
        self.keep()

    async def step(self, step: Step) -> None:
        self.steps += 1
        if isinstance(step, int):
            await self.wait(step)
            return
        seat, what = step
        message_id = f"{self.world.ids}-{self.steps}"
        message: Act | SetPlan
        if what is None or isinstance(what, PassOn | RaiseTo):
            message = SetPlan(message_id, what)
        else:
            seq = (await self.tables._find(TABLE)).table.seq
            message = Act(message_id, seq, action_to_wire(what))
        await self.seats[seat].receive(message)
        await self.settle()

    async def wait(self, milliseconds: int) -> None:
        """As time passes, what is due happens, and everyone hears of it then."""
        self.time += milliseconds
        (await self.tables._find(TABLE)).follow_up()
        await self.settle()

    async def settle(self) -> None:
        while self.tables._tasks:
            await asyncio.wait(self.tables._tasks)

    async def look(self) -> None:
        """Everyone asks for all that can be asked, in a second tab and over HTTP."""
        for observer in self.observers:
            guest, tape = self.guest(observer), self.tapes[observer]
            tab = await self.tables.connect(TABLE, guest, Hello(VERSION, self.steps // 2), tape)
            await tab.close()
            tape.put(msgspec.json.encode(await self.tables.info(TABLE, guest)))
            tape.put((await self.tables.record(TABLE, guest)).to_bytes())

    def keep(self) -> None:
        """What was heard since the last time is a step's."""
        commitment = shuffle.commitment(self.world.secret).encode()
        for observer, tape in self.tapes.items():
            self.heard[observer].append([data.replace(commitment, b"COMMITMENT") for data in tape.heard])
            tape.heard.clear()


@pytest.fixture(autouse=True)
def every_change_of_presence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not together with the next ones after a while: that would depend on how fast the test runs."""
    monkeypatch.setattr(live, "PRESENCE", Rate(1e9, 1e9))


@contextmanager
def dealing(deal: Deal | None) -> Iterator[None]:
    """The cards are these, whatever the secret says."""
    with pytest.MonkeyPatch.context() as patch:
        if deal is not None:
            patch.setattr(shuffle, "fair_deal", lambda *_: deal)
        yield


def played(world: World, steps: Sequence[Step]) -> Heard:
    """All that everyone hears while these steps are played."""

    async def run() -> Heard:
        table = Table(world)
        await table.open()
        for left, step in enumerate(steps, -len(steps)):
            await table.step(step)
            if left >= -3 or left % 7 == 0:  # before the reveal, after it, and now and then
                await table.look()
            table.keep()
        return table.heard

    with dealing(world.deal):
        return asyncio.run(run())


def compare(one: Heard, other: Heard, observers: Sequence[Observer], same: int) -> None:
    """The same bytes for these observers in so many steps after the start, and others in the next, if there is one."""
    for observer in observers:
        for step in range(same + 1):
            assert one[observer][step] == other[observer][step], f"observer {observer} can tell at step {step}"
        if same + 1 < len(one[observer]):
            assert one[observer][same + 1] != other[observer][same + 1], "expected the reveal to be heard"


def world_of(combo: Combo, start: State, seed: int) -> World:
    first = start.bidders[0]
    return World(combo, Deal(start.decks, first), tracker=bool(seed % 2))


# --- Cards that nobody has seen ------------------------------------------------------------------------------------


def drawn(state: State) -> tuple[int, int]:
    """How many houses and cheques have been turned up."""
    dealt = [event for event in state.history if isinstance(event, Dealt)]
    houses = sum(len(event.market) for event in dealt if event.phase is not SELLING)
    return houses, sum(len(event.market) for event in dealt if event.phase is SELLING)


def other_decks(decks: Decks, seen: tuple[int, int], rng: Random) -> Decks:
    """The same cards as far as they were seen; what is left, and what was removed, in another order."""
    houses, cheques = seen
    hidden_houses = [*decks.houses[houses:], *decks.removed_houses]
    hidden_cheques = [*decks.cheques[cheques:], *decks.removed_cheques]
    rng.shuffle(hidden_houses)
    rng.shuffle(hidden_cheques)
    left_houses, left_cheques = len(decks.houses) - houses, len(decks.cheques) - cheques
    return Decks(
        decks.houses[:houses] + tuple(hidden_houses[:left_houses]),
        decks.cheques[:cheques] + tuple(hidden_cheques[:left_cheques]),
        tuple(hidden_houses[left_houses:]),
        tuple(hidden_cheques[left_cheques:]),
    )


def first_difference(whole: Game, decks: Decks) -> int:
    """The turn that turns up other cards, from 1; or the last one, where all is shown."""
    state = whole.start
    other = game.new_game(
        editions.load(state.rules.edition), state.rules.seats, decks, state.bidders[0], state.rules.variant
    )
    for number, (seat, action) in enumerate(whole.turns, 1):
        state, events = game.apply(state, seat, action)
        other, other_events = game.apply(other, seat, action)
        if events != other_events:
            return number
    return len(whole.turns)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("combo", SOME, ids=str)
def test_cards_that_nobody_has_seen(combo: Combo, seed: int) -> None:
    whole, rng = combo_game(combo, seed), Random(f"{combo} {seed}")
    cut = rng.randrange(len(whole.turns)) if seed else 0
    world = world_of(combo, whole.start, seed)
    assert world.deal is not None
    decks = other_decks(world.deal.decks, drawn(whole.after(cut)), rng)
    difference = first_difference(whole, decks)
    assert difference > cut
    steps = whole.turns[:difference]
    other = replace(world, deal=Deal(decks, world.deal.first))
    one, two = played(world, steps), played(other, steps)
    compare(one, two, [None, *range(combo.seats)], difference - 1)


def test_cards_of_two_real_secrets() -> None:
    """Nothing is put in the shuffle's place here: two secrets whose first two auctions happen to be the same."""
    combo = Combo("classic", 3, None)
    one, two = two_secrets_alike(combo)
    worlds = [World(combo, None, secret=secret) for secret in (one, two)]
    state = dealt_by(combo, one)
    steps: list[Turn] = []
    while state.number < 3:
        seat = state.bidders[0]
        action = game.legal_actions(state, seat)[len(steps) % 2]
        state, _ = game.apply(state, seat, action)
        steps.append((seat, action))
    first, second = (played(world, steps) for world in worlds)
    compare(first, second, [None, 0, 1, 2], len(steps) - 1)


def dealt_by(combo: Combo, secret: bytes) -> State:
    deal = shuffle.fair_deal(combo.load(), combo.seats, secret, [""] * combo.seats, combo.variant)
    return game.new_game(combo.load(), combo.seats, deal.decks, deal.first, combo.variant)


def two_secrets_alike(combo: Combo) -> tuple[bytes, bytes]:
    """By the paradox of birthdays, some thousands are enough to find two."""
    met: dict[object, bytes] = {}
    for number in range(100_000):
        secret = number.to_bytes(32, "big")
        deal = shuffle.fair_deal(combo.load(), combo.seats, secret)
        houses, seats = deal.decks.houses, combo.seats
        key = deal.first, frozenset(houses[:seats]), frozenset(houses[seats : 2 * seats])
        if key in met:
            return met[key], secret
        met[key] = secret
    raise AssertionError("expected two secrets with the same first auctions")


# --- What a seat has chosen ----------------------------------------------------------------------------------------


def hidden_choices(whole: Game) -> list[tuple[int, int]]:
    """Turns in which a seat chose and could have chosen otherwise, each with the turn of its reveal; both from 0."""
    found, state = [], whole.start
    for number, (seat, action) in enumerate(whole.turns):
        if isinstance(action, Sell) and len(state.hands[seat]) > 1:
            reveal, later = number, state
            while True:
                later, events = game.apply(later, *whole.turns[reveal])
                if any(isinstance(event, SaleResolved) for event in events):
                    break
                reveal += 1
            changed = any(turn[0] == seat for turn in whole.turns[number + 1 : reveal + 1])
            if reveal > number and not changed:
                found.append((number, reveal))
        state, _ = game.apply(state, seat, action)
    return found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("combo", SOME, ids=str)
def test_what_a_seat_has_chosen(combo: Combo, seed: int) -> None:
    whole, rng = combo_game(combo, seed), Random(f"{combo} {seed}")
    chosen, reveal = rng.choice(hidden_choices(whole))
    seat, action = whole.turns[chosen]
    assert isinstance(action, Sell)
    instead = rng.choice([house for house in whole.after(chosen).hands[seat] if house != action.house])
    steps = whole.turns[: reveal + 1]
    other_steps = (*steps[:chosen], (seat, Sell(instead)), *steps[chosen + 1 :])
    world = world_of(combo, whole.start, seed)
    one, two = played(world, steps), played(world, other_steps)
    compare(one, two, [each for each in (None, *range(combo.seats)) if each != seat], reveal)
    compare(one, two, [seat], chosen)


# --- What a seat plans ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plans", "seen"),
    [((PassOn(), RaiseTo(20)), True), ((None, RaiseTo(20)), True), ((RaiseTo(7), RaiseTo(8)), False)],
    ids=str,
)
def test_what_a_seat_plans(plans: tuple[Plan | None, Plan | None], seen: bool) -> None:
    """Nobody else hears anything before the plan is carried out, not even that there is one; then what it does."""
    combo = Combo("iello-2020", 4, None)
    whole = combo_game(combo, 1)
    world, order = world_of(combo, whole.start, 1), whole.start.bidders
    planner = order[2]
    steps: list[Step] = [(order[0], game.Bid(1)), (order[1], game.Bid(3)), SHORTEST - 1, LONGEST]
    one, two = (played(world, [(planner, plan), *steps]) for plan in plans)
    compare(one, two, [each for each in (None, *range(4)) if each != planner], 4 if seen else 5)
    told = [data for each, steps in one.items() if each != planner for step in steps for data in step]
    assert not any(b'"plan-is"' in data for data in told)


@pytest.mark.parametrize("delay", [SHORTEST, 1234, LONGEST])
@pytest.mark.parametrize("plan", [PassOn(), RaiseTo(20)], ids=str)
@pytest.mark.parametrize("clock", [NoClock(), Seconds(5, 60)], ids=str)
def test_whether_an_action_was_planned_or_typed(
    plan: Plan, delay: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same action at the same time: the others get the same messages, of the same size and in the same order,
    before and after."""
    monkeypatch.setattr(ResponseTimes, "draw", lambda _: delay)
    combo = Combo("iello-2020", 4, None)
    whole = combo_game(combo, 1)
    world = replace(world_of(combo, whole.start, 1), clock=clock)
    order = whole.start.bidders
    planner, next_one = order[2], order[3]
    before: list[Step] = [(order[0], game.Bid(1)), 2345, (order[1], game.Bid(3)), delay - 1]
    action: game.Action = game.Bid(4) if isinstance(plan, RaiseTo) else game.Pass()
    after: list[Step] = [1500, (next_one, game.Pass())]
    planned = played(world, [(planner, plan), *before, 1, 0, *after])
    typed = played(world, [0, *before, 1, (planner, action), *after])
    for observer in (None, *(seat for seat in range(4) if seat != planner)):
        one, two = planned[observer], typed[observer]
        # The typed action is heard one step later, at the same time: nothing else may differ.
        assert [data for step in one for data in step] == [data for step in two for data in step], observer
        assert len([data for data in one[6] if b'"played"' in data]) > 0


def test_the_delay_of_a_planned_action_does_not_tell_it_from_a_typed_one() -> None:
    """Somebody who hears a seat's answers, and knows which of the earlier ones were typed, guesses hardly better than
    by chance whether the next was planned, whatever limit they divide the delays by."""
    rng = Random(5)
    for median in (1100, 1600, 2400):
        typed = [round(min(max(rng.lognormvariate(0, 0.35) * median, SHORTEST), LONGEST)) for _ in range(600)]
        times = ResponseTimes(rng)
        planned = []
        for time in typed:
            times.add(time)
            planned.append(times.draw())
        limits = sorted({*typed, *planned})
        right = [
            (sum(time <= limit for time in typed) + sum(time > limit for time in planned)) / (2 * len(typed))
            for limit in limits
        ]
        assert max(*right, 1 - min(right)) < 0.57


# --- Who the guests are --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", SOME, ids=str)
def test_who_the_guests_are_and_how_the_cards_were_dealt(combo: Combo) -> None:
    """Guests' ids, the ids of their actions, the secret and the seeds: nothing of them before the end."""
    whole = combo_game(combo, 5)
    world = world_of(combo, whole.start, 5)
    other = replace(
        world,
        secret=bytes(range(32)),
        guests=tuple(f"other-{letter}" for letter in "tuvxyzw"),
        seeds=("one", "two", "three", "four", "five", "six"),
        ids="no",
    )
    one, two = played(world, whole.turns), played(other, whole.turns)
    one = {each: [[data.replace(b'"id-', b'"no-') for data in step] for step in one[each]] for each in one}
    compare(one, two, [None, *range(combo.seats)], len(whole.turns) - 1)
    for observer, steps in two.items():
        assert not any(guest.encode() in data for guest in other.guests for step in steps for data in step), observer
        acks = [data for step in steps for data in step if b'"no-' in data]
        assert len(acks) == sum(seat == observer for seat, _ in whole.turns)
