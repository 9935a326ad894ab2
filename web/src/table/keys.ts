/** Keys that play. They are only ours while nobody types in a field and no dialogue is open. */

export function isOurs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  const target = event.target;
  return !(target instanceof HTMLElement) || target.closest("input, textarea, select, [contenteditable]") === null;
}

/** Whether the key would press or open what has the focus: then it is not for us. */
export function isPressing(event: KeyboardEvent): boolean {
  const target = event.target;
  return target instanceof HTMLElement && target.closest("button, a[href], summary, [role=tab]") !== null;
}
