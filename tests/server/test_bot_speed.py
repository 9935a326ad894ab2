"""Which bots count as slow."""

import pytest

from forsale import bots
from forsale.bots.roster import OWN
from forsale.server.bot_speed import QUICK, BotSpeeds


def test_our_own_bots_are_slow_if_they_search() -> None:
    speeds = BotSpeeds()
    slow = {name for name in OWN if speeds.is_slow(name)}
    assert slow == {f"{kind}-{time}" for kind in ("champion", "planner") for time in ("50ms", "200ms", "1s")}
    assert not {"champion", *bots.LEVELS[:4]} & slow


@pytest.mark.parametrize("name", ["broker", "planner-1s"])
def test_measurements_change_nothing_for_our_own(name: str) -> None:
    speeds = BotSpeeds()
    before = speeds.is_slow(name)
    for seconds in (5.0, 0.0, 5.0):
        speeds.record(name, seconds)
        assert speeds.is_slow(name) == before
    assert speeds.is_declared(name)


def test_another_bot_is_slow_until_it_was_quick_once() -> None:
    speeds = BotSpeeds()
    assert speeds.is_slow("guest")
    assert not speeds.is_declared("guest")
    speeds.record("guest", 2.0)
    assert speeds.is_slow("guest")
    speeds.record("guest", QUICK)
    assert not speeds.is_slow("guest")


def test_it_is_slow_again_when_its_average_is() -> None:
    speeds = BotSpeeds()
    for _ in range(10):
        speeds.record("guest", 0.02)
    speeds.record("guest", 0.3)
    assert not speeds.is_slow("guest")  # once may be chance
    speeds.record("guest", 0.3)
    assert speeds.is_slow("guest")
    speeds.record("guest", 0.02)
    assert speeds.is_slow("guest")
    for _ in range(4):
        speeds.record("guest", 0.02)
    assert not speeds.is_slow("guest")


def test_an_answer_that_takes_all_its_time_makes_it_slow_at_once() -> None:
    speeds = BotSpeeds()
    speeds.record("guest", 0.001)
    speeds.record("guest", 2.0)
    assert speeds.is_slow("guest")
