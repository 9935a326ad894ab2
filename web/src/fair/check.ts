/** Whether a game's cards are those that were promised before it began: the steps of `forsale verify`. */

import type { Round } from "../game/rounds";
import type { Rules } from "../protocol";
import { bytesOf, commitmentOf, fairDeal, type Deal } from "./deal";

/** What is known of the shuffle of a game. */
export interface Shuffle {
  readonly commitment: string;
  readonly secret: string;
  /** One a seat, empty where a seat gave none. */
  readonly seeds: readonly string[];
}

/** A market that is not the one that the deal says. */
export interface Difference {
  readonly round: Round;
  readonly expected: readonly number[];
}

export interface Checked {
  readonly deal: Deal;
  /** The hash of the secret, to be compared with the promise by eye too. */
  readonly hash: string;
  readonly promiseKept: boolean;
  readonly began: number | null;
  readonly beganAsDealt: boolean;
  /** How many cards were seen in the game, and compared. */
  readonly compared: number;
  readonly differences: readonly Difference[];
}

const SECRET_BYTES = 32;

/** Null where there is nothing to check with: no secret, or none that can be one. */
export function check(shuffle: Shuffle, rules: Rules, rounds: readonly Round[]): Checked | null {
  const secret = bytesOf(shuffle.secret);
  if (secret?.length !== SECRET_BYTES || shuffle.seeds.length !== rules.seats) return null;
  const deal = fairDeal(secret, shuffle.seeds, rules);
  const hash = commitmentOf(secret);
  const promiseKept = hash === shuffle.commitment;
  const began = rounds[0]?.opener ?? null;
  const beganAsDealt = began === null || began === deal.first;
  const differences = differencesOf(deal, rounds);
  const compared = rounds.reduce((cards, round) => cards + round.market.length, 0);
  return { deal, hash, promiseKept, began, beganAsDealt, compared, differences };
}

/** Within one market the order has no meaning: its cards are turned up together. */
function differencesOf(deal: Deal, rounds: readonly Round[]): readonly Difference[] {
  const drawn = { buying: 0, selling: 0 };
  const found: Difference[] = [];
  for (const round of rounds) {
    const deck = round.phase === "buying" ? deal.houses : deal.cheques;
    const start = drawn[round.phase];
    drawn[round.phase] += round.market.length;
    const expected = deck.slice(start, drawn[round.phase]).toSorted((a, b) => a - b);
    if (expected.join() !== round.market.join()) found.push({ round, expected });
  }
  return found;
}

/** What the tags of a record tell of its shuffle; null where they do not tell enough. */
export function shuffleOfTags(tags: Readonly<Record<string, string>>, seats: number): Shuffle | null {
  const { Commitment: commitment, Secret: secret, Seeds: seeds } = tags;
  if (commitment === undefined || secret === undefined) return null;
  return { commitment, secret, seeds: seeds === undefined ? Array<string>(seats).fill("") : seeds.split("|") };
}
