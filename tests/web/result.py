"""The end of a game on the screen, beside its record."""

from contextlib import suppress
from dataclasses import dataclass

from playwright.sync_api import TimeoutError, expect

from forsale import record
from forsale.game import outcome
from forsale.record import Record
from tests.web.person import Person
from tests.web.words import say


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings."""

    place: int
    name: str
    score: int


def standings(person: Person, language: str = "en") -> list[Row]:
    """As they stand on the screen."""
    skip = person.button("end.skip", language)
    counted = person.page.locator('[data-counted="true"]')
    expect(skip.or_(counted).first).to_be_visible()
    with suppress(TimeoutError):  # the counting may just have ended
        skip.click(timeout=500)
    counted.wait_for()
    table = person.page.get_by_role("table", name=say("end.standings", language))
    rows = table.locator("tbody tr").all()
    return [
        Row(
            place=int(row.locator("td").first.inner_text()),
            name=row.locator("th").inner_text(),
            score=int(row.locator("td").last.inner_text()),
        )
        for row in rows
    ]


def download(person: Person) -> Record:
    """What the button saves, read as anyone would read it."""
    with person.page.expect_download() as coming:
        person.link("end.download").click()
    download = coming.value
    assert download.suggested_filename.endswith(".fsr")
    return record.from_bytes(download.path().read_bytes())


def check(person: Person) -> Record:
    """The screen, the record's own score and the engine's replay of it agree. Returns the record."""
    rows = standings(person)
    written = download(person)
    end = outcome(record.replay(written).state)
    assert end is not None
    assert written.tag("Score") == " ".join(map(str, end.scores))
    order = sorted(range(len(end.scores)), key=lambda seat: end.places[seat])
    assert [row.score for row in rows] == [end.scores[seat] for seat in order]
    assert [row.place for row in rows] == [end.places[seat] for seat in order]
    scores = dict(zip(written.players, end.scores, strict=True))
    for row in rows:
        assert row.score in [score for name, score in scores.items() if row.name.endswith(name)]
    return written
