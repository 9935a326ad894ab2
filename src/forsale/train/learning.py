"""How the net learns: games are played for some steps, looked back on, and learnt from (PPO).

Win shares are what counts. From every position the net says how likely each seat is to win; a decision was good if
that of its seat rose afterwards. Positions of all nets' seats follow each other, so that a look back goes through all.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from forsale.bots.champion.inputs import Spread
from forsale.encoding import MAX_SEATS
from forsale.train.games import Games
from forsale.train.net import Net, Told
from forsale.train.tables import NET


class Recipe(NamedTuple):
    """The numbers of the method."""

    steps: int = 32
    """Decisions at each table between two lessons."""
    portion: int = 131072
    """Decisions that are learnt from at once."""
    rounds: int = 2
    """How often each is looked at."""
    decay: float = 0.97
    """How much of what came later counts, step by step, in a look back."""
    clip: float = 0.2
    rate: float = 4e-4
    surprise: float = 0.01
    """What a policy that keeps its options open is worth."""
    value: float = 1.0
    money: float = 0.25
    norm: float = 1.0
    together: bool = False
    """Whether the net's seats at a table share what they win."""


class Experience(NamedTuple):
    """Decisions, step after step at many tables."""

    inputs: Tensor
    """Rows, spread out: kept so, as each is looked at several times."""
    masks: Tensor
    actions: Tensor
    logs: Tensor
    """The logarithm of how likely the action was."""
    chances: Tensor
    """Each seat's, from the first seat of the table on, as the net saw them."""
    money: Tensor
    to_act: Tensor
    team: Tensor
    """The seats whose win it is for: the one to act, or all of the net's, if they play together."""
    ours: Tensor
    """Whether it was the net that learns."""
    done: Tensor
    """Whether the game ended with it, and how:"""
    shares: Tensor
    scores: Tensor


def from_seat(values: Tensor, seat: Tensor, count: Tensor) -> Tensor:
    """Values clockwise from a seat, as they are from the first seat on; `count` sit at the table."""
    return _turned(values, -seat, count)


def to_seat(values: Tensor, seat: Tensor, count: Tensor) -> Tensor:
    """The other way round."""
    return _turned(values, seat, count)


def _turned(values: Tensor, by: Tensor, count: Tensor) -> Tensor:
    """So many places around the table; where nobody sits, all stays."""
    places = torch.arange(MAX_SEATS, device=values.device)
    around = (places + by[..., None]) % count[..., None]
    return values.gather(-1, torch.where(places < count[..., None], around, places))


def drawn(logits: Tensor) -> Tensor:
    """An action each, as often as the logits say."""
    return (logits - torch.empty_like(logits).exponential_().log()).argmax(-1)


def log_of(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, actions[:, None])[:, 0]


class Learner:
    """A net, and what changes it."""

    def __init__(self, net: Net, spread: Spread, recipe: Recipe, compiled: bool = False) -> None:
        """`compiled` takes a while in the beginning and is faster from then on; it needs a C compiler."""
        self.net, self.spread, self.recipe = net, spread, recipe
        self.optimiser = torch.optim.Adam(net.parameters(), recipe.rate, eps=1e-5, fused=compiled)
        if compiled:
            self.spread = torch.compile(spread)
        self.told: Callable[..., Told] = torch.compile(_told) if compiled else _told
        self._loss: Callable[..., tuple[Tensor, Tensor]] = torch.compile(_loss) if compiled else _loss

    @torch.no_grad()
    def experience(self, games: Games, other: Net | None, others_from: int) -> tuple[Experience, Tensor, Tensor]:
        """Play on. At the tables from `others_from` on, `other` may be to act too.

        Also how likely each seat is to win after all that, and with how much, as it seems.
        """
        steps = []
        for _ in range(self.recipe.steps):
            inputs = self.spread(games.rows)
            told = self.told(self.net, inputs, games.masks, games.seats_at)
            logits = told.logits
            players, to_act = games.players, games.to_act.clone()
            if other is not None and others_from < games.count:
                last = slice(others_from, None)
                theirs = self.told(other, inputs[last], games.masks[last], games.seats_at[last]).logits
                ours = (players[last] == NET)[:, None]
                logits = torch.cat([logits[:others_from], torch.where(ours, logits[last], theirs)])
            actions = drawn(logits)
            before = (inputs, games.masks.clone(), actions, log_of(logits, actions))
            chances = from_seat(told.seats.softmax(-1), to_act, games.seats_at)
            money = from_seat(told.scores, to_act, games.seats_at)
            team = games.nets.clone() if self.recipe.together else functional.one_hot(to_act, MAX_SEATS).bool()
            games.proceed(actions)
            after = (games.done.clone(), games.shares.clone(), games.scores.clone())
            steps.append(Experience(*before, chances, money, to_act, team, players == NET, *after))
        told = self.told(self.net, self.spread(games.rows), games.masks, games.seats_at)
        rest = [from_seat(values, games.to_act, games.seats_at) for values in (told.seats.softmax(-1), told.scores)]
        return Experience(*map(torch.stack, zip(*steps, strict=True))), *rest

    @torch.no_grad()
    def look_back(self, played: Experience, chances: Tensor, money: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """For each decision: how much better it went than it seemed; who won, and with how much, as far as is known."""
        decay = self.recipe.decay
        wins, gains = torch.empty_like(played.chances), torch.empty_like(played.money)
        next_chances, next_money, win, gain = chances, money, chances, money
        for step in reversed(range(len(played.done))):
            done = played.done[step][:, None]
            win = torch.where(done, played.shares[step], decay * win + (1 - decay) * next_chances)
            gain = torch.where(done, played.scores[step] / 100, decay * gain + (1 - decay) * next_money)
            wins[step], gains[step] = win, gain
            next_chances, next_money = played.chances[step], played.money[step]
        return ((wins - played.chances) * played.team).sum(-1), wins, gains

    def learn(self, games: Games, played: Experience, chances: Tensor, money: Tensor) -> dict[str, float]:
        """Change the net so that what went well becomes more likely. Returns figures for the log."""
        better, wins, gains = self.look_back(played, chances, money)
        seats = games.seats_at.expand(len(played.done), -1)
        wins, gains = to_seat(wins, played.to_act, seats), to_seat(gains, played.to_act, seats)
        kept = played.ours.flatten().nonzero()[:, 0]
        flat = [
            values.flatten(0, 1)
            for values in (played.inputs, played.masks, played.actions, played.logs, better, wins, gains, seats)
        ]
        scale = flat[4][kept].std() + 1e-6
        size = min(self.recipe.portion, len(kept))
        figures: list[Tensor] = []
        for _ in range(self.recipe.rounds):
            order = kept[torch.randperm(len(kept), device=kept.device)][: len(kept) // size * size]
            figures += [self._lesson(*(values[portion] for values in flat), scale) for portion in order.split(size)]
        loss, entropy, moved, clipped = torch.stack(figures).mean(0).tolist()
        return {
            "who wins": loss,
            "options": entropy,
            "moved": moved,
            "clipped": clipped,
            "spread": scale.item(),
            "decisions": float(len(kept)),
        }

    def _lesson(self, *taken: Tensor) -> Tensor:
        # What fades is given apart: what is compiled for the rest then stays the same.
        loss, figures = self._loss(
            self.net, self.recipe._replace(surprise=0), torch.tensor(self.recipe.surprise), *taken
        )
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.norm)
        self.optimiser.step()
        return figures


def _told(net: Net, inputs: Tensor, masks: Tensor, seats: Tensor) -> Told:
    """What a net says, in half the precision where that is faster."""
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=inputs.is_cuda):
        return net.tell(inputs, masks, seats)


def _loss(
    net: Net,
    recipe: Recipe,
    surprise: Tensor,
    inputs: Tensor,
    masks: Tensor,
    actions: Tensor,
    logs: Tensor,
    better: Tensor,
    wins: Tensor,
    gains: Tensor,
    seats: Tensor,
    scale: Tensor,
) -> tuple[Tensor, Tensor]:
    """What is to become smaller, and figures for the log."""
    told = _told(net, inputs, masks, seats)
    chances = told.logits.log_softmax(-1)
    ratio = (chances.gather(-1, actions[:, None])[:, 0] - logs).exp()
    gain = better / scale
    policy = -torch.min(ratio * gain, ratio.clamp(1 - recipe.clip, 1 + recipe.clip) * gain).mean()
    entropy = -(chances.exp() * chances).sum(-1).mean()
    winning = -(wins * told.seats.log_softmax(-1)).sum(-1).mean()
    here = torch.arange(MAX_SEATS, device=seats.device) < seats[:, None]
    money = (functional.smooth_l1_loss(told.scores, gains, reduction="none") * here).sum(-1).mean()
    loss = policy - surprise * entropy + recipe.value * winning + recipe.money * money
    with torch.no_grad():
        moved = ((ratio - 1) - ratio.log()).mean()
        clipped = ((ratio - 1).abs() > recipe.clip).float().mean()
        figures = torch.stack([winning, entropy, moved, clipped])
    return loss, figures
