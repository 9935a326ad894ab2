"""Which bots meet: a line-up names the bot of each seat, before it is rotated.

Bots are numbers here, in the order in which they were named. A field is all the seats but one, with the same bot in
each of them.

>>> LINE_UPS["against-field"](3, 4)
((0, 1, 1, 1), (0, 2, 2, 2))
>>> LINE_UPS["field-against"](3, 4)
((1, 0, 0, 0), (2, 0, 0, 0))
>>> LINE_UPS["round-robin"](2, 3)
((0, 1, 1), (1, 0, 0))
>>> LINE_UPS["distinct"](4, 3)
((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, permutations

LineUp = tuple[int, ...]


def _one_against(one: int, field: int, seats: int) -> LineUp:
    return (one, *[field] * (seats - 1))


def _against_field(bots: int, seats: int) -> tuple[LineUp, ...]:
    return tuple(_one_against(0, other, seats) for other in range(1, bots))


def _field_against(bots: int, seats: int) -> tuple[LineUp, ...]:
    return tuple(_one_against(other, 0, seats) for other in range(1, bots))


def _round_robin(bots: int, seats: int) -> tuple[LineUp, ...]:
    return tuple(_one_against(one, field, seats) for one, field in permutations(range(bots), 2))


def _distinct(bots: int, seats: int) -> tuple[LineUp, ...]:
    return tuple(combinations(range(bots), seats))


LINE_UPS: Mapping[str, Callable[[int, int], tuple[LineUp, ...]]] = {
    "round-robin": _round_robin,
    "against-field": _against_field,
    "field-against": _field_against,
    "distinct": _distinct,
}
"""By name: the line-ups of so many bots at so many seats."""


def seating(line_up: LineUp, deal: int, rotation: int) -> LineUp:
    """The bot in each seat. Who sits next to whom changes from deal to deal, through all the circles there are.

    >>> [seating((0, 1, 2), deal=1, rotation=rotation) for rotation in range(3)]
    [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    >>> seating((0, 1, 2), deal=2, rotation=0)
    (0, 2, 1)
    """
    all_circles = circles(line_up)
    circle = all_circles[(deal - 1) % len(all_circles)]
    return circle[-rotation:] + circle[:-rotation] if rotation else circle


@cache
def circles(line_up: LineUp) -> tuple[LineUp, ...]:
    """All ways to sit around the table; deals take them in turns."""
    return tuple((line_up[0], *others) for others in sorted(set(permutations(line_up[1:]))))
