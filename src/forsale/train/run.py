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
from forsale.train.adversaries import Adversaries
from forsale.train.events import Events
from forsale.train.games import Games
from forsale.train.league import all_rules, training_pool
from forsale.train.learning import Learner, Others
from forsale.train.net import Net, spread_on, stored
from forsale.train.recipe import Recipe, answering, warmed_up
from forsale.train.tables import AGAINST, ALONE, AMONG, ANSWER, NET, RAIDED, SELF

CHECKPOINT = "checkpoint.pt"
_SAVE_SECONDS = 60.0
_EIGHTH = 8
_ADVERSARY_PORTION = 8192
"""It has few decisions to learn from at once."""


class RunError(ValueError):
    """A run that cannot go on, in one sentence."""


class Plan(NamedTuple):
    """What a run does."""

    seed: int = 1
    decisions: float = 10e9
    """To learn from, in all."""
    tables: int = 131072
    pool: int = 8192
    """Scripted bots to learn from."""
    modes: tuple[tuple[int, float], ...] = ((ALONE, 0.3), (AMONG, 0.1), (SELF, 0.2), (AGAINST, 0.1), (RAIDED, 0.3))
    """How many of the tables have which line-ups, in the order of their numbers."""
    average: float = 0.995
    """How much of the average of the weights stays, lesson by lesson."""
    magnet: float = 0.99
    """The same of a quicker average, which holds the policy back in sales."""
    snapshot_every: int = 150
    snapshots: int = 8
    adversary_life: int = 250
    """Lessons."""
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
        spread, compiled = spread_on(device, plan.watching), device == "cuda"
        self.learner = Learner(net, spread, plan.recipe, compiled)
        self.average = copy.deepcopy(net)
        self.snapshots: list[dict[str, Any]] = []
        self.magnet = copy.deepcopy(net)
        recipe = answering(plan.recipe)._replace(portion=min(plan.recipe.portion, _ADVERSARY_PORTION))
        self.adversaries = Adversaries(net, spread, recipe, plan.adversary_life, compiled)
        self.lessons, self.decisions, self.seconds = 0, 0.0, 0.0
        self._rng = np.random.default_rng(plan.seed)
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._load()
        self._games = self._new_games()
        self._events = Events(folder)

    def _new_games(self) -> Games:
        """Other deals each time that the run goes on: what lay on the tables is not kept."""
        rules = all_rules()
        plan = self.plan
        modes = np.concatenate([np.full(round(part * plan.tables), mode, np.int32) for mode, part in plan.modes])
        self._tables = {mode: slice(*np.searchsorted(modes, (mode, mode + 1)).tolist()) for mode, _ in plan.modes}
        kinds = (np.arange(len(modes)) % len(rules)).astype(np.int32)
        pool = training_pool(plan.pool, plan.seed)
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
        self._fade()
        others, raiders = self._others_now(), self._raiders_now()
        played = learner.experience(self._games, [*others, *raiders])
        told = self._now()
        magnet = self.magnet if plan.recipe.pull else None
        figures: dict[str, Any] = learner.learn(self._games, played, played.steps.players == NET, magnet)
        if raiders:
            figures["adversary: who wins"] = self.adversaries.learn(self._games, played, raiders[-1].tables)
        learnt = self._now()
        self._follow(self.average, plan.average)
        self._follow(self.magnet, plan.magnet)
        self.adversaries.go_on(self.average)
        self.lessons += 1
        self.decisions += figures["decisions"]
        if self.lessons % plan.snapshot_every == 0:
            self._snap()
        if self.lessons % plan.exam_every == 0 or self.lessons == 1:
            figures["exams"] = self.examine()
        self.seconds += self._now() - began
        figures |= {"lesson": self.lessons, "all decisions": self.decisions, "seconds": self.seconds}
        figures |= {"playing": told - began, "learning": learnt - told}
        log.append(self.folder, figures)
        self._events.append(figures)
        return figures

    def _fade(self) -> None:
        """Smaller steps, and less worth in options, as the run goes on."""
        recipe, fade = self.plan.recipe, self.plan.last_rate**self.part
        as_a_rule, in_sales = recipe.surprise
        surprise = (as_a_rule * max(fade, 0.3), in_sales * fade)
        self.learner.steps.fade(recipe.rate * fade * warmed_up(self.lessons), surprise)

    @torch.no_grad()
    def _follow(self, mean: Net, stays: float) -> None:
        """Let an average of the weights follow them. In the beginning faster, so that the first ones do not last: it is
        about that of the last eighth of all lessons then."""
        weight = max(1 - stays, _EIGHTH / (self.lessons + 1 + _EIGHTH))
        for one, now in zip(mean.parameters(), self.learner.net.parameters(), strict=True):
            one.lerp_(now, weight)

    def _now(self) -> float:
        """The time, when all that was asked of the device is done."""
        if self.device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()

    def _others_now(self) -> list[Others]:
        """The net to find an answer to, as it plays at a table; or an earlier self, drawn anew for each lesson."""
        if self.plan.against:
            return [Others(self._other, tables, at_a_table=True) for tables in self._tables.values()]
        if AGAINST not in self._tables or not self.snapshots:
            return []
        self._other.load_state_dict(self.snapshots[int(self._rng.integers(len(self.snapshots)))])
        return [Others(self._other, self._tables[AGAINST])]

    def _raiders_now(self) -> list[Others]:
        return self.adversaries.others(self._tables[RAIDED], self._rng) if RAIDED in self._tables else []

    def _snap(self) -> None:
        """Keep the average as it is now; of many, one in the middle makes room, so that early ones stay."""
        self.snapshots.append(stored(self.average))
        if len(self.snapshots) > self.plan.snapshots:
            del self.snapshots[int(self._rng.integers(1, len(self.snapshots) - 1))]

    def examine(self) -> dict[str, dict[str, float]]:
        """Win shares of the average by exam and group; and of the adversary that learns, against the average."""
        if self.plan.against:
            return {"answers": self._answers(self.plan.modes[0][0], self.average, self._other)}
        found = {name: exam.shares(self.learner, self.average, self.device) for name, exam in exams.usual().items()}
        if RAIDED in self._tables:
            found["answers"] = self._answers(ANSWER, self.adversaries.net, self.average)
        return found

    def _answers(self, mode: int, net: Net, other: Net) -> dict[str, float]:
        return exams.answers(mode).shares(self.learner, net, self.device, other)

    def save(self) -> None:
        """Everything that it takes to go on, and the average as a bot takes it: each file whole or not there."""
        kept = {
            "net": self.learner.net.state_dict(),
            "average": self.average.state_dict(),
            "magnet": self.magnet.state_dict(),
            "steps": self.learner.steps.state(),
            "snapshots": self.snapshots,
            "adversaries": self.adversaries.state(),
            "lessons": self.lessons,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "plan": self._unlike_others(),
        }
        torch.save(kept, self.folder / f"{CHECKPOINT}.new")
        os.replace(self.folder / f"{CHECKPOINT}.new", self.folder / CHECKPOINT)
        halves = {name: value.half().cpu().numpy() for name, value in self.average.state_dict().items()}
        replace_whole(self.folder / WEIGHTS, to_bytes(halves))

    def _unlike_others(self) -> str:
        """All that makes it this run; how long it is to be may change."""
        return repr(self.plan._replace(decisions=0))

    def _load(self) -> None:
        path = self.folder / CHECKPOINT
        try:
            kept = torch.load(path, map_location=self.device, weights_only=True)
        except (OSError, EOFError, RuntimeError, UnpicklingError) as error:
            raise RunError(f"{path}: damaged: {type(error).__name__}") from None
        if kept["plan"] != self._unlike_others():
            raise RunError(f"{path}: is of another run: {kept['plan']}")
        self.learner.net.load_state_dict(kept["net"])
        self.average.load_state_dict(kept["average"])
        self.magnet.load_state_dict(kept["magnet"])
        self.learner.steps.load(kept["steps"])
        self.snapshots = kept["snapshots"]
        self.adversaries.load(kept["adversaries"])
        self.lessons, self.decisions, self.seconds = kept["lessons"], kept["decisions"], kept["seconds"]
