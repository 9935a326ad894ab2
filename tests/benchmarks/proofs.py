"""What tests of the proof share."""

from pathlib import Path

from benchmarks.proof import playing
from benchmarks.proof.cases import CHAMPION, Case
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Cast, Figure
from forsale.bots.champion.net import WEIGHTS

OWN = Cast({})
SHIPPED = Path(playing.__file__).parents[2] / "src" / "forsale" / "bots" / "champion" / WEIGHTS


def result(case: Case, value: float, digest: str = "new") -> Result:
    return Result(case, {CHAMPION: digest}, {"share": Figure(value, value - 0.02, value + 0.02)})
