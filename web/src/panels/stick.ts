/** Keeps a list that scrolls at its end while new lines come, unless its reader has scrolled away from it. */

import type { Attachment } from "svelte/attachments";

const NEAR = 24; // pixels

/** `onchange` is told whether the end is in sight. */
export function stickToEnd(onchange: (atEnd: boolean) => void): Attachment<HTMLElement> {
  return (list) => {
    let atEnd = true;
    const follow = () => {
      if (atEnd) list.scrollTop = list.scrollHeight;
    };
    const look = () => {
      atEnd = list.scrollHeight - list.scrollTop - list.clientHeight <= NEAR;
      onchange(atEnd);
    };
    const grown = new MutationObserver(follow);
    grown.observe(list, { childList: true, subtree: true, characterData: true });
    const resized = new ResizeObserver(follow);
    resized.observe(list);
    list.addEventListener("scroll", look, { passive: true });
    follow();
    return () => {
      grown.disconnect();
      resized.disconnect();
      list.removeEventListener("scroll", look);
    };
  };
}
