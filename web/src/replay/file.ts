/** A record from a file of the user's. It stays in this tab, also after a reload. */

const MOST = 2 ** 20;
const KEY = "forsale.record";

export interface RecordFile {
  readonly name: string;
  readonly text: string;
}

/** Why a file is not even sent to the server. */
export type Unfit = "large" | "binary" | "unreadable";

export async function read(file: File): Promise<RecordFile | Unfit> {
  if (file.size > MOST) return "large";
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return "unreadable";
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return "binary";
  }
}

/** The file that this tab shows at /g. */
export function keep(file: RecordFile): void {
  kept = file;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(file));
  } catch {
    // A private window may refuse: the record lasts as long as the page.
  }
}

export function keptFile(): RecordFile | null {
  if (kept !== null) return kept;
  try {
    const { name, text } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    if (typeof name === "string" && typeof text === "string") kept = { name, text };
  } catch {
    // Nothing is kept, or nothing may be.
  }
  return kept;
}

let kept: RecordFile | null = null;
