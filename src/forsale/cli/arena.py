"""`forsale arena`: which bot is better, and how sure that is."""

import json
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from forsale import editions
from forsale.arena import ArenaError, Contest, Summary, Tally, play
from forsale.arena.files import need_parquet, prepare, to_json, write_csv, write_json, write_parquet
from forsale.arena.journal import Journal
from forsale.arena.lineups import LINE_UPS
from forsale.arena.report import write_html
from forsale.arena.running import Seated, cores
from forsale.cli.files import reason
from forsale.cli.line_up import bot_names, guarded, stoppable, time_option
from forsale.cli.progress import progress_bar
from forsale.cli.standings import matrix_table, standings_table, title

INTERRUPTED = 130


@click.command()
@click.option("--bots", "names", required=True, metavar="A,B,...", help="Who plays; the first is the one or the field.")
@click.option(
    "--line-up",
    "kind",
    type=click.Choice(list(LINE_UPS)),
    default="round-robin",
    show_default=True,
    help="Each alone against a field of each other; the first alone against fields of the others; each other alone "
    "against a field of the first; or a different bot in every seat.",
)
@click.option("--edition", default=editions.DEFAULT, show_default=True, metavar="ID|FILE")
@click.option("--seats", type=int, default=4, show_default=True)
@click.option("--variant", metavar="NAME", help="The optional rule of the rulebook, such as scarce.")
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Each is played by all line-ups in every rotation of the seats.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@time_option
@click.option("--processes", type=click.IntRange(min=1), metavar="N", help="How many at once. [default: all cores]")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep every finished deal there, and in the end results.json and report.html.",
)
@click.option("--resume", is_flag=True, help="Go on with an interrupted run in --out, or add deals to it.")
@click.option("--csv", "as_csv", is_flag=True, help="Also write results.csv to --out: every seat of every game.")
@click.option("--parquet", is_flag=True, help="The same as results.parquet; needs pyarrow.")
@click.option("--records", is_flag=True, help="Also write every game to records in --out, as a .fsr file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of tables.")
@click.pass_context
def arena(
    context: click.Context,
    names: str,
    kind: str,
    edition: str,
    seats: int,
    variant: str | None,
    deals: int,
    seed: int,
    milliseconds: int,
    processes: int | None,
    out: Path | None,
    resume: bool,
    as_csv: bool,
    parquet: bool,
    records: bool,
    as_json: bool,
) -> int:
    """Measure bots against each other, on the same deals from every seat.

    A run in --out can be interrupted at any time: what is finished stays.
    """
    with _refusing():
        for option, given in (("resume", resume), ("csv", as_csv), ("parquet", parquet), ("records", records)):
            if given and out is None:
                raise ArenaError(f"--{option}: expected --out DIR, the folder of the run")
        if parquet:
            need_parquet()
        contest = Contest(tuple(bot_names(names)), deals, seats, edition, variant, kind, seed)
        tally = Tally(contest)
        with ExitStack() as opened:
            journal = None if out is None else opened.enter_context(Journal(out, contest, records, resume))
            try:
                bots = partial(guarded, milliseconds=milliseconds)
                with stoppable():
                    _play(tally, journal, processes or cores(), out / "records" if out and records else None, bots)
            except KeyboardInterrupt:
                click.echo(f"forsale: interrupted after {tally.deals} of {deals} deals; {_onward(context)}", err=True)
                return INTERRUPTED
            summary = tally.summary()
            if out is not None and journal is not None:
                write_json(out / "results.json", summary)
                write_html(out / "report.html", summary)
                if as_csv:
                    write_csv(out / "results.csv", contest, journal.chunks())
                if parquet:
                    write_parquet(out / "results.parquet", contest, journal.chunks())
    _show(summary, as_json)
    return 0


@contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong, in one line."""
    try:
        yield
    except ArenaError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'output'}: {reason(error)}") from None


def _play(tally: Tally, journal: Journal | None, processes: int, records: Path | None, seated: Seated) -> None:
    contest = tally.contest
    spans = None
    if records is not None:
        prepare(records)
    if journal is not None:
        for chunk in journal.chunks():
            tally.add(chunk)
        spans = journal.missing()
    with progress_bar() as progress:
        task = progress.add_task("deals", total=contest.deals, completed=tally.deals)
        for chunk in play(contest, spans, min(processes, contest.deals - tally.deals or 1), records, seated):
            if journal is not None:
                journal.append(chunk)
            tally.add(chunk)
            progress.update(task, completed=tally.deals)


def _onward(context: click.Context) -> str:
    """How the run can go on."""
    if context.params["out"] is None:
        return "with --out DIR they would have been kept"
    words = ["forsale", "arena"]
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if option.name != "resume" and value is not None and value != option.default and value is not False:
            words += [option.opts[0]] if value is True else [option.opts[0], str(value)]
    return f"to go on: {shlex.join([*words, '--resume'])}"


def _show(summary: Summary, as_json: bool) -> None:
    if as_json:
        speed = {standing.bot: standing.decisions_per_second for standing in summary.standings}
        click.echo(json.dumps(to_json(summary) | {"decisions_per_second": speed}, indent=2))
        return
    console = Console(highlight=False)
    console.print(title(summary))
    console.print(standings_table(summary))
    if (matrix := matrix_table(summary)) is not None:
        console.print(matrix)
    for remark in summary.remarks:
        console.print(remark, markup=False)
