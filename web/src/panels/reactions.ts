/** The server's reactions as we draw them: not every machine has a face for them. In a square of 24. */

export interface Drawing {
  /** Filled and outlined, the hindmost first. */
  readonly shapes: readonly string[];
  /** Drawn upon the shapes. */
  readonly lines: string;
  readonly mouth?: string;
  readonly tear?: string;
  /** Lines beside the shapes, in the colour of the text. */
  readonly beside?: string;
}

const FACE = "M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 0 1 0-19z";
const EYES = "M8.6 8.8v1.6M15.4 8.8v1.6";

export const DRAWINGS: Readonly<Record<string, Drawing>> = {
  "👏": {
    shapes: [
      "M11.6 8.5L8 3.2a1.3 1.3 0 0 0-2.2 1.4L4.9 4.3a1.3 1.3 0 0 0-2 1.5L2.8 7a1.3 1.3 0 0 0-1.6 1.9L5.8 16a6.6 6.6 0 0 0 9 2.2z",
      "M12.9 13.2V6.8a1.35 1.35 0 0 1 2.7 0V6a1.35 1.35 0 0 1 2.7 0v1a1.35 1.35 0 0 1 2.7 0v1.8a1 1 0 0 1 2 0v6.4a6.6 6.6 0 0 1-11.8 4l-3-4.6a1.35 1.35 0 0 1 2.2-1.5z",
    ],
    lines: "M15.6 6.8v4.4M18.3 7v4.2M21 8.6v3",
    beside: "M13.2 3.4l.3-1.9M17 2.6l1-1.6M20.4 4l1.6-1",
  },
  "😀": { shapes: [FACE], lines: EYES, mouth: "M6.9 12.8h10.2a5.1 5.1 0 0 1-10.2 0z" },
  "😮": {
    shapes: [FACE],
    lines: `${EYES}M7.2 6.2q1.2-1 2.6-.6M16.8 6.2q-1.2-1-2.6-.6`,
    mouth: "M12 12.8a2.3 2.8 0 1 1 0 5.6a2.3 2.8 0 0 1 0-5.6z",
  },
  "😢": {
    shapes: [FACE],
    lines: `${EYES}M8.4 17.2q3.2-3.2 6.4 0`,
    tear: "M17 11.6c1.5 2 2.1 3.1 2.1 4a2.1 2.1 0 0 1-4.2 0c0-.9.6-2 2.1-4z",
  },
  "🤔": { shapes: [FACE], lines: `${EYES}M6.8 6.8l3.2.4M13.6 5.8q1.8-1.3 3.4.1M9.2 16l5.6-1.6`, beside: "M20.5 20.5v.1M23 23v.1" },
  "⏰": {
    shapes: ["M2 8.2a4 4 0 0 1 6.4-5z", "M22 8.2a4 4 0 0 0-6.4-5z", "M12 4.4a8.3 8.3 0 1 1 0 16.6a8.3 8.3 0 0 1 0-16.6z"],
    lines: "M12 8.2v4.8l3 2",
    beside: "M6 19.8l-1.6 2M18 19.8l1.6 2",
  },
};
