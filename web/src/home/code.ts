/** What people paste to join a table: its link, a part of it, or its bare code. */

const CODE = /^[0-9a-z]{6,24}$/;

/** The address within the client; null where the text is neither a link to a table nor a code. */
export function addressOf(text: string): string | null {
  const words = text.trim().toLowerCase();
  const [, room, id] = /(?:^|\/)([tg])\/([0-9a-z]+)\/?(?:[?#].*)?$/.exec(words) ?? [];
  if (room !== undefined && id !== undefined) return CODE.test(id) ? `/${room}/${id}` : null;
  const code = words.replace(/[\s-]/g, "");
  return CODE.test(code) ? `/t/${code}` : null;
}
