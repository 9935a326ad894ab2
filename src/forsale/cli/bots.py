"""`forsale bots`: which bots there are, and whether one of your own keeps to the rules."""

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forsale import bots as registry
from forsale.bots import BotError
from forsale.bots.checking import Finding, check
from forsale.cli.line_up import stoppable, time_option

_FAILED = 1


@click.group(name="bots")
def bots() -> None:
    """List the bots, or check one of your own."""


@bots.command(name="list")
def list_() -> None:
    """The bots that can be asked for by name: their characters, and where they come from."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("bot", no_wrap=True, style="bold")
    table.add_column("character")
    table.add_column("from", no_wrap=True)
    unusable = []
    for found in registry.registered():
        if isinstance(found, BotError):
            unusable.append(f"Not here: {found}.")
        else:
            table.add_row(Text(found.name), Text(found.character), Text(found.package))
    Console(highlight=False).print(table)
    for sentence in unusable:
        click.echo(sentence)
    click.echo("A program of your own is a bot as well: cmd:./mybot, wherever a name is asked for.")


@bots.command(name="check")
@click.argument("name")
@time_option
def check_(name: str, milliseconds: int) -> None:
    """Check whether a bot keeps to the rules: NAME is that of a bot, or cmd: and a command.

    It plays a game of every edition, number of seats and variant. The status is 0 if all is well, 1 otherwise.
    """
    console = Console(highlight=False)
    good = True
    with stoppable():
        for finding in check(name, milliseconds / 1000):
            console.print(_row(finding))
            good = good and finding.good
    console.print(Text(f"{name} {'keeps to the rules' if good else 'does not keep to the rules'}."))
    if not good:
        raise click.exceptions.Exit(_FAILED)


def _row(finding: Finding) -> Table:
    """One finding, as soon as it is there: a line of a table that grows."""
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(width=4)
    row.add_column(width=13)
    row.add_column()
    row.add_row("ok" if finding.good else Text("BAD", style="bold red"), Text(finding.what), Text(finding.seen))
    return row
