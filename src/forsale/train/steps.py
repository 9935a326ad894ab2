"""Steps of learning: each changes the net a little, by some decisions at once (PPO)."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from forsale.encoding import HOUSE, MAX_SEATS
from forsale.train.net import Net, told_by
from forsale.train.recipe import Recipe

_PLAIN = 20
"""Steps until all is compiled and its memory found, and the next can be recorded."""


class Steps:
    """What changes a net. A GPU would wait for the many small parts of a step to be started one by one, so there one is
    recorded, with the places of its numbers, and played back from then on."""

    def __init__(self, net: Net, recipe: Recipe, compiled: bool) -> None:
        self._net, self._recipe, self._compiled = net, recipe, compiled
        # What fades is a tensor: in a recorded step, as in a compiled one, all else stays as it is.
        device = next(net.parameters()).device
        self._rate = torch.tensor(recipe.rate, device=device)
        self._surprise = torch.tensor(recipe.surprise, device=device)
        self._optimiser = torch.optim.Adam(net.parameters(), self._rate, eps=1e-5, fused=compiled, capturable=compiled)
        self._loss: Callable[..., tuple[Tensor, Tensor]] = torch.compile(_loss) if compiled else _loss
        self._plain = 0
        self._recorded: torch.cuda.CUDAGraph | None = None
        self._given: tuple[Tensor, ...] = ()
        self._figures = torch.empty(0)

    def fade(self, rate: float, surprise: tuple[float, float]) -> None:
        """How large steps are from now on, and what options are worth."""
        self._rate.fill_(rate)
        for place, worth in zip(self._surprise, surprise, strict=True):
            place.fill_(worth)

    def take(self, decisions: Sequence[Tensor], chosen: Tensor, scale: Tensor) -> Tensor:
        """A step by some of the decisions; how much better they went is to be seen beside a `scale`. Returns figures
        for the log."""
        if self._compiled and self._recorded is None and self._plain == _PLAIN:
            self._record(*(values[chosen] for values in decisions), scale.clone())
        if self._recorded is None or len(chosen) != len(self._given[0]):
            self._plain += 1
            return self._step(*(values[chosen] for values in decisions), scale)
        for place, values in zip(self._given[:-1], decisions, strict=True):
            torch.index_select(values, 0, chosen, out=place)
        self._given[-1].copy_(scale)
        self._recorded.replay()
        return self._figures.clone()

    def _record(self, *given: Tensor) -> None:
        """Nothing is done yet: it is written down how it is done to whatever lies in these places then."""
        self._given = given
        self._recorded = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._recorded):
            self._figures = self._step(*self._given)

    def _step(self, *taken: Tensor) -> Tensor:
        loss, figures = self._loss(self._net, self._recipe, self._surprise, *taken)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), self._recipe.norm)
        self._optimiser.step()
        return figures

    def state(self) -> dict[Any, Any]:
        """All that it takes to go on."""
        state: dict[Any, Any] = self._optimiser.state_dict()["state"]
        return state

    def load(self, state: dict[Any, Any]) -> None:
        """Before the first step."""
        self._optimiser.load_state_dict({"state": state, "param_groups": self._optimiser.state_dict()["param_groups"]})
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate


def selling(masks: Tensor) -> Tensor:
    """Whether it is a sale, by what is legal."""
    return masks[..., HOUSE + 1 :].any(-1)


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
    wary: Tensor,
    pulling: Tensor,
    scale: Tensor,
) -> tuple[Tensor, Tensor]:
    """What is to become smaller, and figures for the log."""
    told = told_by(net, inputs, masks, seats)
    chances = told.logits.log_softmax(-1)
    ratio = (chances.gather(-1, actions[:, None])[:, 0] - logs).exp()
    gain = better / scale
    policy = -torch.min(ratio * gain, ratio.clamp(1 - recipe.clip, 1 + recipe.clip) * gain).mean()
    entropy = -(chances.exp() * chances).sum(-1)
    sales = selling(masks)
    foreseen = sales & wary
    open_ = (entropy * torch.where(foreseen, surprise[1], surprise[0])).mean()
    winning = -(wins * told.seats.log_softmax(-1)).sum(-1).mean()
    here = torch.arange(MAX_SEATS, device=seats.device) < seats[:, None]
    money = (functional.smooth_l1_loss(told.scores, gains, reduction="none") * here).sum(-1).mean()
    away = ((chances.exp() * (chances - pulling.float())).sum(-1) * foreseen).mean()
    loss = policy - open_ + recipe.pull * away + recipe.value * winning + recipe.money * money
    with torch.no_grad():
        moved = ((ratio - 1) - ratio.log()).mean()
        clipped = ((ratio - 1).abs() > recipe.clip).float().mean()
        in_sales = (entropy * sales).sum() / sales.sum().clamp(min=1)
        figures = torch.stack([winning, entropy.mean(), in_sales, moved, clipped])
    return loss, figures
