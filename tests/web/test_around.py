"""The pages around the table: home, settings, replay, learning, and addresses that lead nowhere."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from forsale import bots
from tests.web.conftest import Meet
from tests.web.person import Person
from tests.web.story import RECORDS
from tests.web.words import pattern, say

# --- To a table ----------------------------------------------------------------------------------------------------


def test_play_now_is_one_click(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/")
    person.button("home.play-now").click()
    person.wait_for_phase("buying")
    assert urlsplit(person.page.url).path.startswith("/t/")


def created(person: Person) -> str:
    """A table that somebody makes on the page for it; returns its address."""
    person.visit("/")
    person.link("home.create").click()
    person.button("home.new.open").click()
    person.wait_for_phase("waiting")
    return person.page.url


@pytest.mark.parametrize("how", ["link", "code", "list"])
def test_others_join_by_link_by_code_or_from_the_list(meet: Meet, how: str) -> None:
    ana, bo = meet("Ana"), meet("Bo")
    ana.visit("/new")
    if how == "list":
        ana.page.get_by_role("checkbox", name=say("home.new.listed")).check()
    ana.button("home.new.open").click()
    ana.wait_for_phase("waiting")
    url = ana.page.url
    if how == "link":
        bo.page.goto(url)
    else:
        bo.visit("/")
        if how == "code":
            bo.page.get_by_label(say("home.join"), exact=True).fill(url.rsplit("/", 1)[1].upper())
            bo.button("home.join.go").click()
        else:
            table = bo.page.get_by_role("link", name=pattern("home.open.go-to", table="Ana’s table"))
            table.first.click()
    bo.wait_for_phase("waiting")
    join = bo.button("lobby.sit")
    if join.is_visible():
        join.click()
    expect(ana.main).to_contain_text("Bo")
    ana.button("lobby.start").click()
    for person in (ana, bo):
        person.wait_for_phase("buying")


def bot(person: Person, name: str) -> Locator:
    """On the page for a new table."""
    return person.page.locator(f'input[type="radio"][value="{name}"]')


def test_a_level_is_chosen(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/new")
    bot(person, "landlord").check()
    person.button("home.new.bots").click()
    person.wait_for_phase("buying")
    expect(person.seat(1)).to_contain_text(say("table.bot", bot=say("home.bot.landlord")))


def test_other_bots_are_behind_the_levels(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/new")
    bot(person, bots.LEVELS[-1]).check()
    person.page.keyboard.press("ArrowDown")  # no key leads to what is not shown
    expect(bot(person, bots.LEVELS[0])).to_be_checked()
    others = person.page.get_by_text(say("home.new.bot.others"), exact=True)
    others.click()
    bot(person, "miser").check()
    person.button("home.new.open").click()
    person.wait_for_phase("waiting")
    expect(person.main).to_contain_text(say("home.bot-character.miser"))
    person.visit("/new")
    expect(bot(person, "miser")).to_be_visible()
    expect(bot(person, "miser")).to_be_checked()


def test_a_code_that_leads_nowhere_is_explained(meet: Meet) -> None:
    person = meet("Ana")
    person.watch.expect("404")
    person.visit("/")
    field = person.page.get_by_label(say("home.join"), exact=True)
    field.fill("hello!")
    person.button("home.join.go").click()
    expect(person.page.get_by_role("alert")).to_have_text(say("home.join.neither"))
    field.fill("k7m2pqrst4x")
    person.button("home.join.go").click()
    expect(person.page.get_by_role("alert")).to_have_text(say("refused.table/unknown"))


def test_my_games_lead_back_to_the_table(meet: Meet) -> None:
    person = meet("Ana")
    table = person.api("POST", "/api/play-now", {"seats": 3})["id"]
    person.visit("/")
    person.page.locator(f'a[href="/t/{table}"]').first.click()
    person.wait_for_phase("buying")


# --- Who one is ----------------------------------------------------------------------------------------------------


def test_another_name(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/settings")
    person.button("shell.name.change").click()
    person.page.get_by_label(say("shell.name"), exact=True).fill("Zoé")
    person.button("shell.name.save").click()
    person.hears(say("shell.name.saved", name="Zoé"))
    assert person.api("GET", "/api/me")["name"] == "Zoé"


def test_another_device_becomes_the_same_guest(meet: Meet) -> None:
    desktop, phone = meet("Ana"), meet("Somebody")
    desktop.visit("/settings")
    desktop.button("settings.device.make").click()
    url = desktop.page.get_by_label(say("settings.device.link"), exact=True).input_value()
    phone.visit(url)
    assert urlsplit(phone.page.url).fragment == ""
    phone.button("settings.link.go").click()
    phone.hears(say("settings.link.done", name="Ana"))
    assert phone.api("GET", "/api/me") == desktop.api("GET", "/api/me")
    # Once only.
    other = meet("Nobody")
    other.watch.expect("status of 4")
    other.visit(url)
    other.button("settings.link.go").click()
    expect(other.main).to_contain_text(say("settings.link.next"))


def test_signing_out_everywhere_leaves_only_this_browser(meet: Meet) -> None:
    desktop, phone = meet("Ana"), meet("Somebody")
    url = desktop.api("POST", "/api/me/link")["url"]
    phone.visit(url)
    phone.button("settings.link.go").click()
    phone.hears(say("settings.link.done", name="Ana"))
    ana = desktop.api("GET", "/api/me")
    desktop.visit("/settings")
    desktop.button("settings.signout").click()
    desktop.button("settings.signout.yes").click()
    desktop.hears(say("settings.signout.done"))
    assert desktop.api("GET", "/api/me") == ana
    assert phone.api("GET", "/api/me")["id"] != ana["id"]


# --- Settings ------------------------------------------------------------------------------------------------------


def test_the_language_is_switched_at_once(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/")
    person.page.get_by_role("button", name="Français").click()
    expect(person.button("home.play-now", "fr")).to_be_visible()
    assert person.page.locator("html").get_attribute("lang") == "fr"
    person.page.reload()
    expect(person.button("home.play-now", "fr")).to_be_visible()


def test_dark_and_light_follow_the_device_and_the_wish(meet: Meet) -> None:
    person = meet("Ana", settings={"theme": "system"}, color_scheme="dark")
    person.visit("/settings")
    html = person.page.locator("html")
    expect(html).to_have_attribute("data-theme", "dark")
    person.page.get_by_role("radio", name=say("settings.theme.light"), exact=True).check()
    expect(html).to_have_attribute("data-theme", "light")
    person.page.reload()
    expect(html).to_have_attribute("data-theme", "light")


# --- Nothing here --------------------------------------------------------------------------------------------------


def test_a_wrong_address_offers_the_way_home(meet: Meet) -> None:
    person = meet("Ana")
    person.watch.expect("404")
    person.visit("/nowhere")
    expect(person.page.get_by_role("heading", level=1)).to_have_text(say("home.nothing"))
    person.link("home.nothing.home").click()
    expect(person.button("home.play-now")).to_be_visible()


# --- Replay --------------------------------------------------------------------------------------------------------


def test_a_record_is_dropped_on_the_page_and_seen(meet: Meet) -> None:
    person = meet("Ana")
    person.visit("/g")
    person.page.locator('input[type="file"]').set_input_files(RECORDS / "classic-4.fsr")
    expect(person.page.get_by_role("slider", name=say("replay.scrub"))).to_be_visible()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        person.page.keyboard.press(key)
    expect(person.page).to_have_url(re.compile(r"/g#3$"))
    person.page.keyboard.press("End")
    expect(person.main).to_contain_text("Cléo")
    person.page.keyboard.press("Home")
    expect(person.page).to_have_url(re.compile(r"/g$"))


def test_a_file_that_is_no_record_is_explained(meet: Meet) -> None:
    person = meet("Ana")
    person.watch.expect("status of 4")
    person.visit("/g")
    upload = {"name": "poem.fsr", "mimeType": "text/plain", "buffer": b"roses are red"}
    person.page.locator('input[type="file"]').set_input_files(upload)  # type: ignore[arg-type]
    expect(person.main).to_contain_text(pattern("replay.bad", line=1, column=1))


# --- Learning ------------------------------------------------------------------------------------------------------


def test_the_first_lesson_is_played_to_its_end(meet: Meet) -> None:
    """By doing what the lesson asks for; the button that shows it is for those who do not find it."""
    person = meet("Ana")
    person.visit("/learn")
    person.link("learn.lesson.start").first.click()
    show, then, restart = (person.button(key) for key in ("learn.show", "learn.next", "learn.restart"))
    played = 0
    while True:
        expect(show.or_(then).or_(restart).first).to_be_visible()
        if restart.is_visible():
            break
        if show.is_visible():
            played += 1
            show.click()
        else:
            then.click()
    assert played >= 4
    expect(person.button("learn.play")).to_be_visible()
