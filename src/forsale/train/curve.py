"""The learning curve of a run: how often the net wins against each group, as it learns, in one picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from forsale.arena.files import replace_whole
from forsale.arena.pictures import Axes, Axis, Box, Picture, round_axis
from forsale.train.log import read

NAME = "curve.svg"

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
    picture = Picture(
        780,
        max(430, 90 + 20 * len(lines)),
        "Win share, alone against each group",
        "A line for each group, as it learns",
    )
    across = round_axis([0, *(x for points in lines.values() for x, _ in points)])
    up = Axis(0, 1, {tick / 100: f"{tick} %" for tick in range(0, 101, 25)})
    axes = Axes(picture, Box(60, 50, 540, 320), across, up)
    axes.grid()
    for number, points in enumerate(lines.values()):
        axes.line(points, number)
    picture.legend(620, 64, list(lines))
    picture.text(330, 412, "billion decisions", anchor="middle")
    return picture.to_svg()
