// Made by `python -m forsale.server.schema` from src/forsale/server/protocol.py. Do not edit.

export const VERSION = 1;

export const CODES = [
  "action/illegal",
  "action/stale",
  "action/too-often",
  "chat/full",
  "chat/off",
  "chat/too-fast",
  "game/not-over",
  "game/not-started",
  "guest/name",
  "guest/unknown",
  "link/expired",
  "message/bad",
  "message/too-fast",
  "plan/too-late",
  "protocol/version",
  "record/bad",
  "request/bad",
  "request/origin",
  "request/too-large",
  "request/too-many",
  "request/unknown",
  "seat/none-free",
  "seat/not-yours",
  "server/fault",
  "server/restarting",
  "server/storage",
  "table/full",
  "table/not-host",
  "table/options",
  "table/started",
  "table/unknown",
  "table/unreadable",
] as const;

export type Code = (typeof CODES)[number];

export type By = "person" | "bot" | "stand-in";

export type ClientMessage =
  | Hello
  | Act
  | SetPlan
  | Say
  | React
  | Here
  | Ping;

export type ServerMessage =
  | Welcome
  | Update
  | Presence
  | Ack
  | Refused
  | PlanIs
  | Closing
  | Pong;

export type What =
  | TableOpened
  | SeatTaken
  | SeatLeft
  | ChatSwitched
  | GameStarted
  | Played
  | ChatLine
  | Reaction
  | RematchOpened;

export type Event =
  | Dealt
  | BidPlaced
  | Passed
  | AuctionWon
  | HouseChosen
  | SaleResolved
  | GameEnded;

export type Action =
  | Bid
  | Pass
  | Sell;

export type Plan =
  | PassOn
  | RaiseTo;

export type Clock =
  | NoClock
  | Seconds
  | Days;

/** The first message. `last` is the last sequence number that the client has seen: it gets what it missed. */
export interface Hello {
  readonly type: "hello";
  readonly version: number;
  readonly last?: number;
}

/** Play an action. `based_on`: the last sequence number seen. `id`: the client's own; repeating it is harmless. */
export interface Act {
  readonly type: "act";
  readonly id: string;
  readonly based_on: number;
  readonly action: Action;
}

/** A bid: the total, not the raise. */
export interface Bid {
  readonly kind: "bid";
  readonly amount: number;
}

/** Leave the auction. */
export interface Pass {
  readonly kind: "pass";
}

/** Choose the house to sell. */
export interface Sell {
  readonly kind: "sell";
  readonly house: number;
}

/** Tell the server in advance what to do in this auction; null takes a plan back. Nobody else learns of it. */
export interface SetPlan {
  readonly type: "plan";
  readonly id: string;
  readonly plan: Plan | null;
}

/** Pass when it is my turn in this auction. */
export interface PassOn {
  readonly kind: "pass-on";
}

/** Bid as little as possible up to `limit`, then pass. */
export interface RaiseTo {
  readonly kind: "raise-to";
  readonly limit: number;
}

/** A line of chat. */
export interface Say {
  readonly type: "say";
  readonly id: string;
  readonly text: string;
}

/** A quick reaction, one of those that the server knows. */
export interface React {
  readonly type: "react";
  readonly id: string;
  readonly reaction: string;
}

/** I am back: a bot that plays for me stops. */
export interface Here {
  readonly type: "here";
}

/** Answered by `Pong`, with the server's time. */
export interface Ping {
  readonly type: "ping";
}

/** The answer to `Hello`: where the table stands, and all that the client has missed. */
export interface Welcome {
  readonly type: "welcome";
  readonly version: number;
  readonly now: number;
  readonly seq: number;
  readonly table: TableInfo;
  readonly missed: readonly Happening[];
  readonly position: Position | null;
  readonly legal: readonly Action[];
  readonly plan: Plan | null;
}

/** What everyone may know of a table besides the game. */
export interface TableInfo {
  readonly id: string;
  readonly options: Options;
  /** `waiting`, `playing` or `over`. */
  readonly status: string;
  readonly seats: readonly SeatInfo[];
  /** Your seat; null for a spectator. */
  readonly you: number | null;
  readonly you_are_host: boolean;
  readonly spectators: number;
  readonly chat: boolean;
  readonly commitment: string;
  /** Behind the commitment; null until the game is over. */
  readonly secret: string | null;
  /** What each seat added to the deal; null until the game is over. */
  readonly seeds: (readonly string[]) | null;
  readonly rematch: string | null;
}

/** The choices of the one who opens a table. */
export interface Options {
  readonly edition: string;
  readonly variant: string | null;
  readonly seats: number;
  /** Shown among the open tables; otherwise found by its link alone. */
  readonly listed: boolean;
  readonly clock: Clock;
  readonly tracker: boolean;
  /** Which bot fills empty seats and plays for absent people. */
  readonly bot: string;
  readonly chat: boolean;
}

/** Nobody is hurried. A seat whose player is gone is played by a bot after a while, so that no table is blocked. */
export interface NoClock {
  readonly kind: "none";
}

/** So many seconds a decision; what it takes longer comes out of the seat's bank. */
export interface Seconds {
  readonly kind: "seconds";
  readonly decision: number;
  readonly bank: number;
}

/** Play by correspondence: so many days a decision. */
export interface Days {
  readonly kind: "days";
  readonly days: number;
}

/** Who sits there, as everyone may know. */
export interface SeatInfo {
  readonly name: string;
  readonly bot: string | null;
  readonly taken: boolean;
  readonly connected: boolean;
  /** A bot plays for the person. */
  readonly away: boolean;
  /** When the time of this seat runs out, in milliseconds since 1970, to the second; null without a clock. */
  readonly deadline: number | null;
  /** Milliseconds left in its time bank, to the second. */
  readonly bank: number;
}

/** One entry of the table's log as the receiver may see it. */
export interface Happening {
  readonly seq: number;
  readonly at: number;
  readonly what: What;
  readonly events: readonly Event[];
}

/** The table was opened. */
export interface TableOpened {
  readonly kind: "opened";
}

/** Somebody sat down. */
export interface SeatTaken {
  readonly kind: "joined";
  readonly seat: number;
  readonly name: string;
}

/** Somebody stood up before the game. */
export interface SeatLeft {
  readonly kind: "left";
  readonly seat: number;
}

/** The host switched the chat on or off. */
export interface ChatSwitched {
  readonly kind: "chat-switched";
  readonly on: boolean;
}

/** The game began; the first market is in the events. */
export interface GameStarted {
  readonly kind: "started";
}

/** A seat acted; what came of it is in the events. */
export interface Played {
  readonly kind: "played";
  readonly seat: number;
  readonly by: By;
}

/** Somebody said something; `seat` is null for a spectator. */
export interface ChatLine {
  readonly kind: "said";
  readonly seat: number | null;
  readonly name: string;
  readonly text: string;
}

/** Somebody reacted; `seat` is null for a spectator. */
export interface Reaction {
  readonly kind: "reacted";
  readonly seat: number | null;
  readonly name: string;
  readonly reaction: string;
}

/** The same people go on at another table. */
export interface RematchOpened {
  readonly kind: "rematch-opened";
  readonly table: string;
}

/** A market was turned up. */
export interface Dealt {
  readonly kind: "dealt";
  readonly phase: string;
  readonly number: number;
  readonly market: readonly number[];
  readonly opener: number | null;
}

/** A seat raised its standing bid. */
export interface BidPlaced {
  readonly kind: "bid-placed";
  readonly seat: number;
  readonly amount: number;
}

/** A seat left the auction; `house` is null where the variant had none for it. */
export interface Passed {
  readonly kind: "passed";
  readonly seat: number;
  readonly house: number | null;
  readonly refund: number;
  readonly price: number;
}

/** The last seat in the auction took the highest house for its whole bid. */
export interface AuctionWon {
  readonly kind: "auction-won";
  readonly seat: number;
  readonly house: number;
  readonly price: number;
}

/** `house` is null for those who may not know. */
export interface HouseChosen {
  readonly kind: "house-chosen";
  readonly seat: number;
  readonly house: number | null;
}

/** A sale was revealed. By seat: the houses that were sold, and the cheques taken for them. */
export interface SaleResolved {
  readonly kind: "sale-resolved";
  readonly number: number;
  readonly houses: readonly (readonly number[])[];
  readonly cheques: readonly (readonly number[])[];
}

/** The last cheque was taken. */
export interface GameEnded {
  readonly kind: "game-ended";
  readonly outcome: Outcome;
}

/** The end of a game, by seat; place 1 is best, and tied seats share the better number. */
export interface Outcome {
  readonly scores: readonly number[];
  readonly coins: readonly number[];
  readonly places: readonly number[];
  readonly winners: readonly number[];
}

/** A view (see docs/protocol.md). Null stands for what this seat may not know. */
export interface Position {
  readonly rules: Rules;
  readonly seat: number | null;
  readonly phase: string;
  readonly number: number;
  readonly market: readonly number[];
  readonly to_act: readonly number[];
  readonly bidders: readonly number[];
  readonly bids: readonly (number | null)[];
  readonly highest_bid: number | null;
  readonly houses_left: number;
  readonly cheques_left: number;
  readonly hand_sizes: readonly number[];
  readonly cheque_counts: readonly number[];
  readonly has_chosen: readonly boolean[];
  readonly choice: number | null;
  readonly coins: readonly (number | null)[];
  readonly hands: readonly ((readonly number[]) | null)[];
  readonly cheques: readonly ((readonly number[]) | null)[];
  readonly pass_terms: PassTerms | null;
  readonly outcome: Outcome | null;
  readonly decks: Cards | null;
}

/** Everything that holds in one game: an edition, for a number of seats, with or without its variant. */
export interface Rules {
  readonly edition: string;
  readonly seats: number;
  readonly variant: string | null;
  /** All houses in the box, ascending. */
  readonly houses: readonly number[];
  /** All cheques in the box, ascending. */
  readonly cheques: readonly number[];
  /** What each seat starts with. */
  readonly coins: number;
  /** Cards removed unseen from each deck. */
  readonly removed: number;
  /** Cards left in each deck. */
  readonly deck_size: number;
  /** How many houses fewer than seats an auction turns up. */
  readonly short: number;
  /** How half of an odd standing bid is rounded when its seat passes. */
  readonly refund: "down" | "up";
  /** The least that may open an auction. */
  readonly lowest_bid: number;
}

/** What a pass of the seat to act would do: the house it takes (null: none), the coins back, the coins lost. */
export interface PassTerms {
  readonly house: number | null;
  readonly refund: number;
  readonly price: number;
}

/** Both decks in the order in which they were drawn, and what was removed. */
export interface Cards {
  readonly houses: readonly number[];
  readonly cheques: readonly number[];
  readonly removed_houses: readonly number[];
  readonly removed_cheques: readonly number[];
}

/** Something happened: what, and where the table stands now. */
export interface Update {
  readonly type: "update";
  readonly now: number;
  readonly happening: Happening;
  readonly table: TableInfo;
  readonly position: Position | null;
  readonly legal: readonly Action[];
  readonly plan: Plan | null;
}

/** Somebody came, went or is played by a bot: the table without anything having happened in the game. */
export interface Presence {
  readonly type: "presence";
  readonly now: number;
  readonly table: TableInfo;
}

/** A message was carried out, and is stored. `seq` is its place in the log; 0 for a plan, which has none. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  readonly seq: number;
}

/** A message was not carried out: a code for programs, a sentence for people. */
export interface Refused {
  readonly type: "refused";
  readonly id: string | null;
  readonly code: Code;
  readonly sentence: string;
}

/** Your plan, whenever it changes; also in your other tabs. */
export interface PlanIs {
  readonly type: "plan-is";
  readonly plan: Plan | null;
}

/** The server ends the connection. Connect again after `retry_after` seconds, at once if 0, never if null. */
export interface Closing {
  readonly type: "closing";
  readonly code: Code;
  readonly sentence: string;
  readonly retry_after: number | null;
}

/** The server's time. */
export interface Pong {
  readonly type: "pong";
  readonly now: number;
}

/** The name that you want. */
export interface NameBody {
  readonly name: string;
}

/** `seed` goes into the deal of the cards: anything you like, until the game begins. */
export interface JoinBody {
  readonly seed?: string;
}

/** Whether the chat shall be on. */
export interface ChatBody {
  readonly on: boolean;
}

/** What stands behind the # of a link from another device. */
export interface RedeemBody {
  readonly secret: string;
}

/** Who the server takes you for. */
export interface Me {
  readonly id: string;
  readonly name: string;
}

/** A table was opened. */
export interface TableCreated {
  readonly id: string;
  /** The link to share. */
  readonly url: string;
}

/** A table that waits for people. */
export interface OpenTable {
  readonly id: string;
  readonly options: Options;
  readonly host: string;
  readonly taken: number;
}

/** Your latest games, and all of them in numbers. */
export interface History {
  readonly games: readonly GameSummary[];
  readonly stats: Stats;
}

/** A game of yours. */
export interface GameSummary {
  readonly id: string;
  readonly edition: string;
  readonly variant: string | null;
  readonly status: string;
  readonly updated: number;
  readonly players: readonly string[];
  readonly you: number;
  readonly scores: (readonly number[]) | null;
  readonly place: number | null;
}

/** Finished games of yours; a shared victory counts in shares. */
export interface Stats {
  readonly games: number;
  readonly wins: number;
  readonly mean_score: number | null;
  readonly mean_place: number | null;
}

/** Opens your seat on another device, once, for a few minutes. The secret is in the fragment: no server logs it. */
export interface DeviceLink {
  readonly url: string;
  readonly expires: number;
}

/** What can be chosen at this server. */
export interface Choices {
  readonly editions: readonly EditionInfo[];
  /** The bots that people are offered first, from the weakest on. */
  readonly levels: readonly string[];
  /** All of them, the levels too. */
  readonly bots: readonly string[];
  readonly reactions: readonly string[];
  /** What holds where nothing else is chosen. */
  readonly options: Options;
}

/** An edition that can be played here. `words`: what things are called, by language (`en`). */
export interface EditionInfo {
  readonly id: string;
  readonly name: string;
  /** The numbers of seats that it can be played with. */
  readonly seats: readonly number[];
  readonly variants: readonly string[];
  /** Whether seats may, should or must hide their coins. */
  readonly coins_hidden: "may" | "must" | "should";
  readonly refund: "down" | "up";
  readonly words: Readonly<Record<string, Words>>;
}

/** What one language's rulebook calls things. Pairs are singular and plural. */
export interface Words {
  readonly house: readonly [string, string];
  readonly cheque: readonly [string, string];
  readonly coin: readonly [string, string];
  /** What is printed on a cheque of 0, where the rulebook says. */
  readonly void: string | null;
  /** The title of the variant, where there is one. */
  readonly scarce: string | null;
}

/** A game from its record, moment by moment. */
export interface Replay {
  /** As they stand in the record. */
  readonly tags: Readonly<Record<string, string>>;
  readonly players: readonly string[];
  readonly rules: Rules;
  /** Through whose eyes it is seen; null: all is open. */
  readonly seat: number | null;
  readonly moments: readonly Moment[];
}

/** A position of a replay, and what led to it. Moment 0 is the deal, which is nobody's action. */
export interface Moment {
  readonly number: number;
  readonly seat: number | null;
  /** Null for the deal, and for a choice in a sale that may not be known. */
  readonly action: Action | null;
  readonly events: readonly Event[];
  /** By seat: the house chosen in this sale; null for none, and for one that may not be known. */
  readonly choices: readonly (number | null)[];
  readonly position: Position;
}

/** Why a request was refused. */
export interface Problem {
  readonly code: Code;
  readonly sentence: string;
}
