"""`forsale prune`: remove tables that nobody came back to, guests who never played, and expired links."""

import time
from pathlib import Path
from typing import NamedTuple

import click

from forsale.cli.database import check_exists, database_option

_DAY = 24 * 60 * 60 * 1000


class _Removed(NamedTuple):
    tables: int
    guests: int
    links: int


@click.command()
@database_option
@click.option("--days", type=click.IntRange(1), default=30, show_default=True, help="Since anything happened there.")
def prune(database: Path, days: int) -> None:
    """Remove tables without a finished game that nobody has touched for a while, and guests who have no table left.

    Finished games, and the guests who played or opened them, are always kept. Stop the server first: it has the
    database to itself.
    """
    import asyncio  # takes a moment, which no other command should

    from forsale.server.store import StoreError

    check_exists(database)
    now = time.time_ns() // 1_000_000
    try:
        removed = asyncio.run(_pruned(database, now - days * _DAY, now))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    tables, guests, links = (_counted(count, name) for name, count in removed._asdict().items())
    click.echo(f"Removed {tables}, {guests} and {links} from {database}.")


def _counted(count: int, plural: str) -> str:
    return f"1 {plural.removesuffix('s')}" if count == 1 else f"{count} {plural}"


async def _pruned(database: Path, before: int, now: int) -> _Removed:
    from forsale.server.sqlite_store import SqliteStore

    store = SqliteStore(database)
    await store.open()
    try:
        # In this order: a guest can go once the tables where they sat are gone.
        return _Removed(await store.prune(before), await store.prune_guests(before), await store.prune_links(now))
    finally:
        await store.close()
