"""`forsale backup`: a copy of everything, while the server runs."""

from pathlib import Path

import click

from forsale.cli.database import check_exists, database_option


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@database_option
def backup(file: Path, database: Path) -> None:
    """Copy the server's database to FILE, whole and consistent, also while the server runs.

    To restore it, stop the server and start it with the copy. Keep it safe: it holds the keys of all guests.
    """
    from forsale.server.sqlite_file import backup_file
    from forsale.server.store import StoreError

    check_exists(database)
    try:
        backup_file(database, file)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{database} is copied to {file}.")
