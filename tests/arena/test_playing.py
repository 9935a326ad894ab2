"""Games of deals: the same whoever asks, and what is kept of them."""

from collections.abc import Sequence
from contextlib import nullcontext
from random import Random

import pytest

from forsale import game, record, shuffle
from forsale.arena import ArenaError, Chunk, Contest, play, summarise
from forsale.arena.lineups import seating
from forsale.arena.playing import HOUSE_SUMS, Played, Player, secret_of, written
from forsale.bots import Guarded
from forsale.game import AuctionWon, Passed, SaleResolved
from forsale.view import View
from tests.arena.contests import BOTS, player_of, seated
from tests.games import COMBOS, Combo


def same_but_for_time(chunk: Chunk) -> tuple[object, ...]:
    return (chunk.start, chunk.deals, chunk.scores, chunk.coins, chunk.decisions, chunk.houses)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_chunk_holds_what_its_games_came_to(combo: Combo) -> None:
    kept: list[Played] = []
    contest = Contest(("timid", "left"), 2, combo.seats, combo.edition, combo.variant)
    chunk = player_of(contest, kept.append).play(1, 2)
    seats = 2 * contest.games_per_deal * contest.seats
    assert len(chunk.scores) == len(chunk.coins) == len(chunk.decisions) == seats
    outcomes = [game.outcome(played.end) for played in kept]
    assert chunk.scores == [score for result in outcomes if result for score in result.scores]
    assert chunk.coins == [coins for result in outcomes if result for coins in result.coins]
    events = [event for played in kept for event in played.end.history]
    bought = [event for event in events if isinstance(event, Passed | AuctionWon) and event.house is not None]
    sold = [
        cheques[0]
        for event in events
        if isinstance(event, SaleResolved)
        for houses, cheques in zip(event.houses, event.cheques, strict=True)
        if len(houses) == 1
    ]
    sums = [sum(column) for column in zip(*chunk.houses, strict=True)]
    assert sum(sums[0::HOUSE_SUMS]) == len(bought)
    assert sum(sums[1::HOUSE_SUMS]) == sum(event.price for event in bought)
    assert sum(sums[2::HOUSE_SUMS]) == len(sold)
    assert sum(sums[3::HOUSE_SUMS]) == sum(sold)
    assert sum(chunk.houses[0][1::HOUSE_SUMS]) == 0, "a bot that never bids pays nothing"


def test_all_games_of_a_deal_have_its_cards_and_its_first_seat() -> None:
    kept: list[Played] = []
    contest = Contest(("left", "right", "timid"), 3)
    player_of(contest, kept.append).play(2, 1)
    fair = shuffle.fair_deal(contest.loaded, 4, secret_of("arena", 1, 2))
    assert len(kept) == contest.games_per_deal
    for played in kept:
        assert played.end.decks == fair.decks
        opening = played.end.history[0]
        assert isinstance(opening, game.Dealt)
        assert opening.opener == fair.first
        seated = seating(contest.line_ups[played.line_up], 2, played.rotation)
        assert played.names == tuple(contest.bots[bot] for bot in seated)


def test_games_do_not_depend_on_how_deals_are_put_together() -> None:
    contest = Contest(("left", "timid"), 4)
    whole = player_of(contest).play(1, 4)
    player = player_of(contest)
    halves = [player.play(3, 2), player.play(1, 2)]
    assert whole.scores == halves[1].scores + halves[0].scores
    for bot in range(2):
        assert whole.houses[bot] == [sum(pair) for pair in zip(*(half.houses[bot] for half in halves), strict=True)]


def test_games_do_not_depend_on_who_else_is_in_the_contest() -> None:
    alone = player_of(Contest(("left", "timid"), 1)).play(1, 1)
    among = player_of(Contest(("left", "timid", "right"), 1)).play(1, 1)
    assert among.scores[:16] == alone.scores[:16]


def test_another_seed_gives_other_deals() -> None:
    scores = [player_of(Contest(("left", "right"), 1, seed=seed)).play(1, 1).scores for seed in (1, 2)]
    assert scores[0] != scores[1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", r"^the bot 'broken' broke: RuntimeError: out of luck$"),
        ("leaver", r"^the bot 'leaver' broke: SystemExit: enough$"),
        ("cheat", r"^the bot 'cheat' chose Pass\(\), which is not legal$"),
    ],
)
def test_a_bot_that_breaks_the_rules_is_named(name: str, said: str) -> None:
    with pytest.raises(ArenaError, match=said):
        list(play(Contest((name, "timid"), 1), seated=seated))


def test_bots_are_counted_by_seat_and_timed() -> None:
    chunk = player_of(Contest(("timid", "left"), 1)).play(1, 1)
    assert all(decisions > 0 for decisions in chunk.decisions)
    assert all(seconds > 0 for seconds in chunk.seconds)


def test_decisions_that_were_played_by_default_are_counted() -> None:
    told: list[str] = []
    bots = [Guarded(name, BOTS[name](), name, "", told.append) for name in ("broken", "timid")]
    contest = Contest(("broken", "timid"), 3, kind="against-field")
    player = Player(contest, bots)
    chunks = [player.play(1, 1), player.play(2, 2)]
    for chunk in chunks:
        seated = [bot for deal in range(chunk.start, chunk.start + chunk.deals) for bot in _seats(contest, deal)]
        decided = sum(number for bot, number in zip(seated, chunk.decisions, strict=True) if bot == 0)
        assert chunk.faults == {"broken": decided}
    summary = summarise(contest, chunks)
    faults = {standing.bot: standing.faults for standing in summary.standings}
    assert faults == {"broken": bots[0].decisions, "timid": 0}
    assert summary.remarks == (
        f"broken: {faults['broken']:,} of its {faults['broken']:,} decisions were played by default.",
    )


def _seats(contest: Contest, deal: int) -> list[int]:
    return [bot for line_up in contest.line_ups for turn in range(4) for bot in seating(line_up, deal, turn)]


def test_the_record_of_bots_with_strange_names() -> None:
    kept: list[Played] = []
    player_of(Contest(("timid", "left"), 1), kept.append).play(1, 1)
    names = ['cmd:sh -c "a|b"', "x", "y", "z"]
    text = written(kept[0].end, names, kept[0].secret, "one").to_bytes()
    again = record.from_bytes(text)
    assert again.tag("Bots") == "cmd:sh -c 'a!b'|x|y|z"
    assert record.replay(again).state.phase is game.OVER


def test_seats_draw_from_chances_of_their_own() -> None:
    """Two seats of one bot in one game, and one seat in two rotations, do not choose alike."""
    drawn: list[float] = []

    class Noting:
        def choose(self, view: View, legal: Sequence[game.Action], rng: Random) -> game.Action:  # noqa: ARG002
            drawn.append(rng.random())
            return legal[0]

    list(play(Contest(("noting", "also"), 2), seated=lambda names: nullcontext([Noting() for _ in names])))
    assert len(set(drawn)) == len(drawn)
