"""Pictures that stand alone: what is drawn where, and that it can be read."""

from xml.etree import ElementTree

import pytest

from forsale.arena.pictures import Axes, Axis, Box, Picture, round_axis
from forsale.train.curve import drawn

SVG = "{http://www.w3.org/2000/svg}"


def made() -> tuple[Picture, Axes]:
    picture = Picture(400, 300, "Houses & coins", "A <square>")
    return picture, Axes(picture, Box(50, 40, 200, 100), Axis(0, 10, {0: "0", 10: "10"}), Axis(-1, 1, {0: "even"}))


def parts(picture: Picture, kind: str) -> list[ElementTree.Element]:
    """All that is of a kind, but the paper."""
    found = ElementTree.fromstring(picture.to_svg()).iter(f"{SVG}{kind}")
    return [part for part in found if part.get("class") != "paper"]


def test_a_value_has_its_place() -> None:
    _, axes = made()
    assert (axes.x(0), axes.x(10), axes.x(2.5)) == (50, 250, 100)
    assert (axes.y(-1), axes.y(1), axes.y(0)) == (140, 40, 90)


def test_words_are_words() -> None:
    """And no markup, whatever they are."""
    picture, axes = made()
    axes.grid()
    picture.upright(5, 5, "<coins>")
    assert [text.text for text in parts(picture, "text")] == ["Houses & coins", "even", "0", "10", "<coins>"]
    (description,) = parts(picture, "desc")
    assert description.text == "A <square>"


def test_lines_bands_and_bars() -> None:
    picture, axes = made()
    axes.line([(0, -1), (10, 1)], 0)
    axes.band([(0, -1, 0), (10, 0, 1)], 1)
    axes.bar(0, 5, 0, 2)
    (line,), (band,), (bar,) = (parts(picture, kind) for kind in ("polyline", "polygon", "rect"))
    assert line.get("points") == "50.0,140.0 250.0,40.0"
    assert band.get("points") == "50.0,140.0 250.0,90.0 250.0,40.0 50.0,90.0"
    assert [bar.get(name) for name in ("x", "y", "width", "height")] == ["50.0", "90.0", "100.0", "50.0"]


def test_an_interval_reaches_both_ways() -> None:
    picture, axes = made()
    axes.interval(5, 0.5, 0.25, 0)
    (line,), (dot,) = parts(picture, "line"), parts(picture, "circle")
    assert (line.get("y1"), line.get("y2"), dot.get("cy"), dot.get("cx")) == ("77.5", "52.5", "65.0", "150.0")


def test_a_cell_is_the_fuller_the_further_from_a_half() -> None:
    picture, axes = made()
    for share in (0, 0.4, 0.5, 0.6, 1):
        axes.cell((0, 5), (0, 1), share, "here")
    cells = parts(picture, "path")
    assert [cell.get("class") for cell in cells] == ["less", "less", "more", "more", "more"]
    assert [cell.get("opacity") for cell in cells] == ["1", "0.28", "0.1", "0.28", "1"]
    assert cells[0].get("d") == "M50.5 40.5h99v49h-99z"


def test_every_colour_that_is_used_is_there_in_both_lights() -> None:
    picture, _ = made()
    picture.legend(300, 50, [f"group {number}" for number in range(13)])
    light, dark = picture.to_svg().split("prefers-color-scheme: dark")
    for style in (light, dark.split("</style>")[0]):
        colours = [f".fill.c{number} {{" for number in range(13)]
        assert all(colour in style for colour in colours)
        assert ".c13 " not in style


@pytest.mark.parametrize(("values", "ends"), [([0, 7], (0, 8)), ([0.0], (0, 0.001)), ([-3.2, 1], (-4, 1))])
def test_a_round_axis_holds_all_values(values: list[float], ends: tuple[float, float]) -> None:
    axis = round_axis(values)
    assert (axis.low, axis.high) == ends
    assert (min(axis.labels), max(axis.labels)) == ends


def test_the_learning_curve_has_a_line_and_a_name_for_each_group() -> None:
    groups = {f"<{number}>": [(0.0, 0.25), (1.7, 0.1 + 0.05 * number)] for number in range(16)}
    picture = ElementTree.fromstring(drawn(groups))
    lines = [line.get("points", "").split() for line in picture.iter(f"{SVG}polyline")]
    assert len(lines) == 16
    assert {line[0] for line in lines} == {"60.0,290.0"}
    assert [line[1].partition(",")[0] for line in lines] == ["519.0"] * 16
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert set(groups) <= set(texts)
    lowest = max(float(text.get("y", "")) for text in picture.iter(f"{SVG}text"))
    assert lowest < float(picture.get("height", ""))
