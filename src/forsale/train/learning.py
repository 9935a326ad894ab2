"""How the net learns: games are played for some steps, looked back on, and learnt from (PPO).

Win shares are what counts. From every position the net says how likely each seat is to win; a decision was good if
that of its seat rose afterwards. Positions of all nets' seats follow each other, so that a look back goes through all.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from forsale.bots.champion.inputs import Spread
from forsale.encoding import MAX_SEATS
from forsale.train.games import Games
from forsale.train.net import Net, Told, told_by
from forsale.train.recipe import Recipe
from forsale.train.steps import Steps, selling
from forsale.train.tables import NET

_COLD = 1e-4
"""So cold that nothing is left to chance, and the logarithms of odds are still numbers."""


class Others(NamedTuple):
    """Another net that plays at some of the tables."""

    net: Net
    tables: slice
    at_a_table: bool = False
    """Whether it plays as a bot does there, or tries things."""


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
    players: Tensor
    """Who took it: see `forsale.train.tables`."""
    done: Tensor
    """Whether the game ended with it, and how:"""
    shares: Tensor
    scores: Tensor


class Played(NamedTuple):
    """Some steps, and how it seems to stand after them: how likely each seat is to win, and with how much."""

    steps: Experience
    chances: Tensor
    money: Tensor


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


def at_a_table(logits: Tensor, masks: Tensor) -> Tensor:
    """As a bot plays there: of bids it makes the likeliest one, and only its houses are drawn."""
    return torch.where(selling(masks)[:, None], logits, logits / _COLD)


def log_of(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, actions[:, None])[:, 0]


class Learner:
    """A net, and what changes it."""

    def __init__(self, net: Net, spread: Spread, recipe: Recipe, compiled: bool = False) -> None:
        """`compiled` takes a while in the beginning and is faster from then on; it needs a C compiler."""
        self.net, self.spread, self.recipe = net, spread, recipe
        self.steps = Steps(net, recipe, compiled)
        if compiled:
            self.spread = torch.compile(spread)
        self.told: Callable[..., Told] = torch.compile(told_by) if compiled else told_by
        turned = torch.compile(_from_first_seat) if compiled else _from_first_seat
        self._from_first_seat: Callable[..., tuple[Tensor, Tensor]] = turned

    @torch.no_grad()
    def experience(self, games: Games, others: Sequence[Others]) -> Played:
        """Play on, with the others where they are to act."""
        steps = []
        for _ in range(self.recipe.steps):
            inputs = self.spread(games.rows)
            players, to_act = games.players, games.to_act.clone()
            told = self._told_by_all(inputs, games, players == NET, others)
            actions = drawn(told.logits)
            before = (inputs, games.masks.clone(), actions, log_of(told.logits, actions))
            seen = self._from_first_seat(told, to_act, games.seats_at)
            team = games.nets.clone() if self.recipe.together else functional.one_hot(to_act, MAX_SEATS).bool()
            games.proceed(actions)
            after = (games.done.clone(), games.shares.clone(), games.scores.clone())
            steps.append(Experience(*before, *seen, to_act, team, players, *after))
        told = self._told_by_all(self.spread(games.rows), games, games.players == NET, others)
        seen = self._from_first_seat(told, games.to_act, games.seats_at)
        return Played(Experience(*map(torch.stack, zip(*steps, strict=True))), *seen)

    def _told_by_all(self, inputs: Tensor, games: Games, ours: Tensor, others: Sequence[Others]) -> Told:
        """What the net that plays there says of each position."""
        told = self.told(self.net, inputs, games.masks, games.seats_at)
        for net, tables, plays_at_a_table in others:
            masks = games.masks[tables]
            theirs = self.told(net, inputs[tables], masks, games.seats_at[tables])
            if plays_at_a_table:
                theirs = theirs._replace(logits=at_a_table(theirs.logits, masks))
            for all_said, said in zip(told, theirs, strict=True):
                all_said[tables] = torch.where(ours[tables, None], all_said[tables], said)
        return told

    @torch.no_grad()
    def look_back(self, all_played: Played) -> tuple[Tensor, Tensor, Tensor]:
        """For each decision: how much better it went than it seemed; who won, and with how much, as far as is known."""
        played, chances, money = all_played
        wins, gains = torch.empty_like(played.chances), torch.empty_like(played.money)
        next_chances, next_money, win, gain = chances, money, chances, money
        kept = self._kept_of_later(played)
        for step in reversed(range(len(played.done))):
            done, keep = played.done[step][:, None], kept[step][:, None]
            win = torch.where(done, played.shares[step], next_chances.lerp(win, keep))
            gain = torch.where(done, played.scores[step] / 100, next_money.lerp(gain, keep))
            wins[step], gains[step] = win, gain
            next_chances, next_money = played.chances[step], played.money[step]
        return ((wins - played.chances) * played.team).sum(-1), wins, gains

    def _kept_of_later(self, played: Experience) -> Tensor:
        """How much of what came after each step counts: all of it, while others choose in the same sale."""
        kept = torch.full(played.done.shape, self.recipe.decay, device=played.done.device)
        sales = selling(played.masks)
        # Seats choose in their order; the next sale begins with a lower one, or the same.
        same_sale = sales[:-1] & sales[1:] & (played.to_act[1:] > played.to_act[:-1])
        kept[:-1][same_sale] = 1
        return kept

    def learn(self, games: Games, all_played: Played, taken: Tensor, magnet: Net | None = None) -> dict[str, float]:
        """Change the net so that what went well, of the decisions that it has `taken`, becomes more likely.

        Returns figures for the log.
        """
        better, wins, gains = self.look_back(all_played)
        played = all_played.steps
        seats, wary = (values.expand(len(played.done), -1) for values in (games.seats_at, games.wary))
        wins, gains = to_seat(wins, played.to_act, seats), to_seat(gains, played.to_act, seats)
        kept = taken.flatten().nonzero()[:, 0]
        flat = [values.flatten(0, 1) for values in (*played[:4], better, wins, gains, seats, wary)]
        flat.append(_pulling(magnet, flat[0], flat[1], flat[-2], flat[-1]))
        scale = flat[4][kept].std() + 1e-6
        size = min(self.recipe.portion, len(kept))
        figures: list[Tensor] = []
        for _ in range(self.recipe.rounds):
            order = kept[torch.randperm(len(kept), device=kept.device)][: len(kept) // size * size]
            figures += [self.steps.take(flat, portion, scale) for portion in order.split(size)]
        loss, entropy, in_sales, moved, clipped = torch.stack(figures).mean(0).tolist()
        return {
            "who wins": loss,
            "options": entropy,
            "options in sales": in_sales,
            "moved": moved,
            "clipped": clipped,
            "spread": scale.item(),
            "decisions": float(len(kept)),
        }


def _from_first_seat(told: Told, seat: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
    """Chances to win, and scores, in the order of the table."""
    return from_seat(told.seats.softmax(-1), seat, count), from_seat(told.scores, seat, count)


@torch.no_grad()
def _pulling(magnet: Net | None, inputs: Tensor, masks: Tensor, seats: Tensor, wary: Tensor) -> Tensor:
    """The logarithm of how likely each action is, as the magnet has it, in the sales where it pulls."""
    logs = torch.zeros(masks.shape, dtype=torch.bfloat16, device=masks.device)
    if magnet is not None:
        where = (wary & selling(masks)).nonzero()[:, 0]
        logs[where] = told_by(magnet, inputs[where], masks[where], seats[where]).logits.log_softmax(-1).bfloat16()
    return logs
