"""The HTML report: whole, of itself, and with the numbers of the contest in it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from forsale.arena import Contest, Summary, play, summarise
from forsale.arena.lineups import LINE_UPS
from forsale.arena.report import html, write_html
from tests.arena.contests import made_up, seated

ALONE = {"meta", "br", "line", "rect", "circle", "polyline"}
"""Elements that are never closed, or close themselves."""


def summary_of(contest: Contest) -> Summary:
    return summarise(contest, play(contest, seated=seated))


class Page(HTMLParser):
    """Checks that elements are closed in order, and keeps the text and what might lead elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.elements: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ALONE:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("kind", LINE_UPS)
def test_every_kind_of_line_ups_makes_a_whole_page(kind: str) -> None:
    summary = summary_of(Contest(("left", "right", "timid", "other"), 10, seats=3, kind=kind))
    page = Page(html(summary))
    for standing in summary.standings:
        assert standing.bot in page.words
        assert f"{standing.win_share.value:.1%}" in page.words
        assert f"{standing.score.value:.1f}" in page.words
    for cell in summary.matrix:
        assert f"{cell.win_share.value:.1%}" in page.words
    assert page.elements.count("section") == 6
    assert page.elements.count("figure") == 8


def test_nothing_comes_from_elsewhere() -> None:
    text = html(summary_of(Contest(("left", "timid"), 10)))
    assert not re.search(r"https?:|url\(|@import|<script|<link|<img", text)
    assert not {"src", "href", "onclick"} & {name for name, _ in Page(text).attributes}


def test_light_and_dark_and_narrow() -> None:
    text = html(summary_of(Contest(("left", "timid"), 10)))
    assert "prefers-color-scheme: dark" in text
    assert "max-width: 560px" in text
    assert 'name="viewport"' in text


def test_names_are_only_text() -> None:
    wicked = 'cmd:<script>alert("x")</script> & more'
    page = Page(html(summary_of(Contest((wicked, "timid"), 10))))
    assert "script" not in page.elements
    assert wicked in page.words


def test_one_line_up_needs_no_matrix() -> None:
    page = Page(html(summary_of(Contest(("left", "timid"), 10, kind="against-field"))))
    assert "Who beats whom" not in page.words


def test_few_deals_are_told_of() -> None:
    text = html(summary_of(Contest(("left", "timid"), 2)))
    assert "With fewer than 10 deals, no interval is given." in text
    assert 'class="interval"' not in text


def test_all_alike_and_nothing_bought() -> None:
    """No spread to scale by, and no line to draw."""
    contest = Contest(("left", "timid"), 10)
    text = html(summarise(contest, [made_up(contest, lambda _deal, _seated: [1, 1, 1, 1])]))
    Page(text)
    assert "<polyline" not in text
    assert "nan" not in text


def test_houses_that_a_bot_never_had_leave_a_gap() -> None:
    contest = Contest(("left", "timid"), 10)
    chunk = made_up(contest, lambda _deal, _seated: [1, 1, 1, 1])
    for house in (1, 2, 5):
        chunk.houses[0][4 * house] = 1
    own = [line for line in html(summarise(contest, [chunk])).splitlines() if "price by house, left" in line]
    assert own[0].count('<polyline class="own"') == 2


def test_written_whole(tmp_path: Path) -> None:
    summary = summary_of(Contest(("left", "timid"), 10))
    write_html(tmp_path / "report.html", summary)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html(summary)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
