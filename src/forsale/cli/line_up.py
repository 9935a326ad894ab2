"""Which bots play, as a person writes it on the command line."""

import click

from forsale import bots


def line_up(text: str, seats: int) -> list[str]:
    """The bot in each seat, from one name for all or a list with one for each."""
    names = [bots.find(name.strip()).name for name in text.split(",")]
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise click.BadParameter(
            f"expected one bot, or {seats} joined by commas, got {len(names)}", param_hint="--bots"
        )
    return names
