"""`python -m benchmarks.proof`: see `benchmarks.proof`."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path

import benchmarks.proof
from benchmarks.proof import kept, page
from benchmarks.proof.cases import ANSWER, BLIND, CHAMPION, PAIR, PARTS
from benchmarks.proof.playing import Cast
from benchmarks.proof.running import run
from forsale import bots
from forsale.arena import ArenaError
from forsale.arena.running import cores
from forsale.bots import BotError

INTERRUPTED = 130
PAGE = "page"


def main(words: Sequence[str] | None = None) -> int:
    options = _options(words)
    file = options.figures or kept.FILE
    cast = Cast(options.nets)
    cases = [case for part in options.parts if part != PAGE for case in PARTS[part](list(options.nets))]
    if options.deals:
        cases = [case._replace(deals=options.deals) for case in cases]
    try:
        for name in options.nets:
            cast.net(name)  # refused before anything is played
        results = run(cases, cast, file, options.processes)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on with it", file=sys.stderr)
        return INTERRUPTED
    except (ArenaError, BotError, BrokenExecutor, OSError) as error:
        print(f"proof: {error}", file=sys.stderr)
        return 2
    if options.figures is None:
        page.write(results)
    return 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    """With `nets`: the files of weights by name."""
    parser = argparse.ArgumentParser(
        "proof", description=benchmarks.proof.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join((*PARTS, PAGE))}; all, if none is named")
    parser.add_argument("--deals", type=int, metavar="N", help="in place of each part's own number")
    parser.add_argument("--processes", type=int, default=cores(), metavar="N", help="at once; as many as cores")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="where to keep them, if not for the page")
    parser.add_argument("--weights", type=Path, metavar="FILE", help="of another champion than the package's")
    parser.add_argument("--blind", type=Path, metavar="FILE", help="weights of a net that was trained without watching")
    parser.add_argument("--seeds", nargs="+", default=[], metavar="NAME=FILE", help="weights of other champions")
    parser.add_argument("--answer", type=Path, metavar="FILE", help="weights of a net that was trained to beat it")
    parser.add_argument("--pair", type=Path, metavar="FILE", help="of one that was trained to do so with another")
    options = parser.parse_args(words)
    for part in options.parts:
        if part not in (*PARTS, PAGE):
            parser.error(f"expected parts among {', '.join((*PARTS, PAGE))}, got {part!r}")
    for number in ("deals", "processes"):
        if getattr(options, number) is not None and getattr(options, number) < 1:
            parser.error(f"--{number}: expected at least 1, got {getattr(options, number)}")
    if options.weights and not options.figures:
        parser.error("--weights: expected --figures FILE too, as the page is about the champion of the package")
    files = {CHAMPION: options.weights, BLIND: options.blind, ANSWER: options.answer, PAIR: options.pair}
    options.nets = {name: file for name, file in files.items() if file}
    for seed in options.seeds:
        name, equals, file = seed.partition("=")
        if not (name and equals and file) or name in (*bots.names(), *files):
            parser.error(f"--seeds: expected NAME=FILE, got {seed!r}")
        options.nets[name] = Path(file)
    if "seeds" in options.parts and not options.seeds:
        parser.error("seeds: expected --seeds NAME=FILE, the weights of other champions")
    if "answers" in options.parts and not (options.answer or options.pair):
        parser.error("answers: expected --answer FILE or --pair FILE, the weights of nets that answer the champion")
    options.parts = options.parts or list(PARTS)
    return options


if __name__ == "__main__":
    sys.exit(main())
