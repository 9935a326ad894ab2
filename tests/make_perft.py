"""Counts the toy edition anew and writes tests/perft/counts.json: `python -m tests.make_perft`."""

import json

from tests.test_perft import FOLDER, count, toy

TOYS = {
    "refund down": {"coins": 3, "refund": "down", "lowest_bid": 1, "variant": None},
    "refund up": {"coins": 3, "refund": "up", "lowest_bid": 1, "variant": None},
    "opens at 0": {"coins": 3, "refund": "up", "lowest_bid": 0, "variant": None},
    "more coins": {"coins": 5, "refund": "down", "lowest_bid": 1, "variant": None},
    "scarce": {"coins": 2, "refund": "down", "lowest_bid": 1, "variant": "scarce"},
    "scarce, refund up": {"coins": 3, "refund": "up", "lowest_bid": 1, "variant": "scarce"},
}


def main() -> None:
    cases = []
    for name, settings in TOYS.items():
        positions: list[int] = []
        games = count(toy(**settings), positions)  # type: ignore[arg-type]
        cases.append({"name": name, "toy": settings, "games": games, "positions": positions})
    rows = ",\n".join("  " + json.dumps(case) for case in cases)
    (FOLDER / "counts.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
