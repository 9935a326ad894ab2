"""`forsale editions`: which rulebooks there are, and how they differ."""

from collections.abc import Mapping

import click
from rich import box
from rich.console import Console
from rich.table import Table

from forsale import editions as published_editions
from forsale.editions import MAX_SEATS, MIN_SEATS, Edition


@click.command()
@click.argument("edition", required=False)
def editions(edition: str | None) -> None:
    """List the editions, or show and check one: EDITION is an id or the path of a .toml file."""
    console = Console(highlight=False)
    if edition is None:
        console.print(_overview([published_editions.load(name) for name in published_editions.published()]))
        console.print(f"The default is {published_editions.DEFAULT}. `forsale editions ID` shows one with its words.")
    else:
        console.print(_one(published_editions.load(edition)))


def _overview(all_editions: list[Edition]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("edition", no_wrap=True, style="bold")
    table.add_column(f"coins, {MIN_SEATS}-{MAX_SEATS} seats", no_wrap=True)
    table.add_column("removed", no_wrap=True)
    table.add_column("refund", no_wrap=True)
    table.add_column("opens at", no_wrap=True)
    table.add_column("variant", no_wrap=True)
    for edition in all_editions:
        table.add_row(
            edition.id,
            _by_seats(edition.coins),
            _by_seats(edition.removed),
            f"half, {edition.refund}",
            str(edition.lowest_bid),
            ", ".join(edition.variants) or "none",
        )
    return table


def _one(edition: Edition) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False, title=edition.name, title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_row("id", edition.id)
    table.add_row("source", edition.source)
    table.add_row("seats", "/".join(map(str, edition.seats)))
    table.add_row("coins each", _by_seats(edition.coins))
    table.add_row("removed from each deck", _by_seats(edition.removed))
    table.add_row("refund", f"half the bid, rounded {edition.refund}")
    table.add_row("lowest opening bid", str(edition.lowest_bid))
    table.add_row("coins hidden", edition.coins_hidden)
    for name, variant in edition.variants.items():
        table.add_row(
            f"variant {name}", f"houses fewer than seats: {variant.short}; removed {_by_seats(variant.removed)}"
        )
    for language in edition.words:
        table.add_row(f"words ({language})", ", ".join(_words(edition, language)))
    return table


def _by_seats(values: Mapping[int, int]) -> str:
    return "/".join(str(values[seats]) for seats in sorted(values))


def _words(edition: Edition, language: str) -> list[str]:
    words = edition.words[language]
    return [words.house[0], words.cheque[0], words.coin[0], *([words.void] if words.void else [])]
