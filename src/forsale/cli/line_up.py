"""Which bots play, as a person writes it on the command line."""

import click

from forsale import bots


def bot_names(text: str) -> list[str]:
    """Bots that there are, from their names joined by commas."""
    return [bots.find(name.strip()).name for name in text.split(",")]


def line_up(text: str, seats: int) -> list[str]:
    """The bot in each seat, from one name for all or a list with one for each."""
    names = bot_names(text)
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise click.BadParameter(
            f"expected one bot, or {seats} joined by commas, got {len(names)}", param_hint="--bots"
        )
    return names
