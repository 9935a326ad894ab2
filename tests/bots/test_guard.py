"""A guarded bot: what it does wrong is played by default and counted, and nobody else notices."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from forsale import arena, bots, editions
from forsale.bots import Guarded, default_action
from forsale.game import OVER, Action, Bid, Pass, Sell
from forsale.view import View
from tests.bots.asking import AUCTION, SALE
from tests.games import start


class Odd:
    """Does what it is given to do."""

    def __init__(self, act: Callable[[Sequence[Action]], object]) -> None:
        self.act = act

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return self.act(legal)  # type: ignore[return-value]  # which is what is wrong with it


class Unwritable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


def raises(error: BaseException) -> Callable[[object], object]:
    def act(_: object) -> object:
        raise error

    return act


RAISED = f"test_guard.py:{raises.__code__.co_firstlineno + 2}"


def guard(act: Callable[[Sequence[Action]], object]) -> tuple[Guarded, list[str]]:
    told: list[str] = []
    return Guarded("odd", Odd(act), "odd", "", told.append), told


@pytest.mark.parametrize(
    ("legal", "expected"),
    [
        ([Pass(), Bid(1), Bid(2)], Pass()),
        ([Bid(4), Pass()], Pass()),
        ([Pass()], Pass()),
        ([Sell(9), Sell(4), Sell(30)], Sell(4)),
        ([Sell(12)], Sell(12)),
    ],
)
def test_default_action(legal: list[Action], expected: Action) -> None:
    assert default_action(legal) == expected


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (raises(ValueError("no\nidea")), "crashed", f"crashed: ValueError at {RAISED}: no idea"),
        (raises(SystemExit(3)), "crashed", f"crashed: SystemExit at {RAISED}: 3"),
        (raises(Unwritable()), "crashed", f"crashed: Unwritable at {RAISED}: a Unwritable that cannot"),
        (lambda _: Bid(1000), "illegal", "illegal action: Bid(amount=1000)"),
        (lambda _: None, "illegal", "illegal action: None"),
        (lambda _: "x" * 10**6, "illegal", "illegal action: 'xxx"),
        (lambda _: Unwritable(), "illegal", "illegal action: a Unwritable that cannot be written"),
    ],
)
def test_what_is_no_choice_is_played_by_default(
    act: Callable[[Sequence[Action]], object], kind: str, words: str
) -> None:
    bot, told = guard(act)
    for question in (AUCTION, SALE, AUCTION):
        choice = bot.choose(question.view, question.legal, Random(1))
        assert choice == default_action(question.legal)
    bot.report()
    first, last = told
    assert first.startswith(f"odd: {words}")
    assert len(first) < 400
    assert "\n" not in first
    assert last == f"odd: 3 of 3 decisions were played by default: 3 {kind}"


def test_ctrl_c_is_no_fault() -> None:
    bot, _ = guard(raises(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        bot.choose(*AUCTION, Random(1))


def test_what_only_passes_for_a_legal_action_is_exchanged() -> None:
    """The engine refuses `Bid(True)`, which is equal to `Bid(1)`."""
    bot, told = guard(lambda _: Bid(True))
    choice = bot.choose(AUCTION.view, (Pass(), Bid(1)), Random(1))
    assert isinstance(choice, Bid)
    assert choice.amount is not True
    assert told == []


def test_a_game_goes_on_with_any_of_them() -> None:
    odd, _ = guard(raises(ValueError()))
    state = start(editions.load("iello-2020"), 3, None, Random(1))
    with bots.guarded(["broker", "random"]) as (broker, uniform):
        end = arena.play_out(state, [odd, broker, uniform], [Random(seat) for seat in range(3)])
    assert end.phase is OVER
    assert odd.faults["crashed"] == odd.decisions
    assert not broker.faults


def test_good_bots_choose_as_they_do_unguarded() -> None:
    with bots.guarded(["random", "broker", "random"]) as seated:
        assert [bot.label for bot in seated] == [bot.name for bot in seated] == ["random", "broker", "random"]
        assert seated[0] is seated[2]
        for name, bot in zip(("random", "broker"), seated, strict=False):
            for question in (AUCTION, SALE):
                assert bot.choose(*question, Random(3)) == bots.make(name).choose(*question, Random(3))
            assert bot.character == bots.find(name).character
