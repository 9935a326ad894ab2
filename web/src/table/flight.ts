/** A card on its way: a copy flies over the page and leaves nothing behind, so nothing on the page moves for it. */

import { isCalm } from "../settings.svelte";

const TIME = 250; // milliseconds

export function fly(card: Element | null | undefined, to: Element | null | undefined): void {
  if (!card || !to || isCalm() || document.visibilityState === "hidden" || !("animate" in card)) return;
  const start = card.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  if (start.width === 0 || end.width === 0) return;

  const copy = card.cloneNode(true) as HTMLElement;
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, {
    position: "fixed",
    left: `${start.left}px`,
    top: `${start.top}px`,
    width: `${start.width}px`,
    height: `${start.height}px`,
    margin: "0",
    zIndex: "15",
    pointerEvents: "none",
  });
  document.body.append(copy);
  const across = end.left + end.width / 2 - start.left - start.width / 2;
  const down = end.top + end.height / 2 - start.top - start.height / 2;
  const flight = copy.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${across}px, ${down}px) scale(0.45)`, opacity: 0.25 },
    ],
    { duration: TIME, easing: "ease-out" },
  );
  flight.onfinish = flight.oncancel = () => copy.remove();
}

/** Where things of a seat arrive: its panel. */
export function placeOf(seat: number, root: Element): Element | null {
  return root.querySelector(`[data-seat="${seat}"]`);
}
