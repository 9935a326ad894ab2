"""The table in detail: what can be pressed, what it says, and who sees what."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from forsale.server.protocol import PassOn, PlanIs, RaiseTo
from tests.web import scenes
from tests.web.conftest import Meet
from tests.web.person import DESKTOP, PHONE, Person, begins, play
from tests.web.scenes import four, my_turn, others_turn, six
from tests.web.screen import box, is_seen, scrolls
from tests.web.story import NOW, Story
from tests.web.test_play import table_of
from tests.web.words import pattern, say

SIZES = {"desktop": DESKTOP, "phone": PHONE}


# --- Bidding -------------------------------------------------------------------------------------------------------


def test_the_pass_button_says_what_a_pass_does(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    number = my_turn(story)
    scenes.tell(person, story.welcome(number))
    coins = story.moments[number].state.coins[0]
    expect(person.pass_button).to_contain_text(pattern("table.pass.free", card=12, keep=coins))
    expect(person.bid_button).to_have_attribute("data-amount", "5")


def test_one_tap_bids_the_least(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    teller = scenes.tell(person, story.welcome(my_turn(story)))
    person.bid_button.click()
    assert teller.waits_for("act")["action"] == {"kind": "bid", "amount": 5}


def test_a_jump_bid_asks(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    teller = scenes.tell(person, story.welcome(my_turn(story)))
    more = person.button("table.more")
    more.click()
    more.click()
    expect(person.bid_button).to_have_attribute("data-amount", "7")
    person.bid_button.click()
    sure = person.page.locator('button[data-act="confirm"]')
    expect(sure).to_contain_text("7")
    assert "act" not in teller.kinds
    person.button("table.jump.cancel").click()
    expect(person.bid_button).to_have_attribute("data-amount", "5")
    more.click()
    person.bid_button.click()
    sure.click()
    assert teller.waits_for("act")["action"] == {"kind": "bid", "amount": 6}


def test_whoever_wants_no_questions_is_asked_none(meet: Meet) -> None:
    person, story = meet("Ana", settings={"confirm": False}), four()
    teller = scenes.tell(person, story.welcome(my_turn(story)))
    person.button("table.more").click()
    person.bid_button.click()
    assert teller.waits_for("act")["action"] == {"kind": "bid", "amount": 6}


def test_digits_and_enter_bid_an_amount(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    teller = scenes.tell(person, story.welcome(my_turn(story)))
    for key in ("1", "1", "Enter"):
        person.page.keyboard.press(key)
    expect(person.page.locator('button[data-act="confirm"]')).to_contain_text("11")
    person.page.keyboard.press("Escape")
    expect(person.bid_button).to_have_attribute("data-amount", "5")
    for key in ("9", "Enter", "Enter"):
        person.page.keyboard.press(key)
    assert teller.waits_for("act")["action"] == {"kind": "bid", "amount": 9}


def test_whoever_cannot_raise_is_told_so(meet: Meet) -> None:
    person = meet("Ana")
    story = Story("iello-2020-4", 1, bots=(3,))
    number = story.when(lambda state: state.to_act == {1} and (state.highest_bid or 0) >= state.coins[1])
    scenes.tell(person, story.welcome(number))
    expect(person.pass_button).to_be_visible()
    assert person.bid_button.count() == 0


def test_plans_are_made_shown_and_taken_back(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    teller = scenes.tell(person, story.welcome(others_turn(story)))
    plan_pass = person.page.locator('button[data-act="plan-pass"]')
    plan_pass.click()
    assert teller.waits_for("plan")["plan"] == {"kind": "pass-on"}
    teller.answer("plan", PlanIs(PassOn()))
    expect(plan_pass).to_have_attribute("aria-pressed", "true")
    person.page.locator('button[data-act="unplan"]').click()
    assert teller.waits_for("plan", 2)["plan"] is None
    teller.answer("plan", PlanIs(None))
    expect(plan_pass).to_have_attribute("aria-pressed", "false")
    person.button("table.more").click()
    raise_to = person.page.locator('button[data-act="plan-raise"]')
    limit = int(raise_to.get_attribute("data-amount") or 0)
    raise_to.click()
    assert teller.waits_for("plan", 3)["plan"] == {"kind": "raise-to", "limit": limit}
    teller.answer("plan", PlanIs(RaiseTo(limit)))
    expect(person.main).to_contain_text(pattern("table.planned.raise", limit=limit))


def test_plans_are_carried_out(meet: Meet) -> None:
    """One passes from now on, the other raises up to 4, and both only look on."""
    ana, bo, cleo = people = [meet("Ana"), meet("Bo"), meet("Cléo")]
    table_of(people, seats=3)
    opener = next(person for person in people if _is_my_turn(person))
    first, second = (person for person in people if person is not opener)
    first.page.locator('button[data-act="plan-pass"]').click()
    expect(first.page.locator('button[data-act="plan-pass"]')).to_have_attribute("aria-pressed", "true")
    for _ in range(3):
        second.button("table.more").click()
    raise_to = second.page.locator('button[data-act="plan-raise"]')
    limit = int(raise_to.get_attribute("data-amount") or 0)
    raise_to.click()
    expect(second.page.locator('button[data-act="unplan"]')).to_be_visible()
    before = opener.shown().seq
    opener.bids()
    opener.wait("(main, seq) => Number(main.dataset.seq) >= seq && main.dataset.turn === 'mine'", before + 3)
    while opener.bid_button.count() and int(opener.bid_button.get_attribute("data-amount") or 0) <= limit:
        opener.bids()
        opener.wait("main => main.dataset.turn === 'mine'")
    expect(ana.main).to_have_attribute("data-phase", "buying")
    assert bo.main.get_attribute("data-phase") == cleo.main.get_attribute("data-phase") == "buying"


def _is_my_turn(person: Person) -> bool:
    return person.shown().turn == "mine"


# --- Selling -------------------------------------------------------------------------------------------------------


def test_a_choice_can_be_changed_until_the_reveal(meet: Meet) -> None:
    ana, bo = people = [meet("Ana"), meet("Bo")]
    table = table_of(people, seats=6)
    play(people, Random(5), until="selling")
    ana.wait_for_phase("selling")
    bo.wait_for_phase("selling")
    ana.wait_for_turn()
    first, *_, last = ana.houses
    ana.sells(first)
    expect(ana.house(first)).to_have_attribute("aria-pressed", "true")
    ana.sells(last)
    expect(ana.house(last)).to_have_attribute("aria-pressed", "true")
    expect(ana.house(first)).to_have_attribute("aria-pressed", "false")
    # The other sees that she has chosen, and not what.
    expect(bo.seat(0)).to_contain_text(pattern("table.chosen"))
    bo.wait_for_turn()
    bo.sells(bo.houses[0])
    record = ana.api("GET", f"/api/tables/{table}/record")
    sale = next(line for line in record.splitlines() if line.startswith("S1 "))
    assert f" A{last} " in sale
    assert f" A{first} " not in sale


# --- Who sees what -------------------------------------------------------------------------------------------------


def test_a_spectator_sees_the_table_and_no_secret(meet: Meet) -> None:
    ana, bo, cleo = meet("Ana"), meet("Bo"), meet("Cléo")
    table = table_of([ana, bo], seats=6)
    cleo.sits_at(table)
    expect(cleo.page.locator("button[data-act], button[data-house]")).to_have_count(0)
    play([ana, bo], Random(3), until="selling")
    cleo.wait_for_phase("selling")
    ana.wait_for_turn()
    house = ana.houses[-1]
    ana.sells(house)
    for other in (bo, cleo):
        other.wait_past(ana.shown().seq - 1)
        assert f'data-house="{house}"' not in other.page.content() or house in other.houses
    play([ana, bo], Random(3))
    cleo.wait_for_phase("over")


def test_the_tracker_shows_what_the_others_have(meet: Meet) -> None:
    person = meet("Ana")
    story = four(tracker=True)
    number = my_turn(story, 20)
    scenes.tell(person, story.welcome(number))
    state = story.moments[number].state
    for seat in (1, 2, 3):
        expect(person.seat(seat)).to_contain_text(str(state.coins[seat]))
        expect(person.seat(seat)).to_contain_text(" ".join(map(str, sorted(state.hands[seat]))))


def test_without_the_tracker_purses_and_hands_are_nowhere(meet: Meet) -> None:
    person = meet("Ana")
    story = four()
    number = my_turn(story, 20)
    scenes.tell(person, story.welcome(number))
    state = story.moments[number].state
    for seat in (1, 2, 3):
        assert " ".join(map(str, sorted(state.hands[seat]))) not in person.seat(seat).inner_text()


# --- Everything at a glance ----------------------------------------------------------------------------------------

GLANCES: dict[str, tuple[Story, Callable[[Story], int]]] = {
    "my turn": (four(), my_turn),
    "others' turn": (four(), others_turn),
    "six seats": (six(), my_turn),
    "six seats, a sale": (six(), scenes.choosing),
    "three seats, ten houses": (Story("iello-2020-3", 0), lambda story: scenes.choosing(story, 1)),
    "the variant": (Story("iello-2020-5-scarce", 1), my_turn),
    "tracker": (Story("iello-2020-6", 2, tracker=True), my_turn),
    "spectator": (six(None), lambda story: story.when(lambda state: state.number == 3)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glance", GLANCES)
def test_nothing_essential_needs_scrolling(meet: Meet, size: str, glance: str) -> None:
    story, moment = GLANCES[glance]
    person = meet("Ana", viewport=SIZES[size])
    scenes.tell(person, story.welcome(moment(story)))
    page = person.page
    assert not scrolls(page)
    seats = [person.seat(seat) for seat in range(story.written.seats)]
    cards = page.locator(".stage .card, .hand li").all()
    controls = page.locator("button[data-act], button[data-house], .controls button").all()
    parts = [*seats, *cards, *[one for one in controls if one.is_visible()]]
    hidden = [str(part) for part in parts if not is_seen(page, part)]
    assert not hidden
    areas = [
        box(page.locator(f".board > .{name}"))
        for name in ("others", "head", "stage", "mine", "cards", "controls")
        if page.locator(f".board > .{name}").count()
    ]
    assert not any(one.covers(other) for one in areas for other in areas if one is not other)


# --- Company -------------------------------------------------------------------------------------------------------


def test_people_talk_react_and_are_muted(meet: Meet) -> None:
    ana, bo = people = [meet("Ana"), meet("Bo")]
    table_of(people, seats=3)
    for person in people:
        person.page.get_by_role("tab", name=begins(say("panels.chat"))).click()
    says(ana, "Good luck!")
    expect(chat_of(bo)).to_contain_text("Good luck!")
    bo.page.get_by_role("button", name=say("event.reaction.👏"), exact=True).click()
    expect(chat_of(ana)).to_contain_text("Bo")
    bo.page.get_by_text(say("panels.chat.options"), exact=True).click()
    bo.button("panels.chat.muteName", name="Ana").click()
    expect(chat_of(bo)).not_to_contain_text("Good luck!")
    says(ana, "Can you hear me?")
    says(bo, "All quiet here.")
    expect(chat_of(ana)).to_contain_text("All quiet here.")
    expect(chat_of(bo)).not_to_contain_text("Can you hear me?")
    bo.button("panels.chat.unmuteName", name="Ana").click()
    expect(chat_of(bo)).to_contain_text("Can you hear me?")


def says(person: Person, text: str) -> None:
    person.page.get_by_label(say("panels.chat.message"), exact=True).fill(text)
    person.page.keyboard.press("Enter")
    expect(chat_of(person)).to_contain_text(text)


def chat_of(person: Person) -> Locator:
    return person.page.get_by_role("tabpanel")


def test_a_bot_stands_in_for_who_takes_too_long(meet: Meet) -> None:
    ana, bo = people = [meet("Ana"), meet("Bo")]
    table_of(people, seats=3, clock={"kind": "seconds", "decision": 5, "bank": 0})
    back = ana.page.locator('button[data-act="here"]')
    ana.hurries()
    while not ana.shown().is_mine:
        if bo.shown().is_mine:
            bo.passes()
    back.wait_for()
    expect(ana.main).to_contain_text(say("table.away.you"))
    back.click()
    expect(back).to_have_count(0)
    expect(bo.seat(0)).not_to_contain_text(say("table.away"))


def test_the_clock_is_seen_while_it_runs(meet: Meet) -> None:
    person = meet("Ana")
    scenes.show_clock(person)
    expect(person.page.locator("header")).to_contain_text("1:30")
    expect(person.seat(0)).to_contain_text("1:30")
    person.page.clock.set_fixed_time(NOW / 1000 + 85)
    expect(person.page.locator("header")).to_contain_text("0:05")


def test_a_table_that_is_not_there_offers_a_way_on(meet: Meet) -> None:
    person = meet("Ana")
    scenes.show_table_gone(person)
    expect(person.link("table.gone.home")).to_be_visible()


def test_a_result_that_cannot_be_fetched_leaves_the_table_and_a_way_to_try_again(meet: Meet) -> None:
    """Its script is fetched during the sales; the connection may be bad then."""
    ana = meet("Ana", reduced_motion="reduce")
    ana.watch.expect("ERR_FAILED")
    script = "**/assets/EndPanel*.js"
    ana.page.route(script, lambda route: route.abort())
    # It would reload by itself, but not twice within 20 seconds.
    ana.page.add_init_script(f"sessionStorage['forsale.reloaded'] = {NOW}")
    scenes.at(four(), scenes.over)(ana)
    expect(ana.button("table.end")).to_be_visible()
    expect(ana.page.locator("[data-counted]")).to_have_count(0)
    ana.page.unroute(script)
    ana.button("table.end").click()
    expect(ana.page.locator('[data-counted="true"]')).to_be_visible()
