/** Marks the control that the lesson wants, in whatever the table draws. */

import type { Action } from "../protocol";

/** Keeps `data-wanted` on the control that leads to the action. Returns what ends it. */
export function markWanted(root: HTMLElement, want: Action): () => void {
  const mark = () => {
    const control = controlFor(root, want);
    for (const marked of root.querySelectorAll("[data-wanted]")) if (marked !== control) delete dataOf(marked).wanted;
    if (control !== null) dataOf(control).wanted = "";
  };
  const watcher = new MutationObserver(mark);
  watcher.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["data-act", "data-amount", "data-house"],
  });
  mark();
  return () => {
    watcher.disconnect();
    for (const marked of root.querySelectorAll("[data-wanted]")) delete dataOf(marked).wanted;
  };
}

/** For a bid that is not on the button yet, the way to it: one more, or one less. */
function controlFor(root: HTMLElement, want: Action): Element | null {
  if (want.kind === "sell") return root.querySelector(`[data-house="${want.house}"]`);
  if (want.kind === "pass") return root.querySelector('[data-act="pass"]');
  const button = root.querySelector<HTMLElement>('[data-act="confirm"], [data-act="bid"]');
  const shown = Number(button?.dataset.amount ?? want.amount);
  if (shown === want.amount) return button;
  return root.querySelector(shown < want.amount ? ".bidding .more" : ".bidding .less");
}

function dataOf(element: Element): DOMStringMap {
  return (element as HTMLElement).dataset;
}
