"""`forsale play`: one person at a terminal against bots."""

import hashlib
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

import click
from rich.text import Text

from forsale import bots, editions, game, record, shuffle
from forsale.bots import Guarded
from forsale.cli.cast import Cast, listed
from forsale.cli.ending import ending
from forsale.cli.files import write_whole
from forsale.cli.line_up import line_up, seated, time_option
from forsale.cli.sitting import PERSON, Left, Sitting
from forsale.cli.terminal import Terminal
from forsale.editions import Edition
from forsale.record import Record
from forsale.view import MAX_EARLIER, Earlier

_INTERRUPTED = 130


@click.command()
@click.option(
    "--edition",
    "edition_name",
    default=editions.DEFAULT,
    show_default=True,
    metavar="ID|FILE",
    help="The rulebook: `forsale editions` lists them.",
)
@click.option("--variant", metavar="NAME", help="The optional rule of the rulebook, such as scarce.")
@click.option("--seats", type=int, default=4, show_default=True, help="You and your rivals.")
@click.option(
    "--bots",
    "bot_names",
    default="broker",
    show_default=True,
    help=f"One for all rivals, or one each: a,b,c. From the weakest on: {', '.join(bots.LEVELS)}. "
    "`forsale bots list` has more; cmd:./mybot is a program.",
)
@time_option
@click.option("--name", default="You", show_default=True, help="Your name in the tables and in the record.")
@click.option("--seed", metavar="TEXT", help="The same seed gives the same cards and the same bots' luck.")
@click.option("--tracker/--no-tracker", help="Show the others' coins and houses, and the cards not yet seen.")
@click.option(
    "--record", "file", type=click.Path(path_type=Path), metavar="FILE", help="Write the game there, as .fsr."
)
def play(
    edition_name: str,
    variant: str | None,
    seats: int,
    bot_names: str,
    milliseconds: int,
    name: str,
    seed: str | None,
    tracker: bool,
    file: Path | None,
) -> None:
    """Play a game against bots, and another if you like. You have seat A; type ? for the keys and the rules."""
    edition = editions.load(edition_name)
    edition.rules(seats, variant)
    with seated(line_up(bot_names, seats - 1), milliseconds) as rivals:
        if file is not None:
            _check_new(file)
        terminal, cast = Terminal(), _cast(edition, name, rivals)
        earlier: tuple[Earlier, ...] = ()
        for secret in _secrets(seed):
            deal = shuffle.fair_deal(edition, seats, secret, variant=variant)
            state = game.new_game(edition, seats, deal.decks, deal.first, variant)
            sitting = Sitting(state, cast, rivals, secret, tracker, terminal, earlier)
            _check_name(sitting)
            _welcome(sitting, rivals, shuffle.commitment(secret))
            _play_to_the_end(sitting, secret, file, edition_name)
            # A record is of one game.
            if file is not None or not _wants_another(terminal):
                break
            earlier = (*earlier, sitting.remembered)[-MAX_EARLIER:]


def _secrets(seed: str | None) -> Iterator[bytes]:
    """For game after game: the same ones again from a seed, others each time without."""
    yield shuffle.new_secret() if seed is None else _secret_from(seed)
    for number in count(2):
        yield shuffle.new_secret() if seed is None else _secret_from(f"{seed} {number}")


def _wants_another(terminal: Terminal) -> bool:
    """Whether a person plays on; where none sits, nobody is asked."""
    if not terminal.someone_types:
        return False
    try:
        return terminal.ask("\nAnother game, with the same rivals? y/n > ") in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        terminal.show(Text())  # the cursor stands after the question
        return False


def _secret_from(seed: str) -> bytes:
    """Any text makes a secret, even one that the terminal did not send as UTF-8."""
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).digest()


def _cast(edition: Edition, name: str, rivals: Sequence[Guarded]) -> Cast:
    called = islice(bots.called([name]), len(rivals))
    return Cast(edition, (name, *called), ("", *(rival.label for rival in rivals)))


def _check_name(sitting: Sitting) -> None:
    """Refuse a name that a record could not hold, whether or not there will be one."""
    try:
        _record(sitting, {})
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    if not sitting.cast.players[PERSON].strip():
        raise click.BadParameter("expected a name, got nothing", param_hint="--name")


def _check_new(file: Path) -> None:
    """Refuse a file that cannot be written before the game, not after it."""
    try:
        if file.exists() or file.is_symlink():
            raise click.ClickException(f"{file}: there is a file of that name, expected a new one")
        with tempfile.TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"{file}: cannot be written: {reason}") from None


def _play_to_the_end(sitting: Sitting, secret: bytes, file: Path | None, edition_name: str) -> None:
    terminal, cast = sitting.terminal, sitting.cast
    commitment = shuffle.commitment(secret)
    tags = {"Bots": "|".join(cast.bots), "Commitment": commitment}
    try:
        sitting.play()
    except (Left, EOFError, KeyboardInterrupt) as departure:
        unfinished = _record(sitting, tags)
        if file is not None:
            _save(file, unfinished, terminal)
        terminal.show(Text(_farewell(departure, file)))
        raise click.exceptions.Exit(0 if isinstance(departure, Left) else _INTERRUPTED) from None
    terminal.show(ending(sitting.view, cast), Text(f"The secret behind the commitment was\n{secret.hex()}"))
    if file is not None:
        _save(file, _record(sitting, {**tags, "Secret": secret.hex()}), terminal)
        check = _verify_command(file, edition_name)
        terminal.show(Text(f"The game is in {file}. This checks that its cards were fair:\n{check}"))


def _verify_command(file: Path, edition_name: str) -> str:
    own = [] if edition_name in editions.published() else ["--edition", edition_name]
    return shlex.join(["forsale", "verify", *own, str(file)])


def _welcome(sitting: Sitting, rivals: Sequence[Guarded], commitment: str) -> None:
    cast = sitting.cast
    others = listed(cast.players[seat] for seat in range(len(cast.players)) if seat != PERSON)
    characters = dict.fromkeys(f"{rival.label}: {rival.character}" for rival in rivals)
    variant = [f"Variant: {cast.words.scarce}"] if sitting.view.rules.variant else []
    lines = [
        f"{cast.edition.name}, against {others}. Type ? for help.",
        *variant,
        *characters,
        "The cards are shuffled. The secret behind them is shown at the end; this commits to it:",
        commitment,
    ]
    sitting.terminal.show(Text("\n".join(lines)))


def _save(file: Path, written: Record, terminal: Terminal) -> None:
    """Write the game; if that fails now, after all, the terminal at least has it."""
    try:
        write_whole(file, written.to_bytes())
    except click.ClickException:
        terminal.show(Text(written.to_text()))
        raise


def _farewell(departure: BaseException, file: Path | None) -> str:
    """One line. Who breaks off inside a line has left the cursor there."""
    start = "" if isinstance(departure, Left) else "\n"
    if file is None:
        return f"{start}Good-bye. The game stays unfinished."
    return f"{start}Good-bye. The unfinished game, as far as you know it, is in {file}."


def _record(sitting: Sitting, tags: dict[str, str]) -> Record:
    """The game as the person knows it; once it is over, they know all of it."""
    return record.from_position(sitting.view, sitting.cast.players, tags)
