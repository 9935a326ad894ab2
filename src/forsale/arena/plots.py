"""The plots of a report: small pieces of SVG.

Those that are as wide as the page have their horizontal places in percent: a page as narrow as a phone makes them
narrower, and never their letters smaller.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from forsale.arena.scale import Scale
from forsale.arena.statistics import Estimate

Format = Callable[[float], str]
Points = Sequence[tuple[int, float | None]]
"""A value for each house, None where there is none."""

_WIDTH, _HEIGHT = 300, 150
_LEFT, _BELOW = 26, 20


def bars(rows: Iterable[tuple[str, Estimate, str]], reference: float, text: Format) -> str:
    """A row for each name: where its estimate is and how far its interval goes, and the same in words.

    `reference` is marked in all rows; `text` writes the numbers of the scale.
    """
    listed = list(rows)
    reach = [value for _, estimate, _ in listed for value in (estimate.low, estimate.value, estimate.high)]
    scale = Scale([reference, *(value for value in reach if value is not None)])
    drawn = "".join(
        f'<div class="row"><span class="name">{escape(name)}</span>{_bar(estimate, scale, reference)}'
        f'<span class="value">{words}</span></div>\n'
        for name, estimate, words in listed
    )
    labels = "".join(f'<text x="{scale.at(tick):.2f}%" y="14">{text(tick)}</text>' for tick in scale.ticks())
    axis = f'<span></span><svg height="20" aria-hidden="true">{labels}</svg><span></span>'
    return f'<div class="bars">\n{drawn}<div class="row axis">{axis}</div>\n</div>'


def _bar(estimate: Estimate, scale: Scale, reference: float) -> str:
    parts = [_upright(scale.at(tick), "grid") for tick in scale.ticks()] + [_upright(scale.at(reference), "fair")]
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        parts.append(f'<rect class="interval" x="{low:.2f}%" width="{high - low:.2f}%" y="11" height="10" rx="3"/>')
    parts.append(f'<circle class="point" cx="{scale.at(estimate.value):.2f}%" cy="16" r="5"/>')
    return f'<svg height="32" aria-hidden="true">{"".join(parts)}</svg>'


def _upright(at: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{at:.2f}%" x2="{at:.2f}%" y1="0" y2="32"/>'


def panels(lines: Mapping[str, Points], together: Points, what: str) -> str:
    """A small plot for each name, all with the same scale, and in each the line of all together."""
    scale = Scale([0.0, *(value for points in lines.values() for _, value in points if value is not None)], ticks=4)
    drawn = [_Panel(points, scale).drawn(name, together, what) for name, points in lines.items()]
    return f'<div class="panels">\n{"".join(drawn)}</div>'


class _Panel:
    """One of them: houses to the right, values upwards."""

    def __init__(self, points: Points, scale: Scale) -> None:
        self._points = points
        self._scale = scale
        self._first, self._last = points[0][0], points[-1][0]

    def drawn(self, name: str, together: Points, what: str) -> str:
        inside = self._grid() + self._line("all", together) + self._line("own", self._points) + self._dots(what)
        return (
            f'<figure><figcaption>{escape(name)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'aria-label="{escape(f"{what} by house, {name}")}">{inside}</svg></figure>\n'
        )

    def _x(self, house: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - 6) * (house - self._first) / max(self._last - self._first, 1)

    def _y(self, value: float) -> float:
        return 6 + (_HEIGHT - _BELOW - 6) * (1 - self._scale.at(value) / 100)

    def _grid(self) -> str:
        lines = [
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 6}" y1="{self._y(tick):.1f}" y2="{self._y(tick):.1f}"/>'
            f'<text class="left" x="{_LEFT - 6}" y="{self._y(tick) + 4:.1f}">{tick:.4g}</text>'
            for tick in self._scale.ticks()
        ]
        named = {self._first, *(house for house, _ in self._points if house % 5 == 0)}
        lines += [f'<text x="{self._x(house):.1f}" y="{_HEIGHT - 4}">{house}</text>' for house in sorted(named)]
        return "".join(lines)

    def _line(self, kind: str, points: Points) -> str:
        """With a gap where there is no value."""
        pieces: list[list[str]] = [[]]
        for house, value in points:
            if value is None:
                pieces.append([])
            else:
                pieces[-1].append(f"{self._x(house):.1f},{self._y(value):.1f}")
        return "".join(f'<polyline class="{kind}" points="{" ".join(piece)}"/>' for piece in pieces if piece)

    def _dots(self, what: str) -> str:
        return "".join(
            f'<circle class="dot" cx="{self._x(house):.1f}" cy="{self._y(value):.1f}" r="2.2">'
            f"<title>house {house}: {what} {value:.2f}</title></circle>"
            for house, value in self._points
            if value is not None
        )
