"""Which bots play, as a person writes it on the command line."""

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from forsale import bots
from forsale.bots import Guarded

# A comma within quotes belongs to a command.
_NAME = re.compile(r"""(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^,])*""", re.DOTALL)

time_option = click.option(
    "--bot-time",
    "milliseconds",
    type=click.IntRange(1, 3_600_000),
    default=round(bots.LIMIT * 1000),
    show_default=True,
    metavar="MS",
    help="Milliseconds that a program (cmd:) has for a decision.",
)


def line_up(text: str, seats: int) -> list[str]:
    """The name of the bot in each seat, from one for all or a list with one for each.

    >>> line_up("broker, random,cmd:./mybot --style 'bold, or not'", 3)
    ['broker', 'random', "cmd:./mybot --style 'bold, or not'"]
    """
    names = [name.strip() for name in _split(text)]
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise click.BadParameter(
            f"expected one bot, or {seats} joined by commas, got {len(names)}", param_hint="--bots"
        )
    return names


@contextmanager
def seated(names: Sequence[str], milliseconds: int) -> Iterator[list[Guarded]]:
    """The bots of a line-up while they are needed. What goes wrong with them is told on stderr."""

    def tell(sentence: str) -> None:
        click.echo(f"forsale: {sentence}", err=True)

    with stoppable(), bots.guarded(names, milliseconds / 1000, tell) as guarded:
        yield guarded


@contextmanager
def stoppable() -> Iterator[None]:
    """Let `kill` and `timeout` do what Ctrl-C does, so that the programs which were started are ended first."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _split(text: str) -> Iterator[str]:
    at = 0
    while name := _NAME.match(text, at):
        yield name[0]
        at = name.end() + 1
        if at > len(text):
            return
