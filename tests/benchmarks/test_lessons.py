"""What the champion has learnt: that it is measured rightly, and that the page shows what was found."""

import doctest
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, cast
from xml.etree import ElementTree

import numpy as np
import pytest

from benchmarks.lessons import __main__ as command
from benchmarks.lessons import bidding, drawing, page, worth, writing
from benchmarks.lessons.bidding import Bids, Prices, Stops
from benchmarks.lessons.checking import check
from benchmarks.lessons.found import from_text, to_text
from benchmarks.lessons.playing import COINS, HIGHEST, HOUSES, NUMBER, OWN, PHASE, Outcomes, Tables, Turn, play
from benchmarks.lessons.seating import seats
from benchmarks.lessons.selling import Sales, mean_places
from benchmarks.lessons.worth import Starts
from forsale import editions, game, view
from forsale.bots.champion import Champion
from forsale.bots.champion.net import Floats, Net, Told, champion
from forsale.encoding import ACTIONS, HOUSE, MAX_SEATS, from_index
from forsale.scalar import layout
from forsale.scalar.rows import to_state

EDITION = editions.load("iello-2020")
RULES = EDITION.rules(4, None)
GAMES = 60
STORED = writing.read(writing.DOCS)


@dataclass
class Seen:
    """Some games, and all that looked at them."""

    turns: list[Turn]
    prices: Prices
    sales: Sales
    bids: Bids
    stops: Stops
    outcomes: Outcomes


@pytest.fixture(scope="module")
def seen() -> Seen:
    turns: list[Turn] = []
    prices, sales, bids, stops = Prices(), Sales(), Bids(), Stops()
    look = (turns.append, prices.see, sales.see, bids.see, stops.see)
    outcomes = play(champion(), RULES, GAMES, 5, look)
    return Seen(turns, prices, sales, bids, stops, outcomes)


# --- Games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [0, 7])
def test_they_play_what_champions_play_at_a_table(seen: Seen, table: int) -> None:
    """The same game in the engine: every bid is the bot's own, and the outcome is the same."""
    tables = Tables(RULES, GAMES, 5)
    decks = to_state(tables._states[table], tables._decks[table], RULES).decks
    state = game.new_game(EDITION, 4, decks, first=int(seen.outcomes.first[table]))
    bot, bids = Champion(), 0
    for turn in seen.turns:
        for at in np.flatnonzero(turn.tables == table):
            seat, action = int(turn.seats[at]), from_index(turn.actions[at])
            if state.phase is game.BUYING:
                legal = game.legal_actions(state, seat)
                assert bot.choose(view.of(state, seat), legal, Random(1)) == action
                bids += 1
            state, _ = game.apply(state, seat, action)
    outcome = game.outcome(state)
    assert outcome is not None
    assert bids > 20
    assert list(outcome.scores) == seen.outcomes.scores[table].tolist()


def test_every_game_ends_once_with_one_victory(seen: Seen) -> None:
    assert seen.outcomes.shares.sum(axis=1) == pytest.approx(np.ones(GAMES))
    sold = sum(len(turn.selling.tables) for turn in seen.turns)
    assert sold == GAMES * RULES.deck_size


def test_gifts_are_there_and_nothing_else_changes() -> None:
    tables = Tables(RULES, 3, 1)
    both, before = np.array([0, 2]), tables._states.copy()
    seats_, house, other = tables.to_act[both], np.array([3, 4]), np.array([30, 1])
    for table, seat, one in zip(both, seats_, house, strict=True):  # a hand, as after an auction
        tables._states[table, layout.HANDS + seat] = 1 << (one - 1)
        tables._states[table, layout.HOUSES_SEEN] |= 1 << (one - 1)
    decks = tables._decks.copy()
    tables.exchange(both, seats_, house, other)
    tables.give(both, seats_, 3)
    assert (tables.rows[both, COINS] == RULES.coins + 3).all()
    assert [np.flatnonzero(row == OWN).tolist() for row in tables.rows[both][:, HOUSES]] == [[29], [0]]
    assert (np.sort(tables._decks[:, : layout.CHEQUES]) == np.arange(30)).all()
    changed = (tables._decks != decks).sum(axis=1)
    assert changed.tolist() == [2, 0, 2]
    assert (tables._states[1] == before[1]).all()


# --- What is measured ------------------------------------------------------------------------------------------------


def test_all_money_is_accounted_for(seen: Seen) -> None:
    """Coins are what was not paid; scores are these and the cheques that houses took."""
    left = seen.bids.found("any").left * 4 * GAMES
    assert seen.prices._paid.sum() == pytest.approx(4 * GAMES * RULES.coins - left)
    cheques = seen.sales.cheques()
    assert sum(map(len, cheques)) == GAMES * RULES.deck_size
    assert sum(int(taken.sum()) for taken in cheques) == pytest.approx(seen.outcomes.scores.sum() - left)


def test_better_houses_take_better_cheques(seen: Seen) -> None:
    cheques = seen.sales.cheques()
    assert np.concatenate(cheques[:10]).mean() < np.concatenate(cheques[20:]).mean() - 3


def turn_of(rows: list[dict[int, int]], actions: list[int], logits: Any = None) -> Turn:
    """Seats that were asked: what stands where in their rows, else zeros."""
    numbers = np.zeros((len(rows), 400), np.int16)
    for row, known in zip(numbers, rows, strict=True):
        for place, number in known.items():
            row[place] = number
    count = np.arange(len(rows))
    zeros = np.zeros((len(rows), ACTIONS), np.float32)
    told = Told(zeros if logits is None else logits, zeros[:, :MAX_SEATS], zeros[:, :MAX_SEATS])
    return Turn(count, count, numbers, told, np.array(actions))


def test_who_bids_on_is_counted_where_it_was_asked() -> None:
    """Two left, houses 10 and 16, auction 3, a bid of 4 is needed: one bids, one passes, and one cannot pay."""
    row = {NUMBER: 3, HIGHEST: 3, HIGHEST + 1: 4, HIGHEST + 2: 2, 20: 10, 21: 16, COINS: 9, COINS + 1: -1}
    stops = Stops()
    stops.see(turn_of([row, row, row | {COINS: 3}], [5, 0, 0]))
    (found,) = (stop for stop in stops.found() if np.sum(stop.asked))
    assert (found.bidders, found.first, found.last) == (2, 3, 5)
    assert (found.asked[2][3], found.stayed[2][3], np.sum(found.asked)) == (2, 1, 2)


def test_a_place_is_the_policy_s_mean() -> None:
    """Of three houses: the lowest half of the time, the highest otherwise, so that it is in the middle."""
    logits = np.full((1, ACTIONS), -np.inf)
    logits[0, [HOUSE + 2, HOUSE + 30]] = 0
    row = {PHASE: layout.SELLING, **{HOUSES.start + house - 1: OWN for house in (2, 9, 30)}}
    assert mean_places(turn_of([row], [0], logits)) == pytest.approx([0.5])


def test_seats_are_counted_from_the_one_that_begins() -> None:
    shares = np.array([[1, 0, 0], [0, 0.5, 0.5], [0, 0, 1]])
    found = seats("any", Outcomes(np.array([0, 1, 1]), shares, shares))
    assert found.shares == pytest.approx([0.5, 0.5, 0.0])
    assert found.half == pytest.approx(1.96 * np.std([1, 0.5, 0]) / np.sqrt(3))


class Simple:
    """A net for which a house is worth a point for each number, and a coin two."""

    def tell(self, rows: Any, masks: Any) -> Told:
        hand = ((rows[:, HOUSES] == OWN) * np.arange(1, 31)).sum(axis=1)
        wins: Floats = np.zeros((len(rows), MAX_SEATS), np.float32)
        wins[:, 0] = (hand + 2 * rows[:, COINS]) / 1000
        return Told(np.where(masks, np.float32(0), -np.float32(np.inf)), wins, 100 * wins)


def test_a_house_is_worth_what_the_net_thinks(seen: Seen) -> None:
    starts = Starts(GAMES)
    for turn in seen.turns:
        starts.see(turn)
    found = starts.worths(cast("Net", Simple()), seed=1)
    assert [worth.auction for worth in found] == [2, 3, 4, 5, 6, 7]
    for at in found:
        assert at.houses == pytest.approx([number / 2 for number in range(30)], abs=1e-3)
        assert (at.coin_chance, at.coin_score) == pytest.approx((0.002, 0.2), rel=1e-3)
    trust = starts.trust(seen.outcomes)
    first = seen.outcomes.shares[np.arange(GAMES), seen.outcomes.first]
    assert trust[0].won == pytest.approx(first.mean())


def test_gifts_help() -> None:
    house, coins = check(champion(), RULES, GAMES, 5)
    assert (house.gift, coins.gift) == ("house", "coins")
    assert min(house.expected, coins.expected, house.won) > 0.05


@pytest.mark.parametrize("module", [bidding, worth], ids=lambda module: module.__name__)
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0


# --- The page --------------------------------------------------------------------------------------------------------


def test_the_lessons_are_those_of_the_champion() -> None:
    assert STORED.weights == writing.name_of(writing.OWN.read_bytes()), (
        "other weights: `make lessons`, then read the page"
    )


@pytest.mark.parametrize("name", [*(f"pictures/lessons/{name}.svg" for name in drawing.PICTURES), writing.PAGE])
def test_page_and_pictures_show_what_was_found(name: str) -> None:
    text = (writing.DOCS / name).read_text(encoding="utf-8")
    assert text == writing.files(STORED)[name]


def test_each_picture_is_on_the_page() -> None:
    text = (writing.DOCS / writing.PAGE).read_text(encoding="utf-8")
    assert {path.name for path in (writing.DOCS / writing.FOLDER).iterdir()} == {
        "found.json",
        *(f"{name}.svg" for name in drawing.PICTURES),
    }
    assert all(f"](pictures/lessons/{name}.svg)" in text for name in drawing.PICTURES)


@pytest.mark.parametrize("name", drawing.PICTURES)
def test_pictures_are_small_and_nothing_is_cut_off(name: str) -> None:
    text = drawing.PICTURES[name](STORED)
    assert len(text) < 60_000
    picture = ElementTree.fromstring(text)
    width, height = (float(picture.get(side, "")) for side in ("width", "height"))
    for words in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(words.get("y", "")) < height
        assert 0 < float(words.get("x", "")) < width


def test_what_was_found_can_be_read_back() -> None:
    assert to_text(from_text(to_text(STORED))) == to_text(STORED)


def test_a_page_without_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="^expected <!-- lessons: run --> once, got it 0 times$"):
        page.filled("# Playing well\n", STORED)


# --- The command -----------------------------------------------------------------------------------------------------


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["lessons", *words])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    return capsys.readouterr().err.splitlines()[-1].partition("error: ")[2]


def test_what_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.safetensors"
    other.write_bytes(b"no weights")
    into = ("--docs", str(tmp_path / "docs"))
    assert refused(monkeypatch, capsys, "--weights", str(other)).startswith("--weights needs --docs")
    assert refused(monkeypatch, capsys, "--weights", str(other), *into).startswith(
        "weights: expected a safetensors file"
    )
    assert refused(monkeypatch, capsys, "--games", "19") == "--games: expected at least 20, got 19"
    assert "found.json" in refused(monkeypatch, capsys, "--redraw", *into)
    assert not (tmp_path / "docs").exists()


def test_it_writes_all_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From the games to the page, with few of them and into another folder."""
    monkeypatch.setattr(sys, "argv", ["lessons", "--games", "24", "--docs", str(tmp_path)])
    command.main()
    found = writing.read(tmp_path)
    assert (found.games, len(found.seats), len(found.manners)) == (24, 15, 4)
    assert {path.name for path in (tmp_path / writing.FOLDER).iterdir()} == {
        "found.json",
        *(f"{name}.svg" for name in drawing.PICTURES),
    }
    assert "Measured in 24 games" in (tmp_path / writing.PAGE).read_text(encoding="utf-8")


def test_it_draws_again_what_was_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["lessons", "--redraw", "--docs", str(tmp_path)])
    (tmp_path / writing.FOLDER).mkdir(parents=True)
    (tmp_path / writing.FOUND).write_text(to_text(STORED), encoding="utf-8")
    command.main()
    for name, text in writing.files(STORED).items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text
