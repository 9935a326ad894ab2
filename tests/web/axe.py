"""What axe-core, and a ruler, have to say about a page."""

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FINGER = 44
"""Pixels that a finger needs, in both directions."""
MOUSE = 24

_CONTROLS = """tap => {
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const small = [];
  for (const control of document.querySelectorAll(
    "button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=slider]",
  )) {
    if (!seen(control) || control.closest("[inert], .aloud, .skip")) continue;
    // A link within a sentence is read, and cannot be larger than its line.
    const style = getComputedStyle(control);
    const text = control.parentElement.textContent.trim() !== control.textContent.trim();
    if (control.matches("a") && style.display === "inline" && text) continue;
    // What a label belongs to is pressed by the label.
    const target = control.matches("input") && control.labels?.length ? [control, ...control.labels] : [control];
    const boxes = target.map((one) => one.getBoundingClientRect());
    const fits = boxes.some((box) => box.width >= tap - 0.5 && box.height >= tap - 0.5);
    const { width, height } = boxes[0];
    if (!fits) small.push(`${Math.round(width)} × ${Math.round(height)}: ${control.outerHTML.slice(0, 200)}`);
  }
  return small;
}"""

_RUN = """async (rules) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  const why = (node) => node.any.map((one) => one.message).join("; ");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)} ${why(node)}`));
}"""


# Where time stands still, axe would wait for ever; nothing that it waits for needs time.
_ADD = """() => ((setTimeout) => {{
{axe}
}})((work) => {{
  const {{ port1, port2 }} = new MessageChannel();
  port1.onmessage = () => work();
  port2.postMessage(null);
}})"""


def settle(page: Page) -> None:
    """Until nothing moves any more: in the middle of a fade every contrast is wrong."""
    page.evaluate("() => document.fonts.ready.then(() => {})")
    page.wait_for_function(
        "() => document.getAnimations().every(a => a.playState !== 'running' || a.effect.getTiming().iterations > 1e6)"
    )


def violations(page: Page, rules: Sequence[str] | None = None) -> list[str]:
    """Of all rules, or of some."""
    settle(page)
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(_ADD.format(axe=_AXE.read_text(encoding="utf-8")))
    found: list[str] = page.evaluate(_RUN, rules)
    return found


def small_targets(page: Page, least: int) -> list[str]:
    """Controls that are smaller than so many pixels."""
    found: list[str] = page.evaluate(_CONTROLS, least)
    return found


def nameless(page: Page) -> list[str]:
    """Controls that a screen reader could only call by their kind."""
    kinds = ("button", "link", "textbox", "combobox", "slider", "checkbox", "radio", "tab", "switch", "spinbutton")
    lines = [line.strip() for line in page.locator("body").aria_snapshot().splitlines()]
    return [line for line in lines if line.removeprefix("- ").rstrip(":").partition(" [")[0] in kinds]
