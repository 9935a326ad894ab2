"""The server's clock: wall time that notices when it cannot be trusted."""

import time

import pytest

from forsale.server.clock import MAX_DRIFT, MAX_GAP, ServerClock, wall_clock


class Watch:
    def __init__(self) -> None:
        self.wall, self.passed = 1_000_000, 50.0
        self.interruptions: list[int] = []
        self.clock = ServerClock(self.interruptions.append, lambda: self.wall, lambda: self.passed)


def test_time_that_passes_is_no_interruption() -> None:
    watch = Watch()
    for _ in range(100):
        watch.wall, watch.passed = watch.wall + 1005, watch.passed + 1
        assert watch.clock() == watch.wall
    assert watch.interruptions == []


@pytest.mark.parametrize("jump", [MAX_DRIFT + 0.1, -MAX_DRIFT - 0.1, 86_400, -86_400])
def test_a_jump_of_the_wall_clock_is_told_once_before_the_time_is_used(jump: float) -> None:
    watch = Watch()
    watch.wall, watch.passed = watch.wall + 1000 + round(jump * 1000), watch.passed + 1
    assert watch.clock() == watch.wall
    assert watch.interruptions == [watch.wall]
    watch.clock()
    assert len(watch.interruptions) == 1


def test_a_server_that_did_not_run_for_a_while_was_interrupted() -> None:
    watch = Watch()
    watch.wall, watch.passed = watch.wall + 3100, watch.passed + MAX_GAP + 0.1
    watch.clock()
    assert watch.interruptions == [watch.wall]


def test_wall_time_is_in_milliseconds() -> None:
    before = time.time()
    assert before * 1000 - 1 <= wall_clock() <= time.time() * 1000 + 1
