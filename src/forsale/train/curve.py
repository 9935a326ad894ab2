"""The learning curve of a run: how often the net wins against each group, as it learns, in one picture."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from forsale.arena.files import replace_whole
from forsale.train.log import read

NAME = "curve.svg"
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BELOW, _ABOVE = 760, 420, 46, 130, 34, 34
_HUES = (210, 20, 130, 280, 45, 175, 330, 95, 250, 0)

Lines = Mapping[str, Sequence[tuple[float, float]]]


def write_curve(folder: Path) -> None:
    """Draw what the log of a run tells; nothing where there was no exam yet."""
    exams = [(lesson["all decisions"] / 1e9, lesson["exams"]) for lesson in read(folder) if "exams" in lesson]
    lines: dict[str, list[tuple[float, float]]] = {}
    for billions, found in exams:
        for groups in found.values():
            for group, share in groups.items():
                lines.setdefault(group, []).append((billions, share))
    if exams:
        replace_whole(folder / NAME, drawn(lines).encode())


def drawn(lines: Lines) -> str:
    """A line for each group: win share upwards, billions of decisions to the right."""
    most = max(x for points in lines.values() for x, _ in points) or 1.0

    def at(x: float, y: float) -> str:
        across = _LEFT + (_WIDTH - _LEFT - _RIGHT) * x / most
        return f"{across:.1f},{_HEIGHT - _BELOW - (_HEIGHT - _BELOW - _ABOVE) * y:.1f}"

    parts = []
    for tick in range(0, 101, 25):
        x, y = at(0, tick / 100).split(",")
        parts.append(f'<line x1="{x}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}" stroke="#8884"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end">{tick} %</text>')
    for number, (group, points) in enumerate(lines.items()):
        colour = f"hsl({_HUES[number % len(_HUES)]} 65% {40 + 20 * (number // len(_HUES))}%)"
        path = " ".join(at(x, y) for x, y in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="{path}"/>')
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 14}" y="{_ABOVE + 19 * number}" fill="{colour}">{escape(group)}</text>'
        )
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 8}">0</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 8}" text-anchor="end">{most:.1f} billion decisions</text>')
    parts.append(f'<text x="{_LEFT}" y="18">win share, alone against each group</text>')
    style = 'font-family="sans-serif" font-size="13" fill="#777"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {max(_HEIGHT, _ABOVE + 19 * len(lines))}" '
        f"{style}>{''.join(parts)}</svg>\n"
    )
