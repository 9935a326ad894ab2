"""What the champion has learnt: `make lessons`.

It plays itself in every edition, which takes some minutes on one core. Then what was found, the pictures of it and the
numbers of docs/playing-well.md are written. Another net can be measured into another folder: what differs there is not
a lesson.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.lessons.found import Found
from benchmarks.lessons.measuring import FEWEST, measure
from benchmarks.lessons.writing import DOCS, OWN, name_of, read, write
from forsale.bots import BotError
from forsale.bots.champion.net import Net
from forsale.bots.champion.weights import from_bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8192, help="in each edition with each number of seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, default=OWN, help="of another net; needs --docs")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where to write, in place of docs")
    parser.add_argument("--redraw", action="store_true", help="what was found before; nothing is played")
    options = parser.parse_args()
    if options.weights != OWN and options.docs == DOCS:
        parser.error("--weights needs --docs: the page is about the champion that comes with the package")
    if options.games < FEWEST:
        parser.error(f"--games: expected at least {FEWEST}, got {options.games}")
    try:
        found = read(options.docs) if options.redraw else _played(options.weights, options.games, options.seed)
    except (BotError, OSError) as error:
        parser.error(str(error))
    for path in write(found, options.docs):
        print(path)


def _played(weights: Path, games: int, seed: int) -> Found:
    data = weights.read_bytes()
    net = Net(from_bytes(data))
    return measure(net, name_of(data), games, seed, lambda words: print(words, file=sys.stderr))


if __name__ == "__main__":
    main()
