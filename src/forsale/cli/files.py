"""Files in and out: read with one clear sentence when it fails, written whole or not at all."""

import os
from pathlib import Path

import click

from forsale import record
from forsale.record import Record, RecordError


def read_record(path: Path) -> Record:
    """A record from a file."""
    try:
        with path.open("rb") as file:
            data = file.read(record.MAX_BYTES + 1)
    except OSError as error:
        raise click.ClickException(f"{path}: {_reason(error)}") from None
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
            _write(path, data)
    except OSError as error:
        raise click.ClickException(f"{path}: {_reason(error)}") from None


def _write(path: Path, data: bytes) -> None:
    # Named before it is made, so that whatever interrupts us can also clean up.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
