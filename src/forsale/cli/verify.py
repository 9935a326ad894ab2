"""`forsale verify`: was the deal of a recorded game the one that was promised before it began?"""

from pathlib import Path

import click

from forsale import shuffle
from forsale.cli.files import read_record
from forsale.cli.replay import replayed
from forsale.editions import load
from forsale.game import OVER
from forsale.record import Record
from forsale.shuffle import Opening, ShuffleError


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--edition", "edition_file", metavar="FILE", help="The .toml file of an edition that is not published.")
def verify(file: Path, edition_file: str | None) -> None:
    """Check a record and its fair shuffle: play, commitment, secret, seeds and every card that came.

    Fails for a record that does not carry its Commitment and Secret, for then nothing proves its deal.
    """
    written = read_record(file)
    result = replayed(file, written, load(edition_file) if edition_file else None, strict=True)
    rules = result.state.rules
    try:
        opening = _opening(written)
        shuffle.verify(result.edition, rules.seats, rules.variant, opening, written.first, result.state.history)
    except ShuffleError as error:
        raise click.ClickException(f"{file}: {error}") from None
    stage = "the whole game" if result.state.phase is OVER else "the game so far"
    click.echo(
        f"{file}: verified: {stage} follows the rules, and its cards are those committed to before it began. "
        f"{_about_seeds(opening, rules.seats)}"
    )


def _about_seeds(opening: Opening, seats: int) -> str:
    given = sum(seed != "" for seed in opening.seeds)
    if given == 0:
        return "No player added a seed, so the table could have tried many deals and kept one that it liked."
    return f"{given} of {seats} seats added a seed to the shuffle."


def _opening(written: Record) -> Opening:
    commitment, secret, seeds = written.tag("Commitment"), written.tag("Secret"), written.tag("Seeds")
    if commitment is None or secret is None:
        missing = "Commitment" if commitment is None else "Secret"
        raise ShuffleError(f"the record has no {missing} tag, so its deal cannot be verified")
    return Opening(commitment, shuffle.secret_from_hex(secret), () if seeds is None else tuple(seeds.split("|")))
