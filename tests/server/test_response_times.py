"""How long a planned action waits."""

from random import Random

from forsale.server.response_times import ENOUGH, LONGEST, SHORTEST, TYPICAL, ResponseTimes


def test_without_a_persons_own_times_typical_ones_are_drawn() -> None:
    times = ResponseTimes(Random(1))
    for _ in range(ENOUGH - 1):
        times.add(3900)
    drawn = [times.draw() for _ in range(500)]
    assert min(TYPICAL) < sorted(drawn)[250] < max(TYPICAL)


def test_a_persons_own_times_are_drawn_from_once_there_are_enough() -> None:
    times = ResponseTimes(Random(1))
    for _ in range(ENOUGH):
        times.add(3000)
    drawn = sorted(times.draw() for _ in range(500))
    assert 2800 < drawn[250] < 3200
    assert drawn[10] < 2500


def test_no_draw_is_quicker_than_a_person_or_longer_than_a_clock_allows() -> None:
    quick, slow = ResponseTimes(), ResponseTimes()
    for _ in range(ENOUGH):
        quick.add(5)
        slow.add(1_000_000)
    assert {quick.draw() for _ in range(100)} == {SHORTEST}
    assert {slow.draw() for _ in range(100)} == {LONGEST}
