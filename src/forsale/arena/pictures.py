"""Pictures that stand alone, in SVG: axes with lines, bands, bars, intervals and fields of colour.

A picture brings its paper along and knows a light and a dark one, so that it can be read on any page.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from forsale.arena.scale import Scale

Point = tuple[float, float]

_HUES = (212, 18, 135, 285, 45, 178, 330, 95, 250, 0)
_STYLE = """
text { font: 13px "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; fill: #4d463d; }
.paper { fill: #fbf6ea; stroke: #d9cdb4; }
.title { font-size: 16px; font-weight: 700; fill: #2b2620; }
.head { font-weight: 700; }
.small { font-size: 12px; }
.in { font-size: 12px; fill: #2b2620; }
.grid { stroke: #e3d9c3; }
.mark { stroke: #4d463d; stroke-dasharray: 4 4; }
.limit { stroke: #2b2620; stroke-width: 3; }
.more { fill: #e0763c; }
.less { fill: #5b97c9; }
.frame { fill: none; stroke: #d9cdb4; }
.line { fill: none; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
.band { opacity: .2; stroke: none; }
"""
_DARK = """
text { fill: #cdc3b1; }
.paper { fill: #23211d; stroke: #4a453b; }
.title, .in { fill: #f1eadb; }
.grid { stroke: #3b372f; }
.frame { stroke: #4a453b; }
.mark { stroke: #cdc3b1; }
.limit { stroke: #f1eadb; }
.more { fill: #b5501f; }
.less { fill: #2f6a9a; }
"""


class Axis(NamedTuple):
    """From where to where, and what is written at which values."""

    low: float
    high: float
    labels: Mapping[float, str]


class Box(NamedTuple):
    """A part of a picture."""

    left: float
    top: float
    width: float
    height: float


def round_axis(values: Iterable[float], unit: str = "", ticks: int = 5) -> Axis:
    """One that holds all the values, with round numbers along it.

    >>> round_axis([0, 0.4, 7], " coins").labels
    {0.0: '0 coins', 2.0: '2 coins', 4.0: '4 coins', 6.0: '6 coins', 8.0: '8 coins'}
    """
    found = Scale(list(values), ticks).ticks()
    return Axis(found[0], found[-1], {tick: f"{tick:.4g}{unit}" for tick in found})


class Picture:
    """What is drawn is kept, and written in the end."""

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        """The title stands above; the description is for those who cannot see the picture."""
        self._width, self._height, self._title, self._description = width, height, title, description
        self._parts: list[str] = []
        self._colours = 0

    def add(self, part: str) -> None:
        self._parts.append(part)

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """`anchor` says where of the words the place is: `start`, `middle` or `end`."""
        kinds = f' class="{kind}"' if kind else ""
        self.add(f'<text{kinds} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>')

    def upright(self, x: float, y: float, words: str) -> None:
        """Words from below to above, with their middle there."""
        turned = f'transform="rotate(-90 {x:.1f} {y:.1f})"'
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" {turned}>{escape(words)}</text>')

    def colour(self, number: int) -> str:
        """The name of a colour; the same number has the same one everywhere."""
        self._colours = max(self._colours, number + 1)
        return f"c{number}"

    def legend(self, x: float, y: float, names: Sequence[str], step: Point = (0, 20)) -> None:
        """Names with their colours, from the first on, each a step away from the one before."""
        for number, name in enumerate(names):
            left, low = x + step[0] * number, y + step[1] * number
            place = f'x="{left:.1f}" y="{low - 10:.1f}" width="12" height="12"'
            self.add(f'<rect class="fill {self.colour(number)}" {place}/>')
            self.text(left + 18, low, name)

    def to_svg(self) -> str:
        style = f"{_STYLE}{_colours(self._colours, 42)}@media (prefers-color-scheme: dark) {{"
        style += f"{_DARK}{_colours(self._colours, 65)}}}\n"
        inside = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {self._height}" '
            f'width="{self._width}" height="{self._height}" role="img" aria-labelledby="title description">\n'
            f'<title id="title">{escape(self._title)}</title>\n'
            f'<desc id="description">{escape(self._description)}</desc>\n<style>{style}</style>\n'
            f'<rect class="paper" x="1" y="1" width="{self._width - 2}" height="{self._height - 2}" rx="12"/>\n'
            f'<text class="title" x="20" y="30">{escape(self._title)}</text>\n{inside}\n</svg>\n'
        )


def _colours(count: int, lightness: int) -> str:
    """As many as are used. More than there are hues come again, lighter."""
    lines = []
    for number in range(count):
        again, hue = divmod(number, len(_HUES))
        colour = f"hsl({_HUES[hue]} 62% {lightness + 14 * again}%)"
        lines.append(f".c{number} {{ stroke: {colour}; }} .fill.c{number} {{ fill: {colour}; stroke: none; }}\n")
    return "".join(lines)


def _short(number: float, digits: int = 1) -> str:
    """There may be many of them."""
    return f"{round(number, digits):g}"


class Axes:
    """A box of a picture with an axis in each direction."""

    def __init__(self, picture: Picture, box: Box, across: Axis, up: Axis) -> None:
        self._picture, self._box, self._across, self._up = picture, box, across, up

    def x(self, value: float) -> float:
        return self._box.left + self._box.width * (value - self._across.low) / (self._across.high - self._across.low)

    def y(self, value: float) -> float:
        part = (value - self._up.low) / (self._up.high - self._up.low)
        return self._box.top + self._box.height * (1 - part)

    def grid(self, lines: bool = True) -> None:
        """What is written along both axes, and lines to the right of the one that goes up."""
        left, below = self._box.left, self._box.top + self._box.height
        for value, words in self._up.labels.items():
            if lines:
                self.level(value, "grid")
            self._picture.text(left - 7, self.y(value) + 4, words, "small", "end")
        for value, words in self._across.labels.items():
            self._picture.text(self.x(value), below + 17, words, "small", "middle")

    def level(self, value: float, kind: str) -> None:
        """A line from left to right."""
        left, right, y = self._box.left, self._box.left + self._box.width, self.y(value)
        self._picture.add(f'<line class="{kind}" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')

    def line(self, points: Sequence[Point], colour: int) -> None:
        kind = f"line {self._picture.colour(colour)}"
        self._picture.add(f'<polyline class="{kind}" points="{self._path(points)}"/>')

    def band(self, points: Sequence[tuple[float, float, float]], colour: int) -> None:
        """Between a lower and an upper value at each place."""
        around = [(x, low) for x, low, _ in points] + [(x, high) for x, _, high in reversed(points)]
        kind = f"fill {self._picture.colour(colour)} band"
        self._picture.add(f'<polygon class="{kind}" points="{self._path(around)}"/>')

    def bar(self, left: float, right: float, value: float, colour: int) -> None:
        """From the lowest value up."""
        x, y = self.x(left), self.y(value)
        size = f'width="{self.x(right) - x:.1f}" height="{self.y(self._up.low) - y:.1f}"'
        self._picture.add(f'<rect class="fill {self._picture.colour(colour)}" x="{x:.1f}" y="{y:.1f}" {size}/>')

    def interval(self, across: float, value: float, half: float, colour: int) -> None:
        """A dot, and how far the truth may be from it on both sides."""
        x, kind = self.x(across), self._picture.colour(colour)
        ends = f'y1="{self.y(value - half):.1f}" y2="{self.y(value + half):.1f}"'
        self._picture.add(f'<line class="line {kind}" x1="{x:.1f}" x2="{x:.1f}" {ends}/>')
        self._picture.add(f'<circle class="fill {kind}" cx="{x:.1f}" cy="{self.y(value):.1f}" r="4.5"/>')

    def cell(self, across: Point, up: Point, share: float, words: str = "") -> None:
        """A field of colour: orange for more than a half, blue for less, and the fuller the further from it."""
        x, y = self.x(across[0]) + 0.5, self.y(up[1]) + 0.5
        width, height = self.x(across[1]) - x - 0.5, self.y(up[0]) - y - 0.5
        path = f"M{_short(x)} {_short(y)}h{_short(width)}v{_short(height)}h-{_short(width)}z"
        kind = "more" if share >= 0.5 else "less"
        self._picture.add(f'<path class="{kind}" opacity="{_short(0.1 + 0.9 * abs(2 * share - 1), 2)}" d="{path}"/>')
        if words:
            self._picture.text(x + width / 2, y + height / 2 + 4, words, "in", "middle")

    def frame(self) -> None:
        left, top, width, height = self._box
        size = f'width="{width:.1f}" height="{height:.1f}"'
        self._picture.add(f'<rect class="frame" x="{left:.1f}" y="{top:.1f}" {size}/>')

    def limit(self, left: float, right: float, value: float) -> None:
        """A stroke across some of it."""
        y = self.y(value)
        self._picture.add(
            f'<line class="limit" x1="{self.x(left):.1f}" x2="{self.x(right):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )

    def _path(self, points: Iterable[Point]) -> str:
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
