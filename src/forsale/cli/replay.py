"""`forsale replay`: play records through the engine, check every line, show how they ended."""

import json
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from forsale import record
from forsale.cli.files import bad_record, read_record
from forsale.editions import Edition, load
from forsale.game import AuctionWon, Passed, State, outcome, seat_letter
from forsale.record import Record, RecordError, Replay


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each file.")
@click.option("--lenient", is_flag=True, help="Report results and scores that disagree, and go on.")
@click.option("--edition", "edition_file", metavar="FILE", help="The .toml file of an edition that is not published.")
def replay(files: tuple[Path, ...], as_json: bool, lenient: bool, edition_file: str | None) -> None:
    """Verify records and print the final table."""
    own = load(edition_file) if edition_file else None
    bad = []
    for path in files:
        try:
            _show(path, own, as_json, lenient)
        except click.ClickException as error:
            bad.append(error)
            if len(files) > 1:
                click.echo(f"forsale: {error.format_message()}", err=True)
    if bad:
        raise bad[0] if len(files) == 1 else click.ClickException(f"{len(bad)} of {len(files)} records are bad")


def _show(path: Path, own: Edition | None, as_json: bool, lenient: bool) -> None:
    written = read_record(path)
    result = replayed(path, written, own, strict=not lenient)
    for problem in result.problems:
        click.echo(f"forsale: {path}: {problem}", err=True)
    if as_json:
        click.echo(json.dumps(_summary(path, written, result), ensure_ascii=False))
    else:
        Console(highlight=False).print(_table(path, written, result))


def replayed(path: Path, written: Record, own: Edition | None, strict: bool) -> Replay:
    """A replay, or the one line that says where the record is wrong."""
    # An edition of one's own is for the records that name it; published ones bring theirs.
    edition = own if own is not None and own.id == written.tag("Edition") else None
    try:
        return record.replay(written, edition, strict)
    except RecordError as error:
        raise bad_record(path, error) from None


def _bought(state: State) -> list[list[int]]:
    """The houses that each seat bought, ascending. At the end of a game the hands are empty."""
    houses: list[list[int]] = [[] for _ in state.hands]
    for event in state.history:
        if isinstance(event, Passed | AuctionWon) and event.house is not None:
            houses[event.seat].append(event.house)
    return [sorted(bought) for bought in houses]


def _summary(path: Path, written: Record, result: Replay) -> dict[str, object]:
    state, end = result.state, outcome(result.state)
    return {
        "file": str(path),
        "edition": state.rules.edition,
        "seats": state.rules.seats,
        "variant": state.rules.variant,
        "players": list(written.players),
        "finished": end is not None,
        "houses": _bought(state),
        "coins": list(state.coins),
        "cheques": [list(taken) for taken in state.cheques],
        "score": None if end is None else list(end.scores),
        "winners": None if end is None else list(end.winners),
        "problems": [str(problem) for problem in result.problems],
    }


def _table(path: Path, written: Record, result: Replay) -> Table:
    state, end = result.state, outcome(result.state)
    rules, words = state.rules, result.edition.words["en"]
    variant = f", {rules.variant}" if rules.variant else ""
    stage = "finished" if end else f"stops in {'auction' if state.phase.value == 'buying' else 'sale'} {state.number}"
    title = f"{path} · {rules.edition}{variant} · {rules.seats} seats · {stage}"
    table = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("seat", style="bold")
    table.add_column("player")
    table.add_column(words.house[1].lower())
    table.add_column(words.cheque[1].lower())
    table.add_column(words.coin[1].lower(), justify="right")
    if end:
        table.add_column("score", justify="right", style="bold")
        table.add_column("place", justify="right")
    for seat, bought in enumerate(_bought(state)):
        table.add_row(
            seat_letter(seat),
            escape(written.players[seat]),
            " ".join(map(str, bought)),
            " ".join(map(str, state.cheques[seat])),
            str(state.coins[seat]),
            *([str(end.scores[seat]), f"{end.places[seat]}{' *' if seat in end.winners else ''}"] if end else []),
        )
    return table
