"""`forsale prune`: remove tables that nobody came back to."""

import time
from pathlib import Path

import click

from forsale.cli.database import check_exists, database_option

_DAY = 24 * 60 * 60 * 1000


@click.command()
@database_option
@click.option("--days", type=click.IntRange(1), default=30, show_default=True, help="Since anything happened there.")
def prune(database: Path, days: int) -> None:
    """Remove tables without a finished game that nobody has touched for a while.

    Finished games are kept for ever. Stop the server first: it has the database to itself.
    """
    import asyncio  # takes a moment, which no other command should

    from forsale.server.store import StoreError

    check_exists(database)
    try:
        removed = asyncio.run(_pruned(database, time.time_ns() // 1_000_000 - days * _DAY))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{removed} {'table is' if removed == 1 else 'tables are'} removed from {database}.")


async def _pruned(database: Path, before: int) -> int:
    from forsale.server.sqlite_store import SqliteStore

    store = SqliteStore(database)
    await store.open()
    try:
        return await store.prune(before)
    finally:
        await store.close()
