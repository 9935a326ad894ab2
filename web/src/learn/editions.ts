/** What the published editions say, in the numbers that differ. A test compares them with the engine's own files. */

export interface EditionNumbers {
  readonly id: string;
  /** By number of seats, three to six. */
  readonly coins: readonly number[];
  readonly removed: readonly number[];
  readonly refund: "down" | "up";
  readonly lowest: number;
  /** Cards removed with the variant; null where there is none. */
  readonly scarce: readonly number[] | null;
}

export const EDITIONS: readonly EditionNumbers[] = [
  { id: "iello-2020", coins: [28, 21, 16, 14], removed: [0, 2, 0, 0], refund: "down", lowest: 1, scarce: [10, 0, 2, 0] },
  { id: "iello-2015", coins: [28, 21, 16, 14], removed: [0, 2, 0, 0], refund: "up", lowest: 1, scarce: [10, 0, 3, 0] },
  { id: "classic", coins: [18, 18, 14, 14], removed: [6, 2, 0, 0], refund: "up", lowest: 1, scarce: null },
  { id: "manual", coins: [18, 18, 14, 14], removed: [6, 2, 0, 0], refund: "up", lowest: 0, scarce: null },
];
