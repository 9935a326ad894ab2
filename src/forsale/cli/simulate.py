"""`forsale simulate`: bots play many games, each written down if you like."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forsale import arena, editions, game, shuffle
from forsale.arena.playing import secret_of, written
from forsale.bots import Bot
from forsale.cli.files import make_folder, write_whole
from forsale.cli.line_up import line_up, seated, time_option
from forsale.cli.progress import progress_bar
from forsale.editions import Edition
from forsale.game import State


@click.command()
@click.option("--edition", "edition_name", default=editions.DEFAULT, show_default=True, metavar="ID|FILE")
@click.option("--seats", type=int, default=4, show_default=True)
@click.option("--variant", metavar="NAME", help="The optional rule of the rulebook, such as scarce.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option(
    "--bots",
    "bot_names",
    default="random",
    show_default=True,
    help="One for all seats, or one a seat: a,b,c,d. `forsale bots list` has them; cmd:./mybot is a program.",
)
@time_option
@click.option("--records", type=click.Path(path_type=Path), metavar="DIR", help="Write each game there as a .fsr file.")
def simulate(
    edition_name: str,
    seats: int,
    variant: str | None,
    games: int,
    seed: int,
    bot_names: str,
    milliseconds: int,
    records: Path | None,
) -> None:
    """Let bots play games against each other."""
    edition = editions.load(edition_name)
    edition.rules(seats, variant)
    with seated(line_up(bot_names, seats), milliseconds) as players:
        if records is not None:
            make_folder(records)
        tally = _Tally([player.label for player in players])
        with progress_bar() as progress:
            for number in progress.track(range(1, games + 1), description="games"):
                secret = secret_of("simulate", seed, number)
                end = _play(edition, variant, players, secret)
                tally.add(end)
                if records is not None:
                    label = "-".join([edition.id, str(seats), *([variant] if variant else []), f"seed{seed}"])
                    file = records / f"{label}-{number:0{len(str(games))}}.fsr"
                    write_whole(file, written(end, tally.names, secret, f"simulation {number}").to_bytes())
    Console(highlight=False).print(tally.table())


def _play(edition: Edition, variant: str | None, players: Sequence[Bot], secret: bytes) -> State:
    deal = shuffle.fair_deal(edition, len(players), secret, variant=variant)
    state = game.new_game(edition, len(players), deal.decks, deal.first, variant)
    rngs = [Random(f"{secret.hex()} {seat}") for seat in range(len(players))]
    return arena.play_out(state, players, rngs)


class _Tally:
    """Who won how much, seat by seat. A shared victory counts in shares."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.games = 0
        self.wins = [0.0] * len(names)
        self.scores = [0] * len(names)

    def add(self, end: State) -> None:
        result = game.outcome(end)
        assert result is not None
        self.games += 1
        for seat in result.winners:
            self.wins[seat] += 1 / len(result.winners)
        for seat, score in enumerate(result.scores):
            self.scores[seat] += score

    def table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("seat", style="bold")
        table.add_column("bot")
        table.add_column("win share", justify="right")
        table.add_column("mean score", justify="right")
        for seat, name in enumerate(self.names):
            share, score = self.wins[seat] / self.games, self.scores[seat] / self.games
            table.add_row(game.seat_letter(seat), Text(name), f"{share:.1%}", f"{score:.1f}")
        return table
