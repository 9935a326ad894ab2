"""What can be read on a screen, and what lies where."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

# Texts as they stand in the page and in the names of its parts; not what is marked as being in another language.
_TEXTS = """() => {
  const language = document.documentElement.lang;
  const foreign = (element) => (element?.closest("[lang]")?.lang ?? language) !== language;
  const found = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!foreign(parentElement) && !parentElement.closest("script, style")) found.add(textContent.trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    if (foreign(element)) continue;
    const named = ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name));
    for (const name of named) found.add(name?.trim() ?? "");
  }
  return [...found].filter(Boolean);
}"""


def texts(page: Page) -> list[str]:
    """Everything that a person reads or hears there."""
    found: list[str] = page.evaluate(_TEXTS)
    return found


@dataclass(frozen=True, slots=True)
class Box:
    """Where something lies, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Box") -> bool:
        """Whether they share more than an edge."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide > 1 and high > 1


def box(part: Locator) -> Box:
    found = part.bounding_box()
    assert found is not None, f"{part} is not on the screen"
    return Box(found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"])


def is_seen(page: Page, part: Locator) -> bool:
    """Whether all of it is on the screen, and nothing lies over its middle."""
    size = page.viewport_size
    place = box(part)
    assert size is not None
    within = place.left >= -1 and place.top >= -1 and place.right <= size["width"] + 1
    if not within or place.bottom > size["height"] + 1:
        return False
    on_top: bool = part.evaluate(
        """element => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const found = document.elementFromPoint(left + width / 2, top + height / 2);
          return found !== null && (element.contains(found) || found.parentElement.contains(element));
        }"""
    )
    return on_top


def scrolls(page: Page) -> bool:
    """Whether the page is larger than the screen."""
    found: bool = page.evaluate(
        "() => { const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;"
        " return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1; }"
    )
    return found
