"""Makes the golden records: `python -m tests.make_golden` writes tests/records/*.fsr anew, always the same bytes.

One whole game for each edition, number of seats and variant. Do it only when a change of the format is meant: a
record that people have kept must stay readable.
"""

import hashlib
from pathlib import Path
from random import Random

from forsale import arena, bots, record, shuffle
from forsale.game import new_game
from tests.games import COMBOS, NAMES, Combo

RECORDS = Path(__file__).parent / "records"


def path_of(combo: Combo) -> Path:
    return RECORDS / f"{combo}.fsr"


def golden(combo: Combo) -> bytes:
    """The record of a game between bots of different strength, so that many situations occur."""
    edition, seats = combo.load(), range(combo.seats)
    secret = hashlib.sha256(f"golden {combo}".encode()).digest()
    seeds = NAMES[: combo.seats] if combo.variant else ()
    deal = shuffle.fair_deal(edition, combo.seats, secret, seeds, combo.variant)
    state = new_game(edition, combo.seats, deal.decks, deal.first, combo.variant)
    line_up = [("broker", "random")[(seat + combo.seats) % 2] for seat in seats]
    end = arena.play_out(state, [bots.make(name) for name in line_up], [Random(f"{combo} {seat}") for seat in seats])
    tags = {
        "Date": "2026-11-15",
        "Bots": "|".join(line_up),
        "Commitment": shuffle.commitment(secret),
        "Secret": secret.hex(),
        **({"Seeds": "|".join(seeds)} if seeds else {}),
    }
    return record.from_position(end, NAMES[: combo.seats], tags).to_bytes()


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for combo in COMBOS:
        path_of(combo).write_bytes(golden(combo))


if __name__ == "__main__":
    main()
