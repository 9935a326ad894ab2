"""The option that names a server's database, the same for every command that has to do with one."""

from pathlib import Path

import click

database_option = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("forsale.sqlite3"),
    show_default=True,
    metavar="FILE",
    help="The file in which the server keeps everything.",
)


def check_exists(database: Path) -> None:
    """For commands that would make no sense with a new one."""
    if not database.exists():
        raise click.ClickException(f"{database}: there is no such file; --db names the one that the server keeps")
