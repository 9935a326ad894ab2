"""The proof of the champion's strength: that its games are those of the engine, that it counts right, and that the page
says what was found."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.proof import kept, page, playing, running
from benchmarks.proof.__main__ import main
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
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Cast, Figure, Figures, figures, win_shares
from benchmarks.proof.reading import exact, gain, mean, percent
from benchmarks.proof.side_by_side import ALWAYS, Played, Player, play
from benchmarks.proof.verdicts import verdicts
from forsale import bots, game, shuffle, view
from forsale.arena import Contest, play_out, summarise
from forsale.arena import play as play_contest
from forsale.arena.playing import secret_of
from forsale.arena.scripted import chance
from forsale.arena.seatings import Seatings, seatings
from forsale.bots import Bot
from forsale.bots.champion import Champion, weights
from forsale.bots.champion.habits import LENGTH
from forsale.bots.champion.net import WEIGHTS, champion, softmax
from forsale.bots.champion.watching import Seen, Watching
from forsale.bots.scripted import PERSONALITIES
from forsale.encoding import LENGTH as OBSERVED
from forsale.game import SELLING, Dealt
from forsale.view import View
from tests import games

OWN = Cast({})
SHIPPED = Path(playing.__file__).parents[2] / "src" / "forsale" / "bots" / "champion" / WEIGHTS


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


# --- What is kept ----------------------------------------------------------------------------------------------------


def result(case: Case, value: float, digest: str = "new") -> Result:
    return Result(case, {CHAMPION: digest}, {"share": Figure(value, value - 0.02, value + 0.02)})


def test_results_come_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "figures.jsonl"
    results = [result(Case("mixed", combo, CHAMPION, MIXED, 20), 0.5) for combo in COMBOS]
    kept.write(file, results)
    assert sorted(kept.read(file), key=str) == sorted(results, key=str)
    with file.open("a") as lines:
        lines.write(kept.line_of(result(results[0].case._replace(deals=30), 0.6)) + '{"part": "mix')
    again = kept.read(file)
    assert len(again) == len(results)
    assert [one.case.deals for one in again].count(30) == 1


def test_what_is_missing_is_what_has_too_few_deals_or_other_weights() -> None:
    cases = [Case("mixed", combo, CHAMPION, MIXED, 20) for combo in COMBOS[:4]]
    there = [result(cases[0], 0.5), result(cases[1]._replace(deals=10), 0.5), result(cases[2]._replace(deals=99), 0.5)]
    assert list(kept.missing(cases, there)) == [cases[1], cases[3]]
    digest = OWN.digest(CHAMPION)
    assert digest
    assert kept.current([result(cases[0], 0.5, digest), result(cases[1], 0.5, "old")], OWN) == [
        result(cases[0], 0.5, digest)
    ]


def test_a_run_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = list(PARTS["seeds"](["two"]))[:6]
    assert {case.one for case in some} == {CHAMPION, "two"}
    monkeypatch.setitem(PARTS, "seeds", lambda _: iter(some))
    file = tmp_path / "figures.jsonl"
    command = ["seeds", "--seeds", f"two={SHIPPED}", "--deals", "1", "--processes", "1", "--figures", str(file)]
    assert main(command) == 0
    assert "6 of 6" in capsys.readouterr().out
    whole = file.read_text()
    file.write_text("".join(whole.splitlines(keepends=True)[:-3]))
    assert main(command) == 0
    assert capsys.readouterr().out.count("\n") == 3
    assert file.read_text() == whole
    assert {one.weights["two"] for one in kept.read(file)} == {OWN.digest(CHAMPION)}


@pytest.mark.parametrize("start", [1, 3, 5])
def test_deals_that_take_long_are_kept_a_few_at_a_time(
    start: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Case("copies", combo, CHAMPION, "landlord", 5) for combo in COMBOS[:2]]
    monkeypatch.setitem(PARTS, "copies", lambda _: iter(some))
    monkeypatch.setattr(running, "FEW", 2)
    file = tmp_path / "figures.jsonl"
    command = ["copies", "--processes", "1", "--figures", str(file)]
    assert main([*command, "--deals", "5"]) == 0
    whole = file.read_text()
    said = [re.sub(", [0-9]+ s: .*, ", ": ", line.split(": share")[0]) for line in capsys.readouterr().out.splitlines()]
    assert said == [f"{piece + 1} of 6: deals {min(2 + 2 * (piece // 2), 5)}" for piece in range(6)], "in turn"
    for one in kept.read(file):
        assert one.figures["share"].value == pytest.approx(figures(one.case, OWN)["share"].value, abs=1e-3)
    file.unlink()
    if start > 1:
        assert main([*command, "--deals", str(start - 1)]) == 0
        capsys.readouterr()
    assert main([*command, "--deals", "5"]) == 0
    assert capsys.readouterr().out.count("\n") == 7 - start
    assert file.read_text() == whole


def test_deals_that_are_finished_early_wait_for_those_before_them() -> None:
    case = Case("copies", HOME, CHAMPION, "landlord", 20)
    joining = running._Joining([result(case, 0.5)._replace(shares=(0.25,))], OWN)
    first, second, third = (running.Piece(case, start, 2) for start in (2, 4, 6))
    assert joining.add(third, running.Found({}, (0.5, 0.5))) is None
    assert joining.add(second, running.Found({}, (0.0, 1.0))) is None
    joined = joining.add(first, running.Found({}, (0.75, 0.25)))
    assert joined
    assert joined.shares == (0.25, 0.75, 0.25, 0, 1, 0.5, 0.5)
    assert joined.case.deals == 7
    assert joined.figures["share"].value == pytest.approx(3.25 / 7)


def test_two_runs_do_not_write_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.jsonl"
    with kept.appending(file):
        assert main(["mixed", "--deals", "1", "--processes", "1", "--figures", str(file)]) == 2
    assert capsys.readouterr().err == f"proof: {file}: another run is writing it\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "expected parts among copies, .*, page, got 'nothing'"),
        (["--deals", "0"], "--deals: expected at least 1, got 0"),
        (["--processes", "-1"], "--processes: expected at least 1, got -1"),
        (["--weights", "a"], "--weights: expected --figures FILE too, .*"),
        (["--seeds", "a"], "--seeds: expected NAME=FILE, got 'a'"),
        (["--seeds", "miser=a"], "--seeds: expected NAME=FILE, got 'miser=a'"),
        (["--seeds", "pair=a"], "--seeds: expected NAME=FILE, got 'pair=a'"),
        (["answers"], "answers: expected --answer FILE or --pair FILE, .*"),
        (["seeds"], "seeds: expected --seeds NAME=FILE, .*"),
    ],
)
def test_what_cannot_be_asked_for(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("proof: error: ")
    assert re.fullmatch(f"proof: error: {said}", last)


def test_weights_that_are_none_are_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, figures_ = tmp_path / "none.safetensors", tmp_path / "figures.jsonl"
    file.write_bytes(b"nothing")
    assert main(["mixed", "--weights", str(file), "--figures", str(figures_)]) == 2
    assert capsys.readouterr().err.startswith("proof: weights: expected a safetensors file, got something else")
    assert not figures_.exists()


def test_other_weights_play_in_the_champions_place(tmp_path: Path) -> None:
    """Those of a net that holds everything for as good: it passes for ever."""
    blank = {name: np.zeros_like(tensor) for name, tensor in weights.from_bytes(SHIPPED.read_bytes()).items()}
    file, figures_ = tmp_path / "blank.safetensors", tmp_path / "figures.jsonl"
    file.write_bytes(weights.to_bytes(blank))
    cast, case = Cast({CHAMPION: file}), Case("copies", HOME, CHAMPION, "dealer", 20)
    assert figures(case, cast)["share"].value < 0.25 < figures(case, OWN)["share"].value
    assert cast.digest(CHAMPION) != OWN.digest(CHAMPION)
    with kept.appending(figures_) as append:
        append(result(case, 0.5, OWN.digest(CHAMPION) or ""))
    assert kept.current(kept.read(figures_), cast) == []


# --- The page --------------------------------------------------------------------------------------------------------


def everywhere(value: float) -> list[Result]:
    """The same share in every case, less 0.1 for each seat beyond three."""
    cases = [case for part in ("copies", "mixed") for case in PARTS[part](())]
    return [result(case, value - 0.1 * (case.combo.seats - 3)) for case in cases]


def held(results: Sequence[Result]) -> list[bool]:
    return [verdict.held for verdict in verdicts(results)]


def test_the_verdicts_are_what_the_figures_say() -> None:
    strong = everywhere(0.8)
    assert held(strong) == [True] * 6
    (weak,) = [
        place
        for place, one in enumerate(strong)
        if one.case.part == "copies" and one.case.others == "sniper" and one.case.combo == Combo("manual", 6, None)
    ]
    strong[weak] = result(strong[weak].case, 0.18)
    assert held(strong) == [False, False, True, True, True, True], "its interval reaches the fair share"
    copies, strangers, *_ = verdicts(strong)
    assert copies.found.startswith(
        "360 of 360 cases, with the whole interval in 359; the nearest: `sniper`, `manual`, 6 "
    )
    assert strangers.found.startswith("72 of 72 cases, with the whole interval in 71; the nearest: `sniper`")
    assert held(everywhere(0.58)) == [True, True, True, False, False, True]
    assert held(everywhere(0.44)) == [False, False, False, False, False, False]


def test_those_against_champions_are_to_stay_below() -> None:
    cases = list(PARTS["field"](()))
    low, high = [result(case, 0.1) for case in cases], [result(case, 0.3) for case in cases]
    assert held(low) == [True]
    assert held(high) == [False]
    assert held([*low[:-1], high[-1]]) == [False]


def test_champions_of_all_seeds_meet_the_same_others_and_the_page_tells_how_far_apart_they_are() -> None:
    cases = list(PARTS["seeds"](["two"]))
    met = {name: {(one.combo, one.others) for one in cases if one.one == name} for name in (CHAMPION, "two")}
    assert met[CHAMPION] - {(combo, "two") for combo in COMBOS} == met["two"] - {(combo, CHAMPION) for combo in COMBOS}
    told = page.section([result(case, 0.5 if case.one == CHAMPION else 0.42) for case in cases])
    assert "| `two` | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 |" in told
    assert f"| from the least to the most |{' 8.0 |' * 6}" in told


def test_an_answer_may_win_a_little_more_than_its_share() -> None:
    cases = list(PARTS["answers"]([ANSWER, PAIR]))
    four = [case for case in cases if case.combo.seats == 4]
    assert held([result(case, 0.29 if case.one == ANSWER else 0.9) for case in four]) == [True]
    assert held([result(case, 0.31) for case in four]) == [False]
    told = page.section([result(case, case.fair + 0.03) for case in cases])
    assert "| one that has learnt to beat it | 36 ± 1 | 28 ± 1 | 23 ± 1 | 20 ± 1 |" in told
    assert "| two that have learnt it, together | 70 ± 1 | 53 ± 1 | 43 ± 1 | 36 ± 1 |" in told
    assert told.count("| above fair | +3.0 ± 0.9 |") == 2


def test_figures_are_told_in_hundredths_with_half_of_their_interval_rounded_up() -> None:
    assert [percent(one) for one in (Figure(0.634, 0.61, 0.651), Figure(0.5, None, None), None)] == ["63 ± 3", "50", ""]
    assert exact(Figure(0.634, 0.61, 0.651)) == "63.4 ± 2.1"
    assert [gain(Figure(value, None, None)) for value in (0.05, -0.031)] == ["+5.0", "−3.1"]


def test_planners_are_judged_case_by_case_alone_and_as_a_field() -> None:
    cases = list(PARTS["planner"](()))
    good = [result(case, case.fair + (0.05 if case.one == CHAMPION else -0.05)) for case in cases]
    assert held(good) == [True, True]
    weak = [one for one in good if one.case.one == CHAMPION]
    weak[0] = result(weak[0].case, weak[0].case.fair + 0.01)
    assert held(weak) == [False], "one case is not sure"


def test_a_mean_over_other_deals_is_surer_and_over_the_same_it_is_not() -> None:
    case = Case("copies", HOME, CHAMPION, "miser", 20)
    one, other = result(case, 0.5), result(case._replace(others="tither"), 0.7)
    assert mean([one, other]) == pytest.approx((0.6, 0.58, 0.62))
    elsewhere = result(case._replace(combo=COMBOS[-1]), 0.7)
    within = 0.02 / 2**0.5
    assert mean([one, elsewhere]) == pytest.approx((0.6, 0.6 - within, 0.6 + within))
    assert mean([]) is None


def test_every_part_has_its_tables() -> None:
    names = {"share", "0", "all", "gain", "gain all"}
    names |= {f"{what}{number}" for what in ("", "gain ") for number in range(1, 8)}
    names |= {f"{other} {what}" for other in PERSONALITIES for what in ("0", "all", "gain")}
    figure = dict.fromkeys(names, Figure(0.4, 0.39, 0.42))
    results = [Result(case, {}, figure) for part in PARTS.values() for case in part((BLIND, ANSWER, PAIR, "two"))]
    told = page.section(results)
    assert told.count("### ") == len(PARTS)
    assert "Not played" not in told
    assert "Not played yet with these weights: field, planner, seeds, answers, history, seats.\n" in page.section(
        everywhere(0.5)
    )
    assert "\n\n\n" not in told
    assert all(len(line) <= 120 for line in told.splitlines() if not line.startswith("|"))
    assert "| 3 seats | 4 seats | 5 seats | 6 seats |" in told
    assert "| `two` alone against it | 40 ± 1 | 40 ± 1 | 40 ± 1 | 40 ± 1 |" in told
    assert "| `sniper`, kept out | 40 ± 1 |" in told
    assert "+40.0 ± 1.5" in told


def test_the_page_is_what_the_figures_say() -> None:
    _, rest = page.FILE.read_text(encoding="utf-8").split(page.BEGIN)
    written, _ = rest.split(page.END)
    assert written == page.section(kept.read(kept.FILE)), "`python -m benchmarks.proof page` writes it"


def test_the_figures_are_those_of_the_champion_that_is_shipped() -> None:
    results = kept.read(kept.FILE)
    assert results
    assert {one.weights[CHAMPION] for one in results} == {OWN.digest(CHAMPION)}, "`make proof` plays it anew"


@pytest.mark.parametrize("part", ["copies", "mixed", "planner"])
def test_the_champion_is_surely_above_its_fair_share_against_everyone_everywhere(part: str) -> None:
    results = [one for one in kept.read(kept.FILE) if one.case.part == part]
    assert {one.case.what for one in results} == {case.what for case in PARTS[part](())}
    alone = [one for one in results if one.case.one == CHAMPION]
    assert [one.case for one in alone if (one.figures["share"].low or 0) <= one.case.fair] == []


@pytest.mark.parametrize("part", ["field", "planner"])
def test_everyone_is_surely_below_a_fair_share_among_champions(part: str) -> None:
    field = [one for one in kept.read(kept.FILE) if one.case.part == part and one.case.others == CHAMPION]
    assert {one.case.what for one in field} == {case.what for case in PARTS[part](()) if case.others == CHAMPION}
    assert [one.case for one in field if (one.figures["share"].high or 1) >= one.case.fair] == []
