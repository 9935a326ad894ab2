"""For everyone: what axe-core finds, how large the targets are, what is heard, and what moves."""

import pytest

from forsale.game import SELLING
from tests.web import axe, scenes
from tests.web.conftest import Meet
from tests.web.person import DESKTOP, PHONE, Person
from tests.web.scenes import PAGE_SCENES, TABLE_SCENES, Scene, four, tell

SIZES = {"desktop": DESKTOP, "phone": PHONE}
SCENES = (*PAGE_SCENES, *TABLE_SCENES)


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_axe_and_the_ruler_find_nothing(meet: Meet, scene: Scene) -> None:
    found: list[str] = []
    for size, viewport in SIZES.items():
        person = meet("Ana", viewport=viewport, reduced_motion="reduce")
        scene.show(person)
        found += [f"{size}, light: {violation}" for violation in axe.violations(person.page)]
        # In the dark only the colours are others.
        person.page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
        found += [f"{size}, dark: {violation}" for violation in axe.violations(person.page, ["color-contrast"])]
        least = axe.FINGER if size == "phone" else axe.MOUSE
        found += [f"{size}: too small: {control}" for control in axe.small_targets(person.page, least)]
        found += [f"{size}: no name: {control}" for control in axe.nameless(person.page)]
    assert not found, "\n".join(found)


# --- What is heard -------------------------------------------------------------------------------------------------

# A screen reader reads what comes into the region; what is there only for a moment is read as well.
_LISTEN = """() => {
  const region = document.querySelector('[role="status"].aloud');
  globalThis.heard = [];
  new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(
    region, { childList: true, characterData: true, subtree: true });
}"""


def test_a_screen_reader_hears_every_event(meet: Meet) -> None:
    person, story = meet("Ana"), four()
    first = story.when(lambda state: state.phase is SELLING) - 7
    last = story.when(lambda state: state.phase is SELLING and state.number == 2)
    teller = tell(person, story.welcome(first))
    said = spoken(person)
    person.page.evaluate(_LISTEN)
    for number in range(first + 1, last + 1):
        teller.tell(story.update(number))
    person.wait("(main, seq) => Number(main.dataset.seq) >= seq", story.happenings(last)[-1].seq)
    events = spoken(person)[len(said) :]
    assert len(events) > last - first
    person.page.wait_for_function("last => heard.join(' ').includes(last)", arg=events[-1])
    heard = " ".join(person.page.evaluate("() => heard"))
    assert [event for event in events if event not in heard] == []


def spoken(person: Person) -> list[str]:
    """The log, sentence by sentence."""
    lines = person.page.get_by_role("tabpanel").locator("li.line > :last-child")
    return [text.strip() for text in lines.all_inner_texts()]


# --- What moves ----------------------------------------------------------------------------------------------------

_MOVES = """() => document.getAnimations().filter((animation) => {
  const properties = animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
  const moves = properties.some((name) => ["transform", "translate", "scale", "rotate", "left", "top"].includes(name));
  return moves && animation.effect.getComputedTiming().duration > 1;
}).map((animation) => animation.effect.target.outerHTML.slice(0, 160))"""


def test_who_wants_little_motion_sees_none(meet: Meet) -> None:
    """A deal, bids, a pass, an auction won, a sale and its reveal: at most something fades."""
    person, story = meet("Ana", reduced_motion="reduce"), four()
    first = story.when(lambda state: state.phase is SELLING) - 7
    teller = tell(person, story.welcome(first), ticking=True)
    scenes.stop_time(person)
    moving: list[str] = []
    for number in range(first + 1, story.when(lambda state: state.phase is SELLING and state.number == 2) + 1):
        teller.tell(story.update(number))
        seq = story.happenings(number)[-1].seq
        scenes.pass_time(person, lambda seq=seq: person.shown().seq >= seq)  # type: ignore[misc]
        moving += person.page.evaluate(_MOVES)
    scenes.wait_for_reveal(person)
    moving += person.page.evaluate(_MOVES)
    assert moving == []
