"""Complete random 4-seat games a second on one core: `make bench`.

Each row is the best of several rounds, taken in turns in one run, so that the ratios hold whatever else the machine
does. The decks are dealt beforehand; a game is `new_game`, then `legal_actions`, a choice by chance and `apply` for
every decision, with all checks and events.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from random import Random

from forsale import arena, bots, editions, shuffle
from forsale.game import Decks, apply, legal_actions, new_game
from tests.reference import Reference

SEATS = 4
EDITION = editions.load(editions.DEFAULT)


def engine(decks: Sequence[Decks], rng: Random) -> int:
    """Through `game.apply`."""
    decisions = 0
    chance = rng.random
    for deck in decks:
        state = new_game(EDITION, SEATS, deck, int(chance() * SEATS))
        while to_act := state.to_act:
            for seat in to_act:
                legal = legal_actions(state, seat)
                state, _ = apply(state, seat, legal[int(chance() * len(legal))])
                decisions += 1
    return decisions


def at_a_table(decks: Sequence[Decks], rng: Random) -> int:
    """The same with a bot in each seat that is given its view."""
    seated = [bots.make("random")] * SEATS
    decisions = 0
    for deck in decks:
        state = new_game(EDITION, SEATS, deck, rng.randrange(SEATS))
        end = arena.play_out(state, seated, [rng] * SEATS)
        decisions += sum(type(event).__name__ in ("BidPlaced", "Passed", "HouseChosen") for event in end.history)
    return decisions


def reference(decks: Sequence[Decks], rng: Random) -> int:
    """The naive second implementation that the tests compare with: mutable, no events."""
    rules = EDITION.rules(SEATS)
    decisions = 0
    for deck in decks:
        game = Reference(
            seats=SEATS,
            coins=rules.coins,
            short=rules.short,
            refund_up=rules.refund == "up",
            lowest_bid=rules.lowest_bid,
            house_deck=list(deck.houses),
            cheque_deck=list(deck.cheques),
            first=rng.randrange(SEATS),
        )
        while waiting := game.waiting():
            for seat in waiting:
                legal = game.legal(seat)
                game.play(seat, *legal[int(rng.random() * len(legal))])
                decisions += 1
    return decisions


PLAYERS: dict[str, Callable[[Sequence[Decks], Random], int]] = {
    "game.apply": engine,
    "with views and bots": at_a_table,
    "naive reference": reference,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = Random(1)
    decks = [shuffle.deal(EDITION, SEATS, rng) for _ in range(options.games)]
    best = dict.fromkeys(PLAYERS, float("inf"))
    decisions = dict.fromkeys(PLAYERS, 0)
    for _ in range(options.rounds):
        for name, player in PLAYERS.items():
            began = time.perf_counter()
            decisions[name] = player(decks, Random(2))
            best[name] = min(best[name], time.perf_counter() - began)
    unit = best["game.apply"]
    print(f"{'':22}{'games/s':>10}{'decisions/s':>14}{'ratio':>8}")
    for name, seconds in best.items():
        print(f"{name:22}{options.games / seconds:>10,.0f}{decisions[name] / seconds:>14,.0f}{unit / seconds:>8.2f}")


if __name__ == "__main__":
    main()
