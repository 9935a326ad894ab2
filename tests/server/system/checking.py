"""The second copy of the engine: after a game everything that anyone was told is compared with it."""

from collections.abc import Iterator, Sequence

from forsale import editions, game, record, shuffle, view
from forsale.client import event_from_wire
from forsale.game import Action, Bid, BidPlaced, Dealt, Event, HouseChosen, Pass, Passed, Sell, State
from forsale.record import Record
from forsale.server.protocol import GameStarted, Happening, Played, TableInfo
from forsale.server.wire import position_of
from forsale.shuffle import Deal, Opening
from tests.server.system.people import Witness


def events_of(happening: Happening) -> tuple[Event, ...]:
    return tuple(map(event_from_wire, happening.events))


def verified_deal(table: TableInfo, happenings: Sequence[Happening]) -> Deal:
    """What the revealed secret says was dealt; it must be what was promised, and what came."""
    options = table.options
    history = [event for happening in happenings for event in events_of(happening)]
    opening = history[0]
    assert isinstance(opening, Dealt)
    assert opening.opener is not None
    assert table.secret is not None
    assert table.seeds is not None
    promise = Opening(table.commitment, shuffle.secret_from_hex(table.secret), table.seeds)
    edition = editions.load(options.edition)
    return shuffle.verify(edition, options.seats, options.variant, promise, opening.opener, history)


def second_copy(table: TableInfo, happenings: Sequence[Happening]) -> Iterator[tuple[Happening, State | None]]:
    """Each happening with the position after it, from the deal and the actions alone."""
    options, deal = table.options, verified_deal(table, happenings)
    state: State | None = None
    for happening in happenings:
        match happening.what:
            case GameStarted():
                edition = editions.load(options.edition)
                state = game.new_game(edition, options.seats, deal.decks, deal.first, options.variant)
                assert events_of(happening) == state.history
            case Played(seat):
                assert state is not None
                state, events = game.apply(state, seat, action_of(events_of(happening)[0], seat))
                assert events_of(happening) == events
            case _:
                assert happening.events == ()
        yield happening, state


def action_of(event: Event, seat: int) -> Action:
    """The action that an event tells of."""
    match event:
        case BidPlaced(by, amount):
            action: Action = Bid(amount)
        case Passed(by):
            action = Pass()
        case HouseChosen(by, house):
            assert house is not None
            action = Sell(house)
        case _:
            raise AssertionError(f"{event} follows from no action")
    assert by == seat
    return action


def check_witness(witness: Witness, everything: Sequence[Happening]) -> State:
    """All that a seat, or a spectator, was told is what the second copy says that it may know. Returns the end."""
    table, you = witness.table, witness.table.you
    state: State | None = None
    started_with = witness.happenings[0].seq
    told = {happening.seq: happening for happening in witness.happenings}
    assert sorted(told) == list(range(started_with, everything[-1].seq + 1)), "expected no gap and nothing twice"
    for happening, state in second_copy(table, everything):
        if happening.seq >= started_with:
            in_play = happening.seq in witness.told_in_play
            _check_happening(told[happening.seq], happening, you, in_play)
        if happening.seq in witness.seen:
            position, legal = witness.seen[happening.seq]
            seen = None if state is None else view.of(state, you, table.options.tracker)
            assert position == (None if seen is None else position_of(seen))
            assert legal == (() if state is None or you is None else game.legal_actions(state, you))
    assert state is not None
    assert witness.view == view.of(state, you, table.options.tracker)
    return state


def _check_happening(told: Happening, whole: Happening, you: int | None, in_play: bool) -> None:
    """What a client missed, and is told only after the game, is whole for everyone."""
    assert (told.seq, told.at, told.what) == (whole.seq, whole.at, whole.what)
    assert events_of(told) == (view.redact(events_of(whole), you) if in_play else events_of(whole))


def check_record(written: Record, table: TableInfo, everything: Sequence[Happening], end: State) -> None:
    """The record replays by itself to the same end, names the same cards, and marks what stand-ins played."""
    replayed = record.replay(written).state
    assert (replayed.coins, replayed.cheques, replayed.hands) == (end.coins, end.cheques, end.hands)
    assert game.outcome(replayed) == game.outcome(end)
    assert sorted(replayed.decks.removed_houses) == sorted(end.decks.removed_houses)
    assert written.tag("Commitment") == table.commitment
    assert written.tag("Secret") == table.secret
    assert written.tag("Seeds") == "|".join(table.seeds or ())
    assert written.players == tuple(seat.name for seat in table.seats)
    stand_ins = sum(isinstance(each.what, Played) and each.what.by == "stand-in" for each in everything)
    marks = sum(played.auto for line in written.lines if isinstance(line, record.Line) for played in line.actions)
    assert marks <= stand_ins  # a choice that a person changed afterwards is the person's
    assert bool(marks) <= bool(stand_ins)
