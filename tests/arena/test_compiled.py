"""Contests of scripted bots: compiled or not, the same games to the last number."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from forsale import bots
from forsale.arena import ArenaError, Chunk, Contest, play
from forsale.arena.compiled import CompiledPlayer
from forsale.arena.lineups import LINE_UPS
from forsale.arena.playing import HOUSE_SUMS, Played, Player
from forsale.arena.running import _player
from forsale.arena.scripted import Words, traits_of
from forsale.bots import Bot
from forsale.bots.scripted import PERSONALITIES, Scripted, Traits, draw
from forsale.game import Action, SaleResolved
from forsale.kernel.compiling import cache_folder
from forsale.scalar.bits import word
from forsale.scalar.whole import POLICY_WORDS
from forsale.view import View
from tests.arena.contests import Timid
from tests.games import COMBOS, Combo

NAMES = ("gambler", "developer", "sniper", "tither", "magnate", "haggler")
"""They jump, waver, follow a whim, remember, and sell in different ways."""
TOY = str(Path(__file__).parents[1] / "perft" / "toy.toml")


def without_time(chunk: Chunk) -> Chunk:
    return replace(chunk, seconds=[])


def made(contest: Contest) -> list[Bot]:
    return [bots.make(name) for name in contest.bots]


def assert_the_same_both_ways(contest: Contest, table: Sequence[Bot]) -> None:
    traits = traits_of(table)
    assert traits is not None
    span = (2, contest.deals)
    uncompiled, compiled = Player(contest, table).play(*span), CompiledPlayer(contest, traits).play(*span)
    assert without_time(uncompiled) == without_time(compiled)
    assert {type(number) for number in compiled.scores} == {int}
    assert all(seconds > 0 for seconds in compiled.seconds)


# --- The same games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", [*COMBOS, Combo(TOY, 3, None), Combo(TOY, 3, "scarce")], ids=str)
def test_every_edition_seats_and_variant(combo: Combo) -> None:
    contest = Contest(NAMES[: combo.seats], 2, combo.seats, combo.edition, combo.variant, "distinct")
    assert_the_same_both_ways(contest, made(contest))


@pytest.mark.parametrize("kind", LINE_UPS)
def test_every_kind_of_line_ups(kind: str) -> None:
    contest = Contest(NAMES[:4], 2, seats=3, kind=kind, seed=7)
    assert_the_same_both_ways(contest, made(contest))


def test_bots_that_have_never_been_before() -> None:
    contest = Contest(("a", "b", "c", "d", "e"), 2, seats=5, kind="distinct", variant="scarce")
    rng = Random("compiled")
    for _ in range(4):
        assert_the_same_both_ways(contest, [Scripted(draw(rng)) for _ in contest.bots])


def test_a_last_holder_with_one_house_sells_it() -> None:
    """Otherwise the comparison above would not show that it is counted."""
    kept: list[Played] = []
    contest = Contest(NAMES[:3], 6, seats=3, edition=TOY, variant="scarce", kind="distinct")
    chunk = Player(contest, made(contest), kept.append).play(1, 6)
    alone = [
        event
        for played in kept
        for event in played.end.history
        if isinstance(event, SaleResolved) and sorted(map(len, event.houses)) == [0, 0, 1]
    ]
    assert alone
    traits = traits_of(made(contest))
    assert traits is not None
    assert CompiledPlayer(contest, traits).play(1, 6).houses == chunk.houses
    assert len(chunk.houses[0]) == HOUSE_SUMS * 6


@pytest.mark.parametrize("processes", [1, 2])
def test_without_numba_it_is_only_slower(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(NAMES[:2], 3, seats=3)
    fast = [score for chunk in play(contest, [(1, 3)], processes) for score in _by_deal(chunk, contest)]
    monkeypatch.setitem(sys.modules, "numba", None)
    slow = [score for chunk in play(contest) for score in _by_deal(chunk, contest)]
    assert sorted(fast) == sorted(slow)


def _by_deal(chunk: Chunk, contest: Contest) -> list[tuple[int, list[int]]]:
    size = contest.games_per_deal * contest.seats
    return [(chunk.start + deal, chunk.scores[deal * size : deal * size + size]) for deal in range(chunk.deals)]


def test_games_do_not_depend_on_who_else_is_in_the_contest() -> None:
    few, more = Contest(NAMES[:2], 2), Contest(NAMES[:3], 2)
    alone, among = (next(play(contest)).scores for contest in (few, more))
    assert among[:16] == alone[:16]


def test_games_do_not_depend_on_how_deals_are_put_together() -> None:
    contest = Contest(NAMES[:4], 7, kind="distinct")
    player = _player(contest, made(contest), None, nullcontext())
    whole, parts = player.play(1, 7), [player.play(1, 3), player.play(4, 4)]
    assert whole.scores == parts[0].scores + parts[1].scores


def test_every_game_has_chance_of_its_own() -> None:
    """One gambler against gamblers under another name: only chance makes the rotations of a deal differ."""
    contest = Contest(("one", "other"), 1, kind="against-field")
    gambler = PERSONALITIES["gambler"].traits
    scores = CompiledPlayer(contest, [gambler, gambler]).play(1, 1).scores
    assert len({tuple(scores[game : game + 4]) for game in range(0, 16, 4)}) == 4


# --- Who plays -------------------------------------------------------------------------------------------------------


class Bold(Scripted):
    """A scripted bot that is asked: it may choose otherwise."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return legal[-1]


@pytest.mark.parametrize(
    "other",
    [Timid(), Bold(Traits()), Scripted(Traits(), rounds=2), bots.make("lodger"), bots.make("broker")],
    ids=["another", "made from one", "forgetful", "lodger", "broker"],
)
def test_only_scripted_bots_of_perfect_memory_are_compiled(other: Bot) -> None:
    contest = Contest(("miser", "steward"), 1)
    own = Scripted(Traits())
    assert isinstance(_player(contest, [own, own], None, nullcontext()), CompiledPlayer)
    assert isinstance(_player(contest, [own, other], None, nullcontext()), Player)


def test_one_process_compiles_while_others_wait() -> None:
    contest, held = Contest(("miser", "steward"), 1), []

    @contextmanager
    def alone() -> Iterator[None]:
        held.append("begun")
        yield
        held.append("done")

    _player(contest, [Timid(), Timid()], None, alone())
    assert held == []
    _player(contest, made(contest), None, alone())
    assert held == ["begun", "done"]


def test_guarded_bots_are_compiled_and_records_are_not(tmp_path: Path) -> None:
    contest = Contest(("miser", "steward"), 1)
    with bots.guarded(contest.bots) as table:
        assert isinstance(_player(contest, table, None, nullcontext()), CompiledPlayer)
        assert isinstance(_player(contest, table, tmp_path, nullcontext()), Player)


def timid(names: Sequence[str]) -> AbstractContextManager[Sequence[Bot]]:
    return nullcontext([Timid() for _ in names])


def test_who_is_seated_counts_not_the_name() -> None:
    contest = Contest(("magnate", "gambler"), 1)
    (chunk,) = play(contest, seated=timid)
    assert sum(chunk.houses[0][1::HOUSE_SUMS]) == 0, "a timid bot never pays"
    (chunk,) = play(contest)
    assert sum(chunk.houses[0][1::HOUSE_SUMS]) > 0


def test_contests_with_others_draw_as_they_always_did() -> None:
    """One bot that is not scripted, and every seat has a `Random` of its own."""
    drawn: list[type] = []

    class Noting(Timid):
        def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
            drawn.append(type(rng))
            return super().choose(view, legal, rng)

    list(play(Contest(("noting", "miser"), 1), seated=lambda _: nullcontext([Noting(), bots.make("miser")])))
    assert set(drawn) == {Random}


# --- What cannot be ---------------------------------------------------------------------------------------------------


def test_a_policy_that_is_wrong_ends_the_run() -> None:
    """Traits that make no sense: a jump backwards."""
    wrong = Scripted(Traits(cap=9, jump=1, leap=-9))
    with pytest.raises(ArenaError, match="^deal 3: a scripted bot chose what is not legal$"):
        list(play(Contest(("wrong", "also"), 5), [(3, 1)], seated=lambda _: nullcontext([wrong, wrong])))


@pytest.mark.parametrize("name", ["miser", "lodger"])
def test_an_edition_that_is_too_large_for_scripted_bots(name: str, tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_text(Path(TOY).read_text().replace("{ 3 = 3 }", "{ 3 = 99 }"))
    contest = Contest(("broker", name), 1, seats=3, edition=str(large))
    said = f"^the bot {name!r} cannot play this edition: .*: expected at most 28 coins a seat, got 99$"
    with pytest.raises(ArenaError, match=said):
        list(play(contest))


# --- Words of chance -------------------------------------------------------------------------------------------------


def test_a_word_for_each_decision() -> None:
    words = Words(11)
    assert [words.getrandbits(64) for _ in range(3)] == [word(11, POLICY_WORDS + n) for n in range(3)]
    assert Words(11).getrandbits(100) >> 36 == word(11, POLICY_WORDS)
    assert Words(11).getrandbits(8) == word(11, POLICY_WORDS) >> 56
    assert Words(11).getrandbits(0) == 0


def test_all_else_that_is_asked_of_it_comes_from_the_words() -> None:
    one, same, other = Words(11), Words(11), Words(12)
    drawn = [(words.random(), words.randrange(60), words.choice("abc"), words.gauss()) for words in (one, same, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(0 <= number < 1 for number in (one.random() for _ in range(100)))


# --- Compiled once ---------------------------------------------------------------------------------------------------


def test_compiled_code_is_kept() -> None:
    contest = Contest(NAMES[:2], 1)
    _player(contest, made(contest), None, nullcontext())
    kept = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    assert [file for file in Path(kept).rglob("*") if file.name.startswith("compiled._play_all")]
