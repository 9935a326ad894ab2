"""The golden records: whole games that must replay, byte for byte, for as long as format 1 is read."""

from pathlib import Path

import pytest

from forsale import record, shuffle
from forsale.game import OVER, SELLING, BidPlaced, outcome
from forsale.record import Line, Record, Replay
from forsale.shuffle import Opening
from tests.games import COMBOS, NAMES, Combo
from tests.make_golden import RECORDS, golden, main, path_of

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)


def read(combo: Combo) -> Record:
    return record.from_bytes(path_of(combo).read_bytes())


def replayed(combo: Combo) -> Replay:
    return record.replay(read(combo))


def lines() -> list[Line]:
    return [line for combo in COMBOS for line in read(combo).lines if isinstance(line, Line)]


def test_there_is_one_for_each_edition_and_seats_and_variant() -> None:
    assert len(COMBOS) == 24
    assert sorted(path.name for path in RECORDS.iterdir()) == sorted(f"{combo}.fsr" for combo in COMBOS)


@every_combo
def test_it_replays_strictly_to_the_end(combo: Combo) -> None:
    game = replayed(combo)
    state = game.state
    assert (state.rules.edition, state.rules.seats, state.rules.variant) == combo
    assert state.phase is OVER
    assert (game.hidden, game.problems) == (frozenset(), ())
    assert state.hands == ((),) * combo.seats
    result = outcome(state)
    assert result is not None
    assert result.scores == tuple(
        coins + sum(cheques) for coins, cheques in zip(state.coins, state.cheques, strict=True)
    )
    assert read(combo).tag("Score") == " ".join(map(str, result.scores))


@every_combo
def test_it_is_written_back_byte_for_byte(combo: Combo) -> None:
    assert read(combo).to_bytes() == path_of(combo).read_bytes()


@every_combo
def test_its_game_is_written_as_it_was(combo: Combo) -> None:
    """From the engine's history, not from the words that were read."""
    written = read(combo)
    further = {name: value for name, value in written.tags if name in ("Date", "Bots", "Commitment", "Secret", "Seeds")}
    again = record.from_position(replayed(combo).state, NAMES[: combo.seats], further)
    assert again.to_bytes() == path_of(combo).read_bytes()


@every_combo
def test_its_deal_is_verified(combo: Combo) -> None:
    written, game = read(combo), replayed(combo)
    commitment, secret, seeds = (written.tag(name) or "" for name in ("Commitment", "Secret", "Seeds"))
    opening = Opening(commitment, shuffle.secret_from_hex(secret), tuple(seeds.split("|")) if seeds else ())
    deal = shuffle.verify(game.edition, combo.seats, combo.variant, opening, written.first, game.state.history)
    assert sorted(deal.decks.removed_houses) == list(game.state.decks.removed_houses)
    assert sorted(deal.decks.removed_cheques) == list(game.state.decks.removed_cheques)


@every_combo
def test_the_script_makes_the_same_bytes(combo: Combo) -> None:
    """Where only this fails, a bot has changed: `python -m tests.make_golden` makes the records anew."""
    assert golden(combo) == path_of(combo).read_bytes()


def test_the_script_writes_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.make_golden.RECORDS", tmp_path / "records")
    main()
    made = {path.name: path.read_bytes() for path in (tmp_path / "records").iterdir()}
    assert made == {path.name: path.read_bytes() for path in RECORDS.iterdir()}


def test_among_them_a_last_holder_takes_several_cheques_at_once() -> None:
    takes = [line.takes or () for line in lines() if line.phase is SELLING and not line.actions]
    assert max(map(len, takes)) > 1
    assert all(len({take.seat for take in taken}) == 1 for taken in takes)


def test_among_them_a_seat_gets_no_house_and_loses_nothing() -> None:
    without = [take for line in lines() for take in line.takes or () if take.card is None]
    assert without
    assert {take.price for take in without} == {0}


def test_among_them_a_last_auction_is_short_of_two_houses() -> None:
    combo = Combo("iello-2015", 5, "scarce")
    last = read(combo).lines[6]
    assert isinstance(last, Line)
    assert len(last.market) == 3
    assert sum(take.card is None for take in last.takes or ()) == 2


def test_among_them_someone_opens_at_0() -> None:
    manuals = [combo for combo in COMBOS if combo.edition == "manual"]
    bids = [event for combo in manuals for event in replayed(combo).state.history if isinstance(event, BidPlaced)]
    assert 0 in {bid.amount for bid in bids}
