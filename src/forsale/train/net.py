"""The net as PyTorch trains it. `forsale.bots.champion.net` plays it with numpy alone."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from forsale.bots.champion.inputs import WIDTH, Spread
from forsale.encoding import ACTIONS, MAX_SEATS

HIDDEN = 512
_NEVER = -1e9
"""The logarithm of the odds of what cannot be: far below any that a net gives, as those drift."""


class Told(NamedTuple):
    """What the net says of positions."""

    logits: Tensor
    """By action, illegal ones at the bottom."""
    seats: Tensor
    """Logits of each seat's chance to win, clockwise from the seat to act."""
    scores: Tensor
    """What each seat will have in the end, in hundreds."""


class Net(nn.Module):
    """Three layers, the later ones added to what came before; then what to do, who wins, and with how much."""

    def __init__(self, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.inner = nn.ModuleList([nn.Linear(WIDTH, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)])
        self.act = nn.Linear(hidden, ACTIONS)
        self.win = nn.Linear(hidden, MAX_SEATS)
        self.score = nn.Linear(hidden, MAX_SEATS)
        for head in (self.act, self.win, self.score):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, inputs: Tensor) -> Tensor:
        """What the heads are given."""
        hidden = functional.relu(self.inner[0](inputs))
        for layer in list(self.inner)[1:]:
            hidden = hidden + functional.relu(layer(_normal(hidden)))
        return _normal(hidden)

    def tell(self, inputs: Tensor, masks: Tensor, seats: Tensor) -> Told:
        """Of positions that are spread out: `masks` say what is legal, `seats` how many sit at the table."""
        heads = (self.act, self.win, self.score)
        # All at once: a GPU takes nearly as long for a narrow head as for all of them.
        weight, bias = torch.cat([head.weight for head in heads]), torch.cat([head.bias for head in heads])
        said = functional.linear(self(inputs), weight, bias).float()
        actions, wins, scores = said.split([head.out_features for head in heads], -1)
        empty = torch.arange(MAX_SEATS, device=seats.device) >= seats[:, None]
        return Told(actions.masked_fill(~masks, _NEVER), wins.masked_fill(empty, _NEVER), scores)


def _normal(hidden: Tensor) -> Tensor:
    """As large as 1, on average; in the precision that it came in, as this is most of the work."""
    return hidden * torch.rsqrt((hidden * hidden).mean(-1, keepdim=True) + 1e-5).to(hidden.dtype)


def told_by(net: Net, inputs: Tensor, masks: Tensor, seats: Tensor) -> Told:
    """What a net says, in half the precision where that is faster."""
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=inputs.is_cuda):
        return net.tell(inputs, masks, seats)


def stored(net: Net) -> dict[str, Tensor]:
    """Its weights as they are now, in half the precision, off the device."""
    return {name: value.detach().to("cpu", torch.bfloat16) for name, value in net.state_dict().items()}


def spread_on(device: str, watching: bool) -> Spread:
    """How rows are spread out there."""
    kind = torch.bfloat16 if device == "cuda" else torch.float32

    def array(values: object) -> Tensor:
        return torch.as_tensor(values, device=device)

    return Spread(array, lambda parts: torch.cat([part.to(kind) for part in parts], -1), watching)
