"""The command `forsale`: arguments in, one clear line out when something is wrong."""

import os
import sys
from collections.abc import Sequence

import click

from forsale import __version__
from forsale.bots import BotError
from forsale.cli.arena import arena
from forsale.cli.backup import backup
from forsale.cli.bots import bots
from forsale.cli.editions import editions
from forsale.cli.play import play
from forsale.cli.prune import prune
from forsale.cli.replay import replay
from forsale.cli.serve import serve
from forsale.cli.simulate import simulate
from forsale.cli.train import train
from forsale.cli.verify import verify
from forsale.editions import EditionError

READER_GONE = 1  # as click has it
BAD_INPUT = 2
INTERRUPTED = 130


@click.group(
    invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="forsale", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """For Sale, Stefan Dorra's auction card game."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (play, arena, simulate, bots, replay, verify, editions, serve, backup, prune, train):
    cli.add_command(_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 2 for bad input, 130 when interrupted."""
    try:
        status = cli.main(args=None if argv is None else list(argv), prog_name="forsale", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _refuse(_one_line(error))
    except (EditionError, BotError) as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # The reader of our output, `head` perhaps, has gone while the last of it was flushed. Nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except (KeyboardInterrupt, click.Abort):
        click.echo("forsale: interrupted", err=True)
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _one_line(error: click.ClickException) -> str:
    return " ".join(error.format_message().split())


def _refuse(reason: str) -> int:
    click.echo(f"forsale: {reason}", err=True)
    return BAD_INPUT
