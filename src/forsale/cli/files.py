"""Files in and out: read with one clear sentence when it fails, written whole or not at all."""

from pathlib import Path

import click

from forsale import record
from forsale.arena.files import replace_whole
from forsale.record import Record, RecordError


def read_record(path: Path) -> Record:
    """A record from a file."""
    try:
        with path.open("rb") as file:
            data = file.read(record.MAX_BYTES + 1)
    except OSError as error:
        raise click.ClickException(f"{path}: {reason(error)}") from None
    try:
        return record.from_bytes(data)
    except RecordError as error:
        raise bad_record(path, error) from None


def bad_record(path: Path, error: RecordError) -> click.ClickException:
    """The error that `main` prints for a record: file, line, column, what was expected."""
    return click.ClickException(f"{path}: {error}")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. One of other content that is there already is not replaced."""
    try:
        if path.exists():
            if path.read_bytes() != data:
                raise click.ClickException(f"{path}: there is another file of that name, expected a new one")
        else:
            replace_whole(path, data)
    except OSError as error:
        raise click.ClickException(f"{path}: {reason(error)}") from None


def make_folder(folder: Path) -> None:
    """A folder, with those that it is in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder}: {reason(error)}") from None


def reason(error: OSError) -> str:
    """What the system says of a file, as the end of a sentence."""
    return (error.strerror or str(error)).lower()
