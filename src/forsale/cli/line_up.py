"""Which bots play, as a person writes it on the command line."""

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

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


def bot_names(text: str) -> list[str]:
    """The names of bots, joined by commas: of those that there are, or of programs."""
    names = [name.strip() for name in _split(text)]
    for name in names:
        if not name.startswith("cmd:"):
            bots.find(name)
    return names


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
    """The bots of a line-up while they are needed, in a process that `kill` may end at any time."""
    with stoppable(), guarded(names, milliseconds) as those:
        yield those


def guarded(names: Sequence[str], milliseconds: int) -> AbstractContextManager[list[Guarded]]:
    """The bots of a line-up while they are needed. What goes wrong with them is told on stderr."""
    return bots.guarded(names, milliseconds / 1000, lambda sentence: click.echo(f"forsale: {sentence}", err=True))


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
