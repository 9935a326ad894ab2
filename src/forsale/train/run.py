"""A training run: lessons, snapshots, an average of the weights, exams; kept so that it can go on at any time."""

import copy
import os
import time
from collections.abc import Iterator
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

import numpy as np
import torch

from forsale.arena.files import replace_whole
from forsale.bots.champion.net import WEIGHTS
from forsale.bots.champion.net import Net as Champion
from forsale.bots.champion.weights import from_bytes, to_bytes
from forsale.train import exams, log
from forsale.train.games import Games
from forsale.train.league import all_rules, training_pool
from forsale.train.learning import Learner, Recipe
from forsale.train.net import Net, spread_on
from forsale.train.tables import AGAINST, ALONE, AMONG, ANSWER, PAIR, SELF

CHECKPOINT = "checkpoint.pt"
SNAPSHOTS = "snapshots.pt"
_SAVE_SECONDS = 60.0


class RunError(ValueError):
    """A run that cannot go on, in one sentence."""


class Plan(NamedTuple):
    """What a run does."""

    seed: int = 1
    decisions: float = 10e9
    """To learn from, in all."""
    tables: int = 65536
    pool: int = 20000
    """Scripted bots to learn from."""
    modes: tuple[tuple[int, float], ...] = ((ALONE, 0.4), (AMONG, 0.2), (SELF, 0.15), (AGAINST, 0.25))
    """How many of the tables have which line-ups; those with other nets come last."""
    average: float = 0.999
    """How much of the average of the weights stays, lesson by lesson."""
    snapshot_every: int = 150
    snapshots: int = 8
    exam_every: int = 100
    last_rate: float = 0.1
    """Of the first rate, at the end; the same for the worth of options."""
    against: Path | None = None
    """Weights of a net to find an answer to: it begins as that one, and meets nobody else."""
    watching: bool = True
    """Whether the net is told how the others behave."""
    recipe: Recipe = Recipe()


class Run:
    """A net in training."""

    def __init__(self, plan: Plan, device: str, folder: Path) -> None:
        """A new one, or the one that is kept in the folder."""
        torch.manual_seed(plan.seed)
        torch.set_float32_matmul_precision("high")
        self.plan, self.device, self.folder = plan, device, folder
        net = Net().to(device)
        if plan.against:
            tensors = from_bytes(plan.against.read_bytes())
            Champion(tensors)  # refuses what is no champion
            net.load_state_dict({name: torch.tensor(tensor) for name, tensor in tensors.items()})
        self._other = copy.deepcopy(net)
        self.learner = Learner(net, spread_on(device, plan.watching), plan.recipe, compiled=device == "cuda")
        self.average = copy.deepcopy(net)
        self.snapshots: list[dict[str, Any]] = []
        self.lessons, self.decisions, self.seconds = 0, 0.0, 0.0
        self._exams = exams.against_nets(plan.modes[0][0]) if plan.against else exams.usual()
        self._rng = np.random.default_rng(plan.seed)
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._load()
        self._games = self._new_games()

    def _new_games(self) -> Games:
        """Other deals each time that the run goes on: what lay on the tables is not kept."""
        rules = all_rules()
        plan = self.plan
        modes = np.concatenate([np.full(round(part * plan.tables), mode, np.int32) for mode, part in plan.modes])
        self._others_from = int((~np.isin(modes, (AGAINST, ANSWER, PAIR))).sum())
        kinds = (np.arange(len(modes)) % len(rules)).astype(np.int32)
        pool = np.array(training_pool(plan.pool, plan.seed), np.float32)
        return Games(rules, kinds, modes, pool, plan.seed * 1_000_000 + self.lessons, self.device)

    @property
    def part(self) -> float:
        """How much of the run is done."""
        return min(1.0, self.decisions / self.plan.decisions)

    def lessons_until(self, end: float) -> Iterator[dict[str, Any]]:
        """Learn until the plan is done, or the clock shows `end`; what was seen of each lesson."""
        saved = time.perf_counter()
        while self.part < 1 and time.perf_counter() < end:
            yield self._lesson()
            if time.perf_counter() - saved > _SAVE_SECONDS:
                self.save()
                saved = time.perf_counter()

    def _lesson(self) -> dict[str, Any]:
        began = self._now()
        learner, plan = self.learner, self.plan
        fade = plan.last_rate**self.part
        learner.recipe = plan.recipe._replace(surprise=plan.recipe.surprise * max(fade, 0.3))
        for group in learner.optimiser.param_groups:
            group["lr"] = plan.recipe.rate * fade * min(1.0, (self.lessons + 1) / 20)
        other = self._drawn_snapshot()
        experience = learner.experience(self._games, other, self._others_from)
        played = self._now()
        figures: dict[str, Any] = learner.learn(self._games, *experience)
        learnt = self._now()
        with torch.no_grad():
            weight = max(1 - plan.average, 1 / (self.lessons + 2))
            for mean, now in zip(self.average.parameters(), learner.net.parameters(), strict=True):
                mean.lerp_(now, weight)
        self.lessons += 1
        self.decisions += figures["decisions"]
        if self.lessons % plan.snapshot_every == 0:
            self._snap()
        if self.lessons % plan.exam_every == 0 or self.lessons == 1:
            figures["exams"] = self.examine(self.average)
        self.seconds += self._now() - began
        figures |= {"lesson": self.lessons, "all decisions": self.decisions, "seconds": self.seconds}
        figures |= {"playing": played - began, "learning": learnt - played}
        log.append(self.folder, figures)
        return figures

    def _now(self) -> float:
        """The time, when all that was asked of the device is done."""
        if self.device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()

    def _drawn_snapshot(self) -> Net | None:
        if self.plan.against:
            return self._other
        if not self.snapshots:
            return None
        self._other.load_state_dict(self.snapshots[int(self._rng.integers(len(self.snapshots)))])
        return self._other

    def _snap(self) -> None:
        """Keep the average as it is now; of many, one in the middle makes room, so that early ones stay."""
        kept = {name: value.detach().to("cpu", torch.bfloat16) for name, value in self.average.state_dict().items()}
        self.snapshots.append(kept)
        if len(self.snapshots) > self.plan.snapshots:
            del self.snapshots[int(self._rng.integers(1, len(self.snapshots) - 1))]

    def examine(self, net: Net) -> dict[str, dict[str, float]]:
        """Win shares by exam and group."""
        other = self._other if self.plan.against else None
        return {name: exam.shares(self.learner, net, self.device, other) for name, exam in self._exams.items()}

    def save(self) -> None:
        """Everything that it takes to go on, and the average as a bot takes it: each file whole or not there."""
        kept = {
            "net": self.learner.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.learner.optimiser.state_dict(),
            "lessons": self.lessons,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "plan": self._unlike_others(),
        }
        for name, what in ((SNAPSHOTS, self.snapshots), (CHECKPOINT, kept)):
            torch.save(what, self.folder / f"{name}.new")
            os.replace(self.folder / f"{name}.new", self.folder / name)
        halves = {name: value.half().cpu().numpy() for name, value in self.average.state_dict().items()}
        replace_whole(self.folder / WEIGHTS, to_bytes(halves))

    def _unlike_others(self) -> str:
        """All that makes it this run; how long it is to be may change."""
        return repr(self.plan._replace(decisions=0))

    def _load(self) -> None:
        path = self.folder / CHECKPOINT
        try:
            kept = torch.load(path, map_location=self.device, weights_only=True)
            snapshots = torch.load(self.folder / SNAPSHOTS, map_location="cpu", weights_only=True)
        except (OSError, EOFError, RuntimeError, UnpicklingError) as error:
            raise RunError(f"{path}: damaged: {type(error).__name__}") from None
        if kept["plan"] != self._unlike_others():
            raise RunError(f"{path}: is of another run: {kept['plan']}")
        self.learner.net.load_state_dict(kept["net"])
        self.average.load_state_dict(kept["average"])
        self.learner.optimiser.load_state_dict(kept["optimiser"])
        self.snapshots = snapshots
        self.lessons, self.decisions, self.seconds = kept["lessons"], kept["decisions"], kept["seconds"]
