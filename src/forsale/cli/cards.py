"""Cards as small boxes. A card's third of its deck shows in the frame's shape as well as in its colour."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.columns import Columns
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

_FRAMES = ((box.ROUNDED, "yellow"), (box.HEAVY, "cyan"), (box.DOUBLE, "magenta"))
"""From the lowest third to the highest: houses 1-10, 11-20, 21-30 in the published editions."""


def cards(shown: Iterable[tuple[int, str]], deck: Sequence[int]) -> RenderableType:
    """Cards side by side, as many rows as they need: each with its value, and what is printed on it."""
    return Columns([_card(label, _third(value, deck)) for value, label in shown], padding=(0, 1))


def _third(value: int, deck: Sequence[int]) -> int:
    return deck.index(value) * len(_FRAMES) // len(deck)


def _card(label: str, third: int) -> Panel:
    frame, colour = _FRAMES[third]
    return Panel.fit(Text(label, style="bold"), box=frame, border_style=colour)
