"""A table as a fold of its log: who may do what, when an action is stale, how time is counted."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from forsale import editions, game, record, shuffle
from forsale.game import BUYING
from forsale.server import table as rules
from forsale.server.live import summary
from forsale.server.log import Acted, Entry, Logged, Opened, Started
from forsale.server.options import Clock, Days, NoClock, Options, Seconds, check
from forsale.server.refusal import Refusal
from forsale.server.table import (
    MAX_CHAT_SWITCHES,
    MAX_CHOICES,
    MAX_JOINS,
    MAX_LINES,
    MAX_LOBBY_ENTRIES,
    MAX_PLAYERS_LINES,
    MAX_SPECTATOR_LINES,
    MAX_SPECTATORS_LINES,
    RECONNECT,
    Table,
    absorb,
    act,
    deadline,
    fold,
    join,
    leave,
    opened,
    play,
    record_of,
    restart_clocks,
    start,
    switch_chat,
    wake_at,
)
from forsale.server.wire import Bid, Pass, Sell, action_from_wire, action_to_wire

SECRET = "5a" * 32


@dataclass
class Desk:
    """A table, with entries added at times of our choice."""

    table: Table
    entries: list[Logged] = field(default_factory=list)

    def add(self, entry: Entry | None, at: int = 0) -> None:
        assert entry is not None
        logged = Logged(self.table.seq + 1, at, entry)
        self.entries.append(logged)
        self.table = absorb(self.table, logged)


def desk(clock: Clock | None = None, people: int = 2, **choices: Any) -> Desk:
    """A table opened by `a`, with `a`, `b`… seated."""
    options = Options(seats=3, clock=clock or NoClock(), **choices)
    first = Logged(1, 0, Opened(options, "a", SECRET))
    made = Desk(opened("t", first), [first])
    for guest in "abcdef"[:people]:
        made.add(join(made.table, guest, guest.upper(), seed=guest * 2))
    return made


def playing(clock: Clock | None = None, people: int = 3, at: int = 1000, **choices: Any) -> Desk:
    made = desk(clock, people, **choices)
    made.add(start(made.table, "a"), at)
    return made


def turn(made: Desk) -> int:
    assert made.table.state is not None
    return min(made.table.state.to_act)


def guest_to_act(made: Desk) -> str:
    guest = made.table.seats[turn(made)].guest
    assert guest is not None
    return guest


def finish(made: Desk, by: str = "person") -> None:
    """Everyone passes, then sells from the lowest house up."""
    while made.table.is_playing:
        seat = turn(made)
        state = made.table.state
        assert state is not None
        action = Pass() if state.phase is BUYING else Sell(state.hands[seat][0])
        made.add(play(made.table, seat, action, by))  # type: ignore[arg-type]


def refused(code: str, wish: object, *arguments: object) -> None:
    with pytest.raises(Refusal) as refusal:
        wish(*arguments)  # type: ignore[operator]
    assert refusal.value.code == code
    assert refusal.value.sentence.endswith(".")


# --- Before the game -----------------------------------------------------------------------------------------------


def test_guests_take_the_first_free_seat() -> None:
    made = desk(people=2)
    assert [seat.guest for seat in made.table.seats] == ["a", "b", None]
    made.add(leave(made.table, "a"))
    made.add(join(made.table, "c", "C"))
    assert [seat.guest for seat in made.table.seats] == ["c", "b", None]


def test_joining_twice_is_harmless() -> None:
    assert join(desk().table, "a", "A") is None
    assert join(playing().table, "a", "Ana") is None


def test_joining_again_changes_name_and_seed_until_the_game_begins() -> None:
    made = desk(people=2)
    made.add(join(made.table, "b", "Bo", "my seed"))
    assert [(seat.guest, seat.name, seat.seed) for seat in made.table.seats[:2]] == [
        ("a", "A", "aa"),
        ("b", "Bo", "my seed"),
    ]
    refused("request/bad", join, made.table, "b", "Bo", "no | here")


def test_a_seed_that_comes_after_the_deal_is_refused() -> None:
    made = playing(people=2)
    refused("table/started", join, made.table, "a", "A", "another seed")
    assert join(made.table, "a", "A", "aa") is None  # the one that took part, sent again
    assert join(made.table, "a", "A") is None


def test_what_changes_nothing_is_no_entry() -> None:
    made = desk()
    assert join(made.table, "a", "A", "aa") is None
    assert switch_chat(made.table, "a", True) is None
    made.add(switch_chat(made.table, "a", False))
    assert switch_chat(made.table, "a", False) is None


def test_a_guest_can_sit_down_so_often_at_one_table() -> None:
    made = desk(people=1)
    for number in range(MAX_JOINS - 1):
        made.add(join(made.table, "a", "A", f"seed {number}"))
    refused("table/full", join, made.table, "a", "A", "one more")
    assert join(made.table, "a", "A") is None  # whoever sits, sits
    made.add(leave(made.table, "a"))
    refused("table/full", join, made.table, "a", "A")
    made.add(join(made.table, "b", "B"))
    assert isinstance(start(made.table, "a"), Started)


def test_all_guests_together_can_change_seats_so_often() -> None:
    made = desk(people=1)
    number = 0
    while len(made.table.log) < MAX_LOBBY_ENTRIES + 1:
        guest = f"guest {number // 5}"
        made.add(join(made.table, guest, guest))
        made.add(leave(made.table, guest))
        number += 1
    refused("table/full", join, made.table, "late", "Late")


def test_the_chat_can_be_switched_so_often() -> None:
    made = desk()
    for number in range(MAX_CHAT_SWITCHES):
        made.add(switch_chat(made.table, "a", bool(number % 2)))
    refused("table/full", switch_chat, made.table, "a", False)


def test_a_full_or_started_table_has_no_seat() -> None:
    refused("seat/none-free", join, desk(people=3).table, "x", "X")
    refused("table/started", join, playing(people=2).table, "x", "X")


def test_only_the_host_starts_and_only_once() -> None:
    refused("table/not-host", start, desk().table, "b")
    refused("table/started", start, playing().table, "a")


def test_empty_seats_are_filled_by_the_bot_of_the_table() -> None:
    made = playing(people=1, bot="random")
    assert [seat.bot for seat in made.table.seats] == [None, "random", "random"]
    assert made.table.is_playing


def test_nobody_leaves_a_game_that_has_begun() -> None:
    refused("table/started", leave, playing().table, "a")
    refused("seat/not-yours", leave, desk().table, "x")


@pytest.mark.parametrize("seed", ["a|b", 'a"', "a\n"])
def test_a_seed_that_a_record_cannot_hold_is_refused(seed: str) -> None:
    refused("request/bad", join, desk().table, "x", "X", seed)


@pytest.mark.parametrize(
    "options",
    [
        Options(edition="iello-1997"),
        Options(edition="own.toml"),
        Options(edition="classic", variant="scarce"),
        Options(bot="kasparov"),
        Options(bot="cmd:true"),  # nobody on the network has a command run here
        Options(seats=7),
    ],
)
def test_options_that_no_rulebook_has_are_refused(options: Options) -> None:
    with pytest.raises(Refusal, match="table/options"):
        check(options)


# --- The game ------------------------------------------------------------------------------------------------------


def test_the_deal_is_fair_and_uses_every_seed() -> None:
    made = playing()
    state = made.table.state
    assert state is not None
    edition = made.table.options.edition
    deal = shuffle.fair_deal(editions.load(edition), 3, bytes.fromhex(SECRET), ["aa", "bb", "cc"])
    assert state.decks == deal.decks
    assert turn(made) == deal.first


def test_a_seat_acts_for_itself_alone() -> None:
    made = playing()
    me = guest_to_act(made)
    other = next(guest for guest in "abc" if guest != me)
    assert isinstance(act(made.table, me, Bid(1), made.table.seq, "1"), Acted)
    refused("action/illegal", act, made.table, other, Bid(1), made.table.seq, "1")
    refused("seat/not-yours", act, made.table, "x", Bid(1), made.table.seq, "1")
    refused("game/not-started", act, desk().table, "a", Bid(1), 1, "1")


def test_an_action_from_before_the_last_bid_is_stale() -> None:
    made = playing()
    seen = made.table.seq
    made.add(act(made.table, guest_to_act(made), Bid(1), seen, "1"))
    refused("action/stale", act, made.table, guest_to_act(made), Bid(2), seen, "2")
    made.add(rules.say(made.table, "a", "A", "hello"))
    act(made.table, guest_to_act(made), Bid(2), made.table.seq - 1, "2")  # what was said in between does not matter


def selling() -> Desk:
    made = playing()
    while made.table.state is not None and made.table.state.phase is BUYING:
        made.add(play(made.table, turn(made), Pass(), "person"))
    return made


def test_two_choices_at_the_same_instant_both_count() -> None:
    made = selling()
    state, seen = made.table.state, made.table.seq
    assert state is not None
    for seat, guest in enumerate("abc"):
        made.add(act(made.table, guest, Sell(state.hands[seat][0]), seen, str(seat)))
    assert made.table.state is not None
    assert made.table.state.number == 2
    refused("action/stale", act, made.table, "a", Sell(state.hands[0][1]), seen, "late")


def test_a_choice_may_be_changed_until_the_last_has_chosen() -> None:
    made = selling()
    state, seen = made.table.state, made.table.seq
    assert state is not None
    made.add(act(made.table, "a", Sell(state.hands[0][0]), seen, "1"))
    made.add(act(made.table, "a", Sell(state.hands[0][3]), seen, "2"))
    assert made.table.state is not None
    assert made.table.state.choices[0] == state.hands[0][3]


def test_a_choice_may_be_changed_so_often_in_each_sale() -> None:
    made = selling()
    state, seen = made.table.state, made.table.seq
    assert state is not None
    for number in range(MAX_CHOICES):
        made.add(rules.say(made.table, "b", "B", "hurry"))
        made.add(act(made.table, "a", Sell(state.hands[0][number % 2]), seen, str(number)))
    refused("action/too-often", act, made.table, "a", Sell(state.hands[0][0]), seen, "once more")
    made.add(act(made.table, "b", Sell(state.hands[1][0]), seen, "b"))
    made.add(act(made.table, "c", Sell(state.hands[2][0]), seen, "c"))
    after = made.table.state
    assert after is not None
    made.add(act(made.table, "a", Sell(after.hands[0][0]), made.table.seq, "the next sale"))


def test_events_of_others_choices_are_hidden_until_the_end() -> None:
    made = selling()
    state = made.table.state
    assert state is not None
    made.add(act(made.table, "a", Sell(state.hands[0][0]), made.table.seq, "1"))
    happened = made.table.log[-1]
    assert rules.events_for(made.table, happened, 0) == (game.HouseChosen(0, state.hands[0][0]),)
    assert rules.events_for(made.table, happened, 1) == (game.HouseChosen(0, None),)
    assert rules.events_for(made.table, happened, None) == (game.HouseChosen(0, None),)
    finish(made)
    assert rules.events_for(made.table, happened, None) == (game.HouseChosen(0, state.hands[0][0]),)


def test_events_of_the_log_are_the_whole_history() -> None:
    made = playing()
    finish(made)
    assert made.table.state is not None
    parts = [event for happened in made.table.log for event in rules.events_for(made.table, happened, None)]
    assert tuple(parts) == made.table.state.history


def test_a_table_is_a_fold_of_its_log() -> None:
    made = playing(Seconds(10, 60))
    finish(made)
    assert fold("t", made.entries) == made.table


# --- Time ----------------------------------------------------------------------------------------------------------


def test_without_a_clock_nobody_is_hurried() -> None:
    made = playing()
    assert [deadline(made.table, seat) for seat in range(3)] == [None] * 3
    assert wake_at(made.table) is None


def test_a_decision_has_its_seconds_and_the_bank() -> None:
    made = playing(Seconds(decision=10, bank=60), at=1000)
    assert deadline(made.table, turn(made)) == 1000 + 70_000
    assert wake_at(made.table) == 71_000


def test_overtime_comes_out_of_the_bank() -> None:
    made = playing(Seconds(decision=10, bank=60), at=0)
    seat = turn(made)
    made.add(play(made.table, seat, Bid(1), "person"), at=15_000)
    assert made.table.seats[seat].bank == 55_000
    made.add(play(made.table, turn(made), Bid(2), "person"), at=24_000)
    assert made.table.seats[(seat + 1) % 3].bank == 60_000
    assert deadline(made.table, turn(made)) == 24_000 + 70_000


def test_a_stand_in_does_not_touch_the_bank() -> None:
    made = playing(Seconds(decision=10, bank=60), at=0)
    seat = turn(made)
    made.add(play(made.table, seat, Bid(1), "stand-in"), at=70_000)
    assert made.table.seats[seat].bank == 60_000


def test_days() -> None:
    made = playing(Days(2), at=500)
    assert deadline(made.table, turn(made)) == 500 + 2 * 24 * 60 * 60 * 1000


def test_time_in_which_the_server_was_down_counts_against_nobody() -> None:
    made = playing(Seconds(decision=10, bank=60), at=0)
    seat = turn(made)
    made.table = restart_clocks(made.table, resumed=50_000, now=51_000)
    assert deadline(made.table, seat) == 50_000 + RECONNECT + 70_000
    made.table = restart_clocks(made.table, resumed=80_000, now=80_000)  # down once more
    assert deadline(made.table, seat) == 80_000 + RECONNECT + 70_000
    made.add(play(made.table, seat, Bid(1), "person"), at=95_000 + RECONNECT)
    assert made.table.seats[seat].bank == 55_000
    assert made.table.seats[seat].spared == 0
    # It is in the log: a table that is loaded later has the same in its bank.
    assert fold("t", made.entries) == made.table


def test_time_that_runs_only_since_the_server_is_up_is_left_alone() -> None:
    made = playing(Seconds(decision=10, bank=60), at=5000)
    assert restart_clocks(made.table, resumed=4000, now=9000) is made.table
    waiting = desk(Seconds())
    assert restart_clocks(waiting.table, resumed=4000, now=9000) is waiting.table


def test_by_correspondence_an_hour_is_left_after_the_server_was_down() -> None:
    day, hour = 24 * 60 * 60 * 1000, 60 * 60 * 1000
    made = playing(Days(2), at=500)
    seat = turn(made)
    late = restart_clocks(made.table, resumed=5 * day, now=5 * day)
    assert deadline(late, seat) == 5 * day + hour
    # A restart every night does not give everyone the whole time each day.
    early = restart_clocks(made.table, resumed=day, now=day)
    assert deadline(early, seat) == 500 + 2 * day


@pytest.mark.parametrize("clock", [Seconds(10, 60), Days(1)])
def test_a_clock_that_was_set_back_leaves_no_deadline_a_year_away(clock: Clock) -> None:
    year = 365 * 24 * 60 * 60 * 1000
    made = playing(clock, at=year)
    seat = turn(made)
    whole = deadline(made.table, seat)
    assert whole is not None
    back = restart_clocks(made.table, resumed=1000, now=2000)
    assert deadline(back, seat) == whole - year + 2000
    made.table = back
    made.add(play(made.table, seat, Bid(1), "person"), at=3000)
    assert made.table.seats[seat].bank == fold("t", made.entries).seats[seat].bank == back.seats[seat].bank


def test_in_a_sale_everyones_time_runs_from_its_beginning() -> None:
    made = playing(Seconds(10, 0), at=0)
    while made.table.state is not None and made.table.state.phase is BUYING:
        made.add(play(made.table, turn(made), Pass(), "person"), at=5000)
    state = made.table.state
    assert state is not None
    made.add(play(made.table, 1, Sell(state.hands[1][0]), "person"), at=9000)
    assert [deadline(made.table, seat) for seat in range(3)] == [15_000, None, 15_000]


def test_a_bot_to_act_wakes_the_table_at_once() -> None:
    made = playing(people=1, at=700)
    if made.table.seats[turn(made)].bot is None:
        made.add(play(made.table, turn(made), Pass(), "person"), at=700)
    assert wake_at(made.table) == 700


# --- Chat ----------------------------------------------------------------------------------------------------------


def test_chat_is_one_line_of_text() -> None:
    table = desk().table
    assert rules.say(table, "a", "A", "  hello \n there ").text == "hello there"
    for text in ("", "  ", "\u3164", "x" * 281, "a\x07b"):
        refused("message/bad", rules.say, table, "a", "A", text)
    refused("message/bad", rules.react, table, "a", "A", "<b>")
    assert rules.react(table, "a", "A", rules.REACTIONS[0])


def test_the_chat_of_a_table_has_room_for_so_many_lines() -> None:
    made = desk(people=3)

    def fill(guest: str, lines: int) -> None:
        for number in range(lines):
            talk = (
                rules.react(made.table, guest, guest, "👏") if number % 2 else rules.say(made.table, guest, guest, "hi")
            )
            made.add(talk)
        refused("chat/full", rules.say, made.table, guest, guest, "one more")
        refused("chat/full", rules.react, made.table, guest, guest, "👏")

    # Strangers fill their own part of it, and cannot silence those who play.
    for stranger in range(MAX_SPECTATORS_LINES // MAX_SPECTATOR_LINES):
        fill(f"stranger {stranger}", MAX_SPECTATOR_LINES)
    refused("chat/full", rules.say, made.table, "another", "Another", "hello")
    fill("a", MAX_LINES)
    made.add(rules.say(made.table, "b", "B", "hello"))


def test_all_players_together_have_room_for_so_many_lines() -> None:
    options = Options(seats=6)
    made = Desk(opened("t", Logged(1, 0, Opened(options, "a", SECRET))))
    for guest in "abcdef":
        made.add(join(made.table, guest, guest))
    for guest in "abcde":
        for _ in range(MAX_PLAYERS_LINES // 5):
            made.add(rules.say(made.table, guest, guest, "hi"))
    refused("chat/full", rules.say, made.table, "f", "F", "hi")


def test_the_host_switches_the_chat() -> None:
    made = desk()
    refused("table/not-host", rules.switch_chat, made.table, "b", False)
    made.add(rules.switch_chat(made.table, "a", False))
    refused("chat/off", rules.say, made.table, "a", "A", "hello")
    refused("chat/off", rules.react, made.table, "a", "A", rules.REACTIONS[0])


# --- After the game ------------------------------------------------------------------------------------------------


def test_the_record_is_whole_and_verifies() -> None:
    made = playing(people=2)
    finish(made, by="stand-in")
    written = record_of(made.table, None)
    result = record.replay(record.from_bytes(written.to_bytes()))
    assert made.table.state is not None
    assert result.state.cheques == made.table.state.cheques
    assert "A-*" in written.to_text()
    opening = shuffle.Opening(
        written.tag("Commitment") or "", bytes.fromhex(written.tag("Secret") or ""), ("aa", "bb", "")
    )
    shuffle.verify(result.edition, 3, None, opening, written.first, result.state.history)
    assert written.tag("Seeds") == "aa|bb|"
    assert written.tag("Bots") == "||broker"


def test_an_unfinished_record_holds_only_what_that_seat_knows() -> None:
    made = selling()
    state = made.table.state
    assert state is not None
    made.add(act(made.table, "b", Sell(state.hands[1][0]), made.table.seq, "1"))
    theirs = record_of(made.table, 0)
    assert theirs.lines[-1].to_text().endswith(": B?")
    assert theirs.tag("Secret") is None
    assert record_of(made.table, 1).lines[-1].to_text().endswith(f": B{state.hands[1][0]}")
    refused("game/not-started", record_of, desk().table, None)


def test_rematch() -> None:
    made = playing()
    refused("game/not-over", rules.rematch, made.table, "a", "new")
    finish(made)
    refused("seat/not-yours", rules.rematch, made.table, "x", "new")
    made.add(rules.rematch(made.table, "b", "new"))
    assert made.table.rematch == "new"
    assert rules.rematch(made.table, "a", "newer") is None


def test_the_summary_tells_results_of_people_only() -> None:
    made = playing(people=2)
    assert summary(made.table).results == ()
    assert summary(made.table).status == "playing"
    finish(made)
    told = summary(made.table)
    assert told.status == "over"
    assert [result.seat for result in told.results] == [0, 1]
    end = game.outcome(made.table.state) if made.table.state else None
    assert end is not None
    assert [result.score for result in told.results] == list(end.scores[:2])


def test_actions_go_over_the_wire_and_back() -> None:
    for action in (game.Bid(3), game.Pass(), game.Sell(9)):
        assert action_from_wire(action_to_wire(action)) == action


def test_a_log_must_begin_with_its_opening() -> None:
    with pytest.raises(TypeError, match="begins with Acted"):
        opened("t", Logged(1, 0, Acted(0, Pass(), "bot")))
