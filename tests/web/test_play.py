"""Whole games, played by people in browsers."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from forsale import editions
from tests.server.system.server_process import ServerProcess
from tests.web import result
from tests.web.conftest import Meet
from tests.web.person import PHONE, Person, everyone, play, wait_for_end
from tests.web.screen import scrolls, texts
from tests.web.words import left_over, pattern, say

NAMES = ("Ana", "Bo", "Cléo", "Dan", "Emma", "Félix")


def table_of(people: list[Person], **options: object) -> str:
    """A table that the first opens and the others join; bots take what is left, and it begins."""
    table = people[0].opens_table(**options)
    for person in people[1:]:
        person.joins(table)
    people[0].starts(table)
    everyone(people, table)
    return table


def played(people: list[Person], seed: int, **options: object) -> None:
    """To the end, which is the same for all of them."""
    table_of(people, **options)
    play(people, Random(seed))
    wait_for_end(people)
    for person in people:
        written = result.check(person)
        assert set(written.players) >= {one.name for one in people}


def test_two_people_and_two_bots_play_a_whole_game(meet: Meet) -> None:
    """From the home page to the check of the shuffle, by the mouse, and without hurry."""
    ana, bo = meet("Ana"), meet("Bo")
    ana.visit("/")
    ana.link("home.create").click()
    ana.button("home.new.open").click()
    ana.wait_for_phase("waiting")
    bo.page.goto(ana.page.url)
    bo.button("lobby.sit").click()
    expect(ana.main).to_contain_text("Bo")
    ana.button("lobby.start").click()
    play([ana, bo], Random(4), hurry=False)
    wait_for_end([ana, bo])
    for person in (ana, bo):
        written = result.check(person)
        assert written.players[:2] == ("Ana", "Bo")
        assert verdict(person) == "fair"
        person.button("end.verify").click()
        expect(person.page.get_by_role("dialog")).to_contain_text(say("fair.verdict.fair"))


def verdict(person: Person) -> str | None:
    """On the shuffle, at the end of a game."""
    person.page.locator('[data-counted="true"]').wait_for()
    return person.page.locator("[data-verdict]").first.get_attribute("data-verdict")


def test_six_people_play_a_whole_game(meet: Meet) -> None:
    played([meet(name) for name in NAMES], seed=6, seats=6)


@pytest.mark.parametrize("edition", editions.published())
def test_every_edition_is_played(meet: Meet, edition: str) -> None:
    played([meet("Ana")], seed=1, seats=6, edition=edition)


@pytest.mark.parametrize("edition", ["iello-2020", "iello-2015"])
def test_the_variant_is_played(meet: Meet, edition: str) -> None:
    played([meet("Ana")], seed=2, seats=5, edition=edition, variant="scarce")


# --- Things go wrong -----------------------------------------------------------------------------------------------


def test_a_reload_in_the_middle_loses_nothing(meet: Meet) -> None:
    ana, bo = people = [meet("Ana"), meet("Bo")]
    table_of(people, seats=6)
    play([ana, bo], Random(7), until="selling")
    ana.wait_for_turn()
    ana.sells(ana.houses[0])
    expect(ana.page.locator(".houses li.there")).to_have_count(5)  # all but Bo: nothing happens until he has chosen
    before = (ana.shown(), ana.houses, own_line(ana), spoken(ana))
    ana.page.reload()
    ana.wait("main => main.dataset.link === 'open'")
    assert (ana.shown(), ana.houses, own_line(ana), spoken(ana)) == before
    expect(ana.house(ana.houses[0])).to_have_attribute("aria-pressed", "true")
    play(people, Random(7))
    wait_for_end(people)
    result.check(bo)


def own_line(person: Person) -> str:
    return person.page.locator(".mine [data-seat]").inner_text()


def spoken(person: Person) -> list[str]:
    """The log, sentence by sentence."""
    return person.page.get_by_role("tabpanel").locator("li").all_inner_texts()


def test_a_killed_server_costs_nothing(meet: Meet, tmp_path: Path) -> None:
    """The page says so, comes back by itself, and sends what was pressed meanwhile."""
    with ServerProcess(tmp_path) as server:
        ana = meet("Ana", address=server.address)
        ana.watch.expect("WebSocket connection")
        table_of([ana], seats=6)
        ana.wait_for_turn()
        server.kill()
        ana.page.locator('#main[data-link="lost"]').wait_for()
        expect(ana.page.get_by_text(say("table.lost"), exact=True).first).to_be_visible()
        seq, amount = ana.shown().seq, ana.bid_button.get_attribute("data-amount")
        ana.bid_button.click()
        server.start()
        ana.page.locator('#main[data-link="open"]').wait_for()
        expect(ana.page.get_by_text(say("table.lost"), exact=True)).to_have_count(0)
        ana.wait_past(seq)
        play([ana], Random(8), until="selling")
        # It stops as it should, and says that it will be back.
        server.stop()
        expect(ana.page.get_by_text(say("table.restarting"), exact=True).first).to_be_visible()
        server.start()
        ana.page.locator('#main[data-link="open"]').wait_for()
        play([ana], Random(8))
        written = result.check(ana)
        assert f" A{amount} " in written.to_bytes().decode()
        ana.page.close()


def test_a_connection_that_breaks_while_sending_loses_no_action(meet: Meet) -> None:
    """The message is on its way when the line is cut: it is sent again, and counts once."""
    ana = meet("Ana")
    cut = {"acts": 0}

    def line(route) -> None:  # type: ignore[no-untyped-def]
        server = route.connect_to_server()

        def forward(message: str) -> None:
            if '"act"' in message and cut["acts"] == 0:
                cut["acts"] += 1
                server.send(message)
                route.close()
                server.close()
            else:
                server.send(message)

        route.on_message(forward)

    ana.page.route_web_socket("**/socket", line)
    table = table_of([ana], seats=3)
    ana.wait_for_turn()
    amount = ana.bid_button.get_attribute("data-amount")
    seq = ana.shown().seq
    ana.bid_button.click()
    ana.wait_past(seq)
    ana.page.locator('#main[data-link="open"]').wait_for()
    assert cut["acts"] == 1
    record = ana.api("GET", f"/api/tables/{table}/record")
    assert record.count(f" A{amount} ") == 1


# --- Afterwards ----------------------------------------------------------------------------------------------------


def test_a_rematch_brings_the_same_people_together(meet: Meet) -> None:
    ana, bo = people = [meet("Ana"), meet("Bo")]
    table_of(people, seats=6)
    play(people, Random(9))
    wait_for_end(people)
    for person in people:
        result.standings(person)
    ana.button("end.rematch").click()
    ana.wait_for_phase("waiting")
    bo.link("end.rematch.join").click()
    bo.wait_for_phase("waiting")
    assert ana.page.url == bo.page.url
    expect(ana.main).to_contain_text("Bo")
    for person in people:
        expect(person.main).to_contain_text(say("lobby.seed.random"))
    ana.button("lobby.start").click()
    play(people, Random(9))
    wait_for_end(people)
    for person in people:
        assert verdict(person) == "fair"


# --- The shuffle ---------------------------------------------------------------------------------------------------


def test_play_now_puts_a_seed_of_the_browser_into_the_shuffle(meet: Meet) -> None:
    """A reload neither forgets it nor gives another; other browsers cannot vouch for it."""
    ana, bo = meet("Ana"), meet("Bo")
    joins: list[str] = []
    ana.page.on("request", lambda request: joins.append(request.url) if request.url.endswith("/join") else None)
    ana.visit("/")
    ana.button("home.play-now").click()
    ana.wait_for_phase("buying")
    ana.page.reload()
    ana.wait_for_phase("buying")
    play([ana], Random(14))
    assert verdict(ana) == "fair"
    assert len(joins) == 1
    table = ana.page.url.rsplit("/", 1)[1]
    info = ana.api("GET", f"/api/tables/{table}")
    assert re.fullmatch(r"[0-9a-f]{32}", info["seeds"][0])
    assert set(info["seeds"][1:]) == {""}
    for person, expected in ((ana, "fair"), (bo, "as-committed")):
        person.visit(f"/g/{table}")
        expect(person.page.get_by_role("slider", name=say("replay.scrub"))).to_be_visible()
        person.page.keyboard.press("End")
        assert verdict(person) == expected


def test_a_game_without_seeds_is_only_as_committed(meet: Meet) -> None:
    """A table that was opened and started by a program, which gave none."""
    ana = meet("Ana")
    table_of([ana], seats=3)
    play([ana], Random(15))
    assert verdict(ana) == "as-committed"
    ana.button("end.verify").click()
    expect(ana.page.get_by_role("dialog")).to_contain_text(say("fair.why.no-seeds"))


def test_a_seed_that_was_replaced_is_noticed(meet: Meet) -> None:
    ana = meet("Ana")
    ana.visit("/new")
    ana.button("home.new.open").click()
    expect(ana.main).to_contain_text(say("lobby.seed.random"))
    ana.joins(ana.page.url.rsplit("/", 1)[1])  # behind the browser's back
    ana.button("lobby.start").click()
    play([ana], Random(16))
    assert verdict(ana) == "broken"
    expect(ana.main).to_contain_text(say("fair.failed.seed-replaced"))


# --- For everyone --------------------------------------------------------------------------------------------------


def test_a_game_in_french_has_no_english_left(meet: Meet) -> None:
    ana = meet("Ana", settings={"language": "fr"}, locale="fr-FR")
    seen: set[str] = set()
    for path in ("/", "/new", "/learn", "/settings", "/g"):
        ana.visit(path)
        ana.page.wait_for_load_state("networkidle")
        seen.update(texts(ana.page))
    ana.sits_at(ana.opens_table(seats=5, tracker=True))
    seen.update(texts(ana.page))
    ana.button("lobby.start", "fr").click()
    ana.wait_for_phase("buying")

    def turn(person: Person, rng: Random) -> None:
        seen.update(texts(person.page))
        person.takes_turn(rng)
        seen.update(texts(person.page))

    play([ana], Random(10), turn=turn)
    result.standings(ana, "fr")
    seen.update(texts(ana.page))
    ana.button("end.verify", "fr").click()
    seen.update(texts(ana.page))
    assert left_over(sorted(seen), "fr", "en") == []
    assert ana.page.locator("html").get_attribute("lang") == "fr"


def test_the_keyboard_alone_plays_a_whole_game(meet: Meet) -> None:
    ana = meet("Ana")
    ana.visit("/")
    tab_to(ana, say("home.play-now"))
    ana.page.keyboard.press("Enter")
    ana.wait_for_phase("buying")
    play([ana], Random(11), turn=by_keys)
    ana.page.locator('[data-counted="true"]').wait_for()
    tab_to(ana, say("end.replay"))
    ana.page.keyboard.press("Enter")
    expect(ana.page.get_by_role("slider", name=say("replay.scrub"))).to_be_visible()


def tab_to(person: Person, name: str) -> None:
    """As someone does who has no mouse."""
    for _ in range(60):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("() => document.activeElement.textContent").strip().startswith(name):
            return
    raise AssertionError(f"{name} is not reached by the Tab key")


def by_keys(person: Person, rng: Random) -> None:
    shown, keys = person.shown(), person.page.keyboard
    if shown.phase == "selling":
        for _ in range(rng.randrange(1, 4)):
            keys.press("ArrowRight")
        house = int(person.page.evaluate("() => document.activeElement.dataset.house"))
        keys.press("Enter")
        person.wait_for_choice(house, shown.seq)
    else:
        keys.press("b" if rng.random() < 0.45 and person.bid_button.count() else "p")
        person.wait_past(shown.seq)


def test_a_whole_game_on_a_phone(meet: Meet) -> None:
    ana = meet("Ana", viewport=PHONE)
    ana.visit("/")
    ana.button("home.play-now").tap()
    ana.wait_for_phase("buying")
    play([ana], Random(12), turn=by_taps)
    rows = result.standings(ana)
    assert len(rows) == 4


def by_taps(person: Person, rng: Random) -> None:
    assert not scrolls(person.page)
    shown = person.shown()
    if shown.phase == "selling":
        house = rng.choice(person.houses)
        person.house(house).tap()
        person.wait_for_choice(house, shown.seq)
    else:
        button = person.bid_button if rng.random() < 0.45 and person.bid_button.count() else person.pass_button
        button.tap()
        person.wait_past(shown.seq)


def test_a_game_says_what_is_going_on(meet: Meet) -> None:
    """Whose turn it is, how many auctions and sales there are, and what is left."""
    ana = meet("Ana")
    table_of([ana], seats=4)
    expect(ana.page.locator("header")).to_contain_text(pattern("table.auction", number=1, of=7))
    play([ana], Random(13), until="selling")
    expect(ana.page.locator("header")).to_contain_text(pattern("table.sale", of=7))
