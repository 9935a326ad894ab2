"""The tables of a training run, with their numbers where the net can read them."""

from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from forsale.bots.champion import habits, told
from forsale.encoding import ACTIONS, MAX_SEATS
from forsale.scalar import layout
from forsale.train.league import Numbers
from forsale.train.tables import AMONG_NETS, EDITION, MODE, NET, SETTINGS


class Games:
    """Tables side by side on a device, and what they tell."""

    def __init__(self, rules: Numbers, kinds: Numbers, modes: Numbers, pool: Numbers, seed: int, device: str) -> None:
        """`kinds` and `modes` say for each table which of the `rules` it has and how its line-ups are made."""
        self.device, self.count, self._seed = device, len(kinds), np.uint64(seed)
        self._gpu = device == "cuda"
        self._rules = self._tensor(rules)
        self._pool = self._tensor(pool)
        self._states = self._fields(layout.LENGTH, torch.int32)
        self._decks = self._fields(layout.DECKS_LENGTH, torch.int8)
        self._watched = self._fields(habits.LENGTH, torch.int32)
        self._settings = self._fields(SETTINGS, torch.int32)
        self._seats = self._fields(MAX_SEATS, torch.int8)
        self._members = self._fields(MAX_SEATS, torch.int32)
        for field, values in ((EDITION, kinds), (MODE, modes)):
            self._field(self._settings, field).copy_(self._tensor(values))
        self.seats_at = self._rules[self._tensor(kinds).long(), layout.SEATS].long()
        """How many sit at each table."""
        self.wary = self._tensor(np.isin(modes, AMONG_NETS))
        """Where other nets sit, which might learn what to expect."""
        self.done = torch.zeros(self.count, dtype=torch.bool, device=device)
        self.shares = torch.zeros((self.count, MAX_SEATS), device=device)
        self.scores = torch.zeros((self.count, MAX_SEATS), dtype=torch.int16, device=device)
        self.rows = torch.zeros((self.count, told.ROW), dtype=torch.int16, device=device)
        self.masks = torch.zeros((self.count, ACTIONS), dtype=torch.bool, device=device)
        self._run("begin_all")
        self.proceed(torch.full((self.count,), -1, dtype=torch.int64, device=device))

    @property
    def to_act(self) -> Tensor:
        """The seat that is asked at each table."""
        return self._field(self._states, layout.TO_ACT).long()

    @property
    def players(self) -> Tensor:
        """Who plays in it: see `forsale.train.tables`."""
        seats = self._seats if self._gpu else self._seats.T
        return seats.gather(0, self.to_act[None])[0]

    @property
    def nets(self) -> Tensor:
        """Which seats of each table are the net's that learns."""
        return (self._seats.T if self._gpu else self._seats) == NET

    def proceed(self, actions: Tensor) -> None:
        """Play an action at each table, and go on until a net is to act again."""
        self._run("proceed_all", self._shown(actions), *self._telling)

    def _fields(self, fields: int, kind: torch.dtype) -> Tensor:
        shape = (fields, self.count) if self._gpu else (self.count, fields)
        return torch.zeros(shape, dtype=kind, device=self.device)

    def _field(self, lying: Tensor, field: int) -> Tensor:
        return lying[field] if self._gpu else lying[:, field]

    def _tensor(self, values: Numbers) -> Tensor:
        return torch.as_tensor(values, device=self.device)

    def _run(self, name: str, *more: Any) -> None:
        if self._gpu:
            from forsale.train import gpu

            gpu.launched(getattr(gpu, name), self.count)(*self._given, self._seed, *more)
        else:
            from forsale.train import cpu

            getattr(cpu, name)(*self._given, self._seed, *more)

    @cached_property
    def _given(self) -> list[Any]:
        """What lies on the tables, as compiled functions take it."""
        lying = (self._states, self._decks, self._rules, self._watched, self._settings, self._seats, self._members)
        return list(map(self._shown, (*lying, self._pool)))

    @cached_property
    def _telling(self) -> list[Any]:
        """Where they write what happened and what is told."""
        return list(map(self._shown, (self.done, self.shares, self.scores, self.rows, self.masks)))

    def _shown(self, values: Tensor) -> Any:
        if not self._gpu:
            return values.numpy()
        from forsale.train import gpu

        return gpu.shown(values)
