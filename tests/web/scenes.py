"""The states that pages and tables can be in, each made in the same way every time: for axe, and for the pictures."""

import io
import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

import segno
from msgspec.structs import replace
from playwright.sync_api import expect

from forsale.game import BUYING, OVER, SELLING, Bid, State, legal_actions
from forsale.server.options import Seconds
from forsale.server.protocol import PassOn, Welcome
from tests.web.person import Person, begins
from tests.web.story import NOW, TABLE, Story, Teller, encode
from tests.web.words import say

Show = Callable[[Person], None]


class Scene(NamedTuple):
    """A name, and how somebody gets to see it."""

    name: str
    show: Show


def tell(person: Person, welcome: Welcome, ticking: bool = False) -> Teller:
    """A table at which somebody sits, at a fixed time, or from that time on."""
    if ticking:
        person.page.clock.install(time=NOW / 1000)
    else:
        person.page.clock.set_fixed_time(NOW / 1000)
    teller = Teller(person.page, welcome)
    person.page.route("**/qr.svg", lambda route: route.fulfill(body=_code(), content_type="image/svg+xml"))
    # In a lobby the page adds a seed of its own.
    table = encode(welcome.table)
    person.page.route("**/join", lambda route: route.fulfill(body=table, content_type="application/json"))
    person.visit(f"/t/{TABLE}")
    person.page.locator('#main[data-link="open"]').wait_for()
    return teller


def _code() -> bytes:
    """A picture must not depend on the port of the day."""
    svg = io.BytesIO()
    segno.make_qr(f"https://forsale.example/t/{TABLE}").save(svg, kind="svg", scale=4, light="#fff")
    return svg.getvalue()


# --- Pages ---------------------------------------------------------------------------------------------------------


def page(path: str) -> Show:
    return lambda person: _visit(person, path)


def _visit(person: Person, path: str) -> None:
    person.page.clock.set_fixed_time(NOW / 1000)
    person.visit(path)
    person.page.wait_for_load_state("networkidle")


def show_other_bots(person: Person) -> None:
    _visit(person, "/new")
    person.page.get_by_text(say("home.new.bot.others"), exact=True).click()


def show_sign_out(person: Person) -> None:
    _visit(person, "/settings")
    person.button("settings.signout").click()
    person.page.get_by_role("dialog").wait_for()


def show_nothing(person: Person) -> None:
    person.watch.expect("404")
    _visit(person, "/nowhere")


def show_table_gone(person: Person) -> None:
    person.watch.expect("404")
    _visit(person, "/t/k7m2pqrst4x")


def show_replay(person: Person, story: Story | None = None, moment: int = 24) -> None:
    """The server would answer the same, if the game had been played there."""
    told = story or four(None)
    url = f"**/api/tables/{TABLE}"
    person.page.route(
        f"{url}/replay*", lambda route: route.fulfill(body=told.replay(), content_type="application/json")
    )
    info = encode(told.info(len(told.moments) - 1))
    person.page.route(url, lambda route: route.fulfill(body=info, content_type="application/json"))
    _visit(person, f"/g/{TABLE}#{moment}")


PAGE_SCENES: Sequence[Scene] = (
    Scene("home", page("/")),
    Scene("new", page("/new")),
    Scene("other-bots", show_other_bots),
    Scene("learn", page("/learn")),
    Scene("lesson", page("/learn#lesson")),
    Scene("settings", page("/settings")),
    Scene("sign-out", show_sign_out),
    Scene("link", page("/link#secret")),
    Scene("open-record", page("/g")),
    Scene("replay", show_replay),
    Scene("nothing", show_nothing),
    Scene("table-gone", show_table_gone),
)


# --- Which moment of a recorded game -------------------------------------------------------------------------------


def my_turn(story: Story, after: int = 12) -> int:
    """Where the seat could also raise."""
    return story.when(lambda state: _may_bid(state, story.seat) and state.highest_bid is not None, after)


def _may_bid(state: State, seat: int | None) -> bool:
    if seat is None or state.phase is not BUYING or seat not in state.to_act:
        return False
    return any(isinstance(action, Bid) for action in legal_actions(state, seat))


def others_turn(story: Story, after: int = 12) -> int:
    """Where the seat is still in the auction."""
    return story.when(
        lambda state: state.phase is BUYING and story.seat not in state.to_act and story.seat in state.bidders, after
    )


def choosing(story: Story, number: int = 2) -> int:
    """A sale in which the seat has not chosen yet."""
    return story.when(
        lambda state: state.phase is SELLING and state.number == number and story.seat in state.to_act, after=20
    )


def chosen(story: Story, number: int = 2) -> int:
    """A sale in which the seat has chosen, and others have not."""
    return story.when(
        lambda state: (
            state.phase is SELLING
            and state.number == number
            and story.seat is not None
            and state.choices[story.seat] is not None
        ),
        after=20,
    )


def revealed(story: Story, number: int = 2) -> int:
    """The moment at which a sale is over."""
    return story.when(lambda state: state.phase is SELLING and state.number == number + 1, after=20)


def over(story: Story) -> int:
    return story.when(lambda state: state.phase is OVER)


# --- Scenes of a table ---------------------------------------------------------------------------------------------


def four(seat: int | None = 0, tracker: bool = False) -> Story:
    return Story("iello-2020-4", seat, tracker=tracker, bots=(3,))


def six(seat: int | None = 2) -> Story:
    return Story("iello-2020-6", seat, bots=(4, 5))


def at(story: Story, moment: Callable[[Story], int]) -> Show:
    return lambda person: _open(person, story, moment)


def _open(person: Person, story: Story, moment: Callable[[Story], int]) -> None:
    tell(person, story.welcome(moment(story)))


def show_plan(person: Person) -> None:
    story = four()
    tell(person, story.welcome(others_turn(story), PassOn()))


def show_reveal(person: Person) -> None:
    """The last has chosen: the cards are turned, and the cheques are paid."""
    story = four()
    number = revealed(story)
    teller = tell(person, story.welcome(number - 1), ticking=True)
    stop_time(person)
    teller.tell(story.update(number))
    wait_for_reveal(person)


def stop_time(person: Person) -> None:
    """From now on nothing happens by itself in the page."""
    now: float = person.page.evaluate("() => Date.now()")
    person.page.clock.pause_at(now / 1000 + 1)


def wait_for_reveal(person: Person, cheques: int = 4) -> None:
    """Lets the stopped time go on until so many cheques are paid."""
    paid = person.page.locator(".cheques li.paid")
    pass_time(person, lambda: paid.count() >= cheques)


def pass_time(person: Person, until: Callable[[], bool]) -> None:
    """Lets the stopped time go on, a little at a time."""
    for _ in range(1000):
        if until():
            return
        person.page.clock.run_for(20)
    raise AssertionError("what should happen within 20 seconds did not")


def show_lobby(person: Person) -> None:
    tell(person, four().waiting())
    expect(person.main).to_contain_text(say("lobby.seed.random"))


def show_lobby_as_guest(person: Person) -> None:
    tell(person, four(1).waiting())
    expect(person.main).to_contain_text(say("lobby.seed.random"))


def show_lost(person: Person) -> None:
    story = four()
    teller = tell(person, story.welcome(my_turn(story)))
    teller.lose(for_good=True)
    person.page.locator('#main[data-link="lost"]').wait_for()


def show_away(person: Person) -> None:
    """A bot has played for us."""
    story = four()
    told = story.welcome(others_turn(story))
    seats = tuple(replace(one, away=seat == 0) for seat, one in enumerate(told.table.seats))
    tell(person, replace(told, table=replace(told.table, seats=seats)))


def show_clock(person: Person) -> None:
    story = Story("iello-2020-4", 0, bots=(3,), clock=Seconds(30, 60))
    tell(person, story.welcome(my_turn(story)))


def show_jump(person: Person) -> None:
    """More than the least is wanted: are you sure?"""
    at(four(), my_turn)(person)
    person.button("table.more").click()
    person.bid_button.click()
    person.page.locator('[data-act="confirm"]').wait_for()


def show_forced(person: Person) -> None:
    story = four(1)
    tell(person, story.welcome(story.when(lambda state: state.to_act == {1} and not _may_bid(state, 1))))


def show_dialog(key: str) -> Show:
    """The table, and what one of its buttons opens."""

    def show(person: Person) -> None:
        at(four(), my_turn)(person)
        person.button(key).click()
        person.page.get_by_role("dialog").wait_for()

    return show


def show_keys(person: Person) -> None:
    at(four(), my_turn)(person)
    person.page.keyboard.press("?")
    person.page.get_by_role("dialog").wait_for()


def show_panel(name: str) -> Show:
    """On a desktop a tab, on a phone a sheet."""

    def show(person: Person) -> None:
        story = four(tracker=True)
        tell(person, story.welcome(my_turn(story, 25)))
        words = begins(say(name))
        person.page.get_by_role("tab", name=words).or_(person.page.get_by_role("button", name=words)).click()
        person.page.get_by_role("tabpanel").wait_for()

    return show


def show_seat(person: Person) -> None:
    at(four(), my_turn)(person)
    person.button("table.about", name="Bo").click()
    person.button("table.close").wait_for()


def show_fair(seed: str | None) -> Show:
    """The check of a shuffle to which the first seat added "Ana", in a browser that remembers having given `seed`."""

    def show(person: Person) -> None:
        story = Story("iello-2015-4-scarce", 0)
        commitment = story.info(0).commitment
        note = {"commitment": commitment, "seed": seed, "seat": seed and 0, "unconfirmed": None}
        kept = json.dumps(json.dumps([[TABLE, note]]))
        person.context.add_init_script(f"if (location.origin !== 'null') localStorage['forsale.promises'] = {kept};")
        at(story, over)(person)
        person.button("end.verify").click()
        person.page.get_by_role("dialog").wait_for()

    return show


TABLE_SCENES: Sequence[Scene] = (
    Scene("lobby", show_lobby),
    Scene("lobby-guest", show_lobby_as_guest),
    Scene("my-turn", at(four(), my_turn)),
    Scene("my-turn-six", at(six(), my_turn)),
    Scene("others-turn", at(four(), others_turn)),
    Scene("planned", show_plan),
    Scene("clock", show_clock),
    Scene("tracker", at(four(tracker=True), my_turn)),
    Scene("spectator", at(four(None), lambda story: story.when(lambda state: state.number == 3))),
    Scene("sale", at(four(), choosing)),
    Scene("sale-six", at(six(), choosing)),
    Scene("chosen", at(four(), chosen)),
    Scene("reveal", show_reveal),
    Scene("away", show_away),
    Scene("lost", show_lost),
    Scene("over", at(four(), over)),
    Scene("jump", show_jump),
    Scene("forced", show_forced),
    Scene("keys", show_keys),
    Scene("share", show_dialog("table.share")),
    Scene("log", show_panel("panels.log")),
    Scene("chat", show_panel("panels.chat")),
    Scene("notes", show_panel("panels.tracker")),
    Scene("seat", show_seat),
    Scene("fair", show_fair("Ana")),
    Scene("as-committed", show_fair(None)),
    Scene("not-as-promised", show_fair("mine")),
)
