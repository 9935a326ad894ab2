"""`forsale train`: make a champion."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from forsale.cli.files import make_folder

if TYPE_CHECKING:
    from forsale.train.run import Run

_BILLION = 1e9


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the run is kept.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--decisions",
    type=click.FloatRange(min=0, min_open=True),
    default=10,
    show_default=True,
    metavar="BILLIONS",
    help="To learn from, in all.",
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Stop after so long; --resume goes on.")
@click.option("--tables", type=click.IntRange(min=96), default=131072, show_default=True, help="Played side by side.")
@click.option("--device", type=click.Choice(["cuda", "cpu"]), default="cuda", show_default=True)
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Find an answer to the champion with these weights: how far can it be exploited?",
)
@click.option("--pair", is_flag=True, help="With --against: two that play together.")
@click.option("--blind", is_flag=True, help="Without a look at how rivals behave: to see what that is worth.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out.")
def train(
    out: Path,
    seed: int,
    decisions: float,
    minutes: float | None,
    tables: int,
    device: str,
    against: Path | None,
    pair: bool,
    blind: bool,
    resume: bool,
) -> None:
    """Train a champion in a league: against scripted bots, itself and its past.

    A run can be interrupted at any time. It leaves a checkpoint, a log and a learning curve in --out.
    """
    if pair and against is None:
        raise click.ClickException("--pair: expected --against FILE, the champion to find an answer to")
    _need_torch(device)
    from forsale.train.curve import write_curve
    from forsale.train.recipe import Recipe, answering
    from forsale.train.run import CHECKPOINT, Plan, Run, RunError
    from forsale.train.tables import ANSWER, PAIR

    make_folder(out)
    if (out / CHECKPOINT).exists() and not resume:
        raise click.ClickException(f"{out}: there is a run already; --resume goes on with it")
    if resume and not (out / CHECKPOINT).exists():
        raise click.ClickException(f"{out}: there is no run to go on with")
    plan = Plan(seed=seed, decisions=decisions * _BILLION, tables=tables, watching=not blind)
    if against is not None:
        recipe = answering(Recipe(together=pair))
        plan = plan._replace(against=against, modes=((PAIR if pair else ANSWER, 1.0),), recipe=recipe)
    try:
        run = Run(plan, device, out)
    except RunError as error:
        raise click.ClickException(str(error)) from None
    try:
        _learn(run, time.perf_counter() + 60 * minutes if minutes else float("inf"))
    finally:
        run.save()
        write_curve(out)
    click.echo(f"{run.decisions / _BILLION:.2f} billion decisions in {run.seconds / 60:.1f} minutes: {out}")


def _need_torch(device: str) -> None:
    try:
        import torch
    except ImportError:
        raise click.ClickException("forsale train needs PyTorch: pip install 'forsale[train]'") from None
    if device == "cuda" and not torch.cuda.is_available():
        raise click.ClickException("--device cuda: there is no NVIDIA GPU here; --device cpu is slow, for a first look")


def _learn(run: "Run", end: float) -> None:
    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=run.plan.decisions)
        shown = ""
        for lesson in run.lessons_until(end):
            if "exams" in lesson:
                shown = _in_words(lesson["exams"])
                progress.console.print(f"{_so_far(lesson)}: {shown}", highlight=False)
            progress.update(task, completed=run.decisions, description=f"{_so_far(lesson)}: {shown}")


def _so_far(lesson: dict[str, Any]) -> str:
    speed = lesson["decisions"] / (lesson["playing"] + lesson["learning"])
    return f"{lesson['all decisions'] / _BILLION:.2f} billion, {speed / 1e6:.1f} million/s"


def _in_words(exams: dict[str, dict[str, float]]) -> str:
    """How often it wins; and an answer to it."""
    parts = []
    if "copies" in exams:
        copies = exams["copies"]
        worst = min(copies, key=lambda who: copies[who])
        of_a_kind = sum(copies.values()) / len(copies)
        parts.append(f"three of a kind {of_a_kind:.0%}, at worst {copies[worst]:.0%} ({worst})")
    for groups in ("drawn", "mixed", "everywhere", "answers"):
        parts += [f"{who} {share:.0%}" for who, share in exams.get(groups, {}).items()]
    return ", ".join(parts)
