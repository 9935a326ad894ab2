"""The proof of the champion's strength: that its games are those of the engine, and that it counts right."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.proof import playing
from benchmarks.proof.cases import (
    ANSWER,
    BLIND,
    CHAMPION,
    COMBOS,
    EACH,
    HOME,
    MIXED,
    OTHERS,
    PAIR,
    PARTS,
    STRANGERS,
    TABLES,
    Case,
    Combo,
)
from benchmarks.proof.playing import Cast, Figures, figures, win_shares
from benchmarks.proof.side_by_side import ALWAYS, Played, Player, play
from forsale import bots, game, shuffle, view
from forsale.arena import Contest, play_out, summarise
from forsale.arena import play as play_contest
from forsale.arena.playing import secret_of
from forsale.arena.scripted import chance
from forsale.arena.seatings import Seatings, seatings
from forsale.bots import Bot
from forsale.bots.champion import Champion
from forsale.bots.champion.habits import LENGTH
from forsale.bots.champion.net import champion, softmax
from forsale.bots.champion.watching import Seen, Watching
from forsale.bots.scripted import PERSONALITIES
from forsale.encoding import LENGTH as OBSERVED
from forsale.game import SELLING, Dealt
from forsale.view import View
from tests import games
from tests.benchmarks.proofs import OWN, SHIPPED

# --- The same games --------------------------------------------------------------------------------------------------


def by_the_engine(contest: Contest, start: int, seated: Seatings, table: Sequence[Bot]) -> list[list[list[int]]]:
    """The scores and then the coins of each game, asked bot by bot."""
    found: list[list[list[int]]] = [[], []]
    for deal, by_game in enumerate(seated, start):
        secret = secret_of("arena", contest.seed, deal)
        dealt = shuffle.fair_deal(contest.loaded, contest.seats, secret, variant=contest.variant)
        for sitting in by_game:
            state = game.new_game(contest.loaded, contest.seats, dealt.decks, dealt.first, contest.variant)
            rngs = chance(secret, [contest.bots[bot] for bot in sitting])
            outcome = game.outcome(play_out(state, [table[bot] for bot in sitting], rngs))
            assert outcome is not None
            found[0].append(list(outcome.scores))
            found[1].append(list(outcome.coins))
    return found


def side_by_side(contest: Contest, start: int, seated: Seatings, rounds: int | None = None) -> list[list[list[int]]]:
    cast = [champion() if name == CHAMPION else PERSONALITIES[name].traits for name in contest.bots]
    more = () if rounds is None else (rounds,)
    played = play(contest, start, seated, cast, *more)
    return [numbers.reshape(-1, contest.seats).tolist() for numbers in (played.scores, played.coins)]


@pytest.mark.parametrize("combo", COMBOS, ids=lambda combo: f"{combo.title}-{combo.seats}")
def test_games_side_by_side_are_those_of_the_engine(combo: Combo) -> None:
    """With the champion alone, with all different, and with several of it."""
    edition, seats, variant = combo
    contest = Contest(
        (CHAMPION, "gambler", "tither", "sniper", "dealer", "magnate")[:seats], 9, seats, edition, variant
    )
    everyone = np.arange(seats, dtype=np.int32)
    seated = np.stack([[np.roll(everyone, 1), everyone // 2], [np.minimum(everyone, 1), everyone % 2]])
    table = [Champion() if name == CHAMPION else bots.make(name) for name in contest.bots]
    assert side_by_side(contest, 3, seated) == by_the_engine(contest, 3, seated, table)


class Inattentive(Watching):
    """Watches the first rounds of a game alone."""

    def __init__(self, rounds: int) -> None:
        super().__init__()
        self._rounds = rounds

    def seen(self, view: View) -> Seen:
        """All that is known of the position, and the habits as they were then."""
        row, mask = super().seen(view)
        begins = [place for place, event in enumerate(view.history) if isinstance(event, Dealt)]
        if self._rounds == 0:
            row[OBSERVED:] = 0
        elif self._rounds < len(begins):
            # With the cards of the next round, and nothing done there.
            then = replace(view, history=view.history[: begins[self._rounds] + 1])
            row[OBSERVED:] = Watching().seen(then).row[OBSERVED:]
        return Seen(row, mask)


@pytest.mark.parametrize("rounds", [0, 1, 3, 7, 9, 14])
def test_watching_stops_after_so_many_rounds(rounds: int) -> None:
    contest = Contest((CHAMPION, "gambler"), 9, kind="against-field")
    seated = seatings(contest.line_ups, 1, 2)[:, 0]
    bot = Champion()
    bot._watching = Inattentive(rounds)
    asked = by_the_engine(contest, 1, seated, [bot, bots.make("gambler")])
    assert side_by_side(contest, 1, seated, rounds) == asked


def test_how_much_is_watched_makes_a_difference() -> None:
    """Otherwise the comparison above would show nothing."""
    contest = Contest((CHAMPION, "gambler"), 9, kind="against-field")
    seated = seatings(contest.line_ups, 1, 4)[:, 0]
    ends = [side_by_side(contest, 1, seated, rounds) for rounds in (0, 1, 4, 7, 14)]
    assert all(one != other for place, one in enumerate(ends) for other in ends[:place])
    assert ends[-1] == side_by_side(contest, 1, seated)


def test_what_was_seen_goes_on_at_the_same_table() -> None:
    contest = Contest((CHAMPION, "tycoon"), 9, kind="against-field")
    seated = seatings(contest.line_ups, 1, 2)[:, 0]
    cast: list[Player] = [champion(), PERSONALITIES["tycoon"].traits]
    first = play(contest, 1, seated, cast)
    assert first.habits.shape == (2, 4, LENGTH)
    second, anew = play(contest, 3, seated, cast, before=first.habits), play(contest, 3, seated, cast)
    assert (first.habits <= second.habits).mean() > 0.9
    assert second.habits.sum() > anew.habits.sum()
    assert (play(contest, 1, seated, cast).habits == first.habits).all(), "nothing is left of an earlier call"


# --- Counting --------------------------------------------------------------------------------------------------------


def test_a_win_is_shared_by_those_who_tie() -> None:
    scores, coins = np.array([[70, 82, 82, 82], [9, 8, 7, 6]], np.int32), np.array([[1, 3, 0, 3], [0] * 4], np.int32)
    assert win_shares(scores, coins).tolist() == [[0, 0.5, 0, 0.5], [1, 0, 0, 0]]


def test_shares_and_intervals_are_those_of_the_arena() -> None:
    """Of a bot that can only be asked; others have the same deals and another chance."""
    found = figures(Case("copies", HOME, CHAMPION, "broker", 12), OWN)["share"]
    contest = Contest((CHAMPION, "broker"), 12, kind="against-field", seed=1 + COMBOS.index(HOME))
    (cell,) = summarise(contest, play_contest(contest)).matrix
    assert found.value == pytest.approx(cell.win_share.value)
    assert found[1:] == pytest.approx((cell.win_share.low, cell.win_share.high), abs=0.03), "but for what is drawn"


def test_with_few_deals_there_is_no_interval() -> None:
    assert figures(Case("mixed", HOME, CHAMPION, MIXED, 2), OWN)["share"][1:] == (None, None)


def test_mixed_fields_are_all_different_and_in_every_rotation() -> None:
    contest, seated = playing._mixed(Case("mixed", Combo("classic", 6, None), CHAMPION, MIXED, 20))
    assert contest.bots == (CHAMPION, *PERSONALITIES)
    assert seated.shape == (20, 6, 6)
    for deal in seated:
        assert len(set(deal[0].tolist())) == 6
        assert np.argwhere(deal == 0).tolist() == [[rotation, rotation] for rotation in range(6)]
        assert {tuple(np.roll(sitting, -rotation)) for rotation, sitting in enumerate(deal)} == {tuple(deal[0])}
    assert len({tuple(deal[0]) for deal in seated.tolist()}) > 15


def test_the_one_is_counted_not_the_field() -> None:
    """The miser among champions wins nothing, and the champion among misers nearly all."""
    field = figures(Case("field", HOME, "miser", CHAMPION, 3), OWN)["share"].value
    alone = figures(Case("copies", HOME, CHAMPION, "miser", 3), OWN)["share"].value
    assert field < 0.2
    assert alone > 0.6


def test_seats_are_counted_from_the_first_bidder() -> None:
    combo = Combo("classic", 3, None)
    found = figures(Case("seats", combo, CHAMPION, CHAMPION, 12), OWN)
    assert list(found) == ["1", "2", "3"]
    assert sum(figure.value for figure in found.values()) == pytest.approx(1)
    contest = Contest((CHAMPION, "others"), 12, 3, "classic", seed=1 + COMBOS.index(combo))
    (scores, coins) = by_the_engine(contest, 1, np.zeros((12, 1, 3), np.int32), [Champion()])
    firsts = [
        shuffle.fair_deal(contest.loaded, 3, secret_of("arena", contest.seed, deal)).first for deal in range(1, 13)
    ]
    shares = win_shares(np.array(scores, np.int32), np.array(coins, np.int32))
    for place in range(3):
        expected = sum(share[(first + place) % 3] for share, first in zip(shares, firsts, strict=True)) / 12
        assert found[str(place + 1)].value == pytest.approx(expected)


def test_who_answers_always_plays_what_seems_best() -> None:
    """The same weights in other hands: the champion draws its houses, an answer does not."""
    played = games.combo_game(games.Combo(*HOME), 1)
    first_sale = next(state for state in map(played.after, range(len(played.turns))) if state.phase is SELLING)
    asked = Watching().seen(view.of(first_sale, 0))
    drawing, sure = (net.tell(*asked).logits for net in (champion(), Cast({ANSWER: SHIPPED}).net(ANSWER)))
    assert sure.argmax() == drawing.argmax()
    assert softmax(drawing).max() < 0.999 < softmax(sure).max()


def test_a_pair_sits_in_every_two_seats_and_wins_together() -> None:
    case = Case("answers", HOME, PAIR, CHAMPION, 3)
    assert case.fair == 0.5
    _, seated = playing._pairs(case)
    assert seated.shape == (3, 6, 4)
    assert len({tuple(sitting) for sitting in seated[0].tolist()}) == 6
    assert (seated.sum(axis=2) == 2).all()
    shares = np.full(seated.shape, 0.25)
    assert playing._of_the_one(seated, shares).tolist() == [0.5] * 3


@cache
def by_rounds() -> Figures:
    return figures(Case("history", HOME, CHAMPION, EACH, 2), OWN)


def test_history_has_a_figure_for_every_auction_and_the_gain_is_paired() -> None:
    found = by_rounds()
    assert [name for name in found if name.isdigit()] == [str(stop) for stop in range(8)]
    for stop in ("1", "7", "all"):
        assert found[f"gain {stop}"].value == pytest.approx(found[stop].value - found["0"].value)
    for stop in ("0", "all"):
        mean = sum(found[f"{other} {stop}"].value for other in PERSONALITIES) / len(PERSONALITIES)
        assert found[stop].value == pytest.approx(mean)
    assert found["tycoon gain"].value == pytest.approx(found["tycoon all"].value - found["tycoon 0"].value)


def test_the_first_game_at_a_table_has_nothing_to_go_by() -> None:
    found = figures(Case("history", HOME, CHAMPION, TABLES, 2), OWN)
    assert found["gain 1"].value == 0
    assert {"2", "gain 2", "4", "gain 4"} <= found.keys()


def test_a_blind_net_watches_nothing_and_the_champion_beside_it_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    watched: dict[str, set[int]] = {}

    def noting(contest: Contest, start: int, seated: Seatings, cast: Sequence[Player], rounds: int, _: None) -> Played:
        watched.setdefault(contest.bots[0], set()).add(rounds)
        return play(contest, start, seated, cast, rounds)

    monkeypatch.setattr(playing, "play", noting)
    found = figures(Case("history", HOME, BLIND, EACH, 2), Cast({BLIND: SHIPPED}))
    assert watched == {BLIND: {0}, CHAMPION: {ALWAYS}}
    assert found["gain"].value == pytest.approx(by_rounds()["all"].value - found["0"].value)


def test_everyone_is_met_everywhere() -> None:
    assert {(combo.edition, combo.seats, combo.variant) for combo in COMBOS} == set(map(tuple, games.COMBOS))
    by_the_clock = {name for name in bots.names() if name.startswith(("planner-", "champion-"))}
    assert set(OTHERS) | {CHAMPION} == set(bots.names()) - by_the_clock
    assert set(STRANGERS) == {"haggler", "tither", "sniper"}
    cases = [case for part in ("copies", "planner") for case in PARTS[part](())]
    met = {(case.combo, case.others) for case in cases if case.one == CHAMPION}
    assert {(combo, other) for combo in COMBOS for other in OTHERS} <= met
    assert {combo for combo, other in met if other == "planner-50ms"} == {one for one in COMBOS if not one.variant}
