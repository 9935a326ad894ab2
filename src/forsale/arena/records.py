"""The games of a contest as records, a file for each."""

from pathlib import Path

from forsale.arena.contest import Contest
from forsale.arena.files import replace_whole
from forsale.arena.playing import Played, written


def keep(contest: Contest, folder: Path, played: Played) -> None:
    """Write a game down. The same game again is the same file with the same content."""
    variant = [contest.variant] if contest.variant else []
    name = [contest.rules.edition, str(contest.seats), *variant, f"seed{contest.seed}", f"deal{played.deal:06}"]
    name += [f"line-up{played.line_up + 1:03}", f"rotation{played.rotation + 1}"]
    table = f"arena, deal {played.deal}, line-up {played.line_up + 1}, rotation {played.rotation + 1}"
    replace_whole(folder / f"{'-'.join(name)}.fsr", written(played.end, played.names, played.secret, table).to_bytes())
