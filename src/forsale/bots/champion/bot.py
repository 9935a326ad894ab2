"""`champion`: a net that has learnt from more than a billion decisions. It watches its rivals, and draws its houses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from forsale.bots.champion import net
from forsale.bots.champion.watching import Watching
from forsale.encoding import from_index, to_index
from forsale.game import SELLING, Action
from forsale.view import View


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the champion thinks of a position. Seats are in the order of the table, from A."""

    policy: Mapping[Action, float]
    """For each legal action, how likely the net holds it to be the one to play; together 1."""
    win_chances: tuple[float, ...]
    """How likely each seat is to win; together 1."""
    scores: tuple[float, ...]
    """What each seat will have in the end, on average."""


class Champion:
    """Bids what the net thinks best. In a sale, where all choose at once, it draws its house by the net's policy: a
    rival that foresaw it would gain. What it remembers of games makes it quicker, and changes nothing else."""

    def __init__(self, own: net.Net | None = None) -> None:
        """`own` is a net of other weights; without it, the one that comes with the package."""
        self._net = own or net.champion()
        self._watching = Watching()

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """The likeliest bid or pass, or any house, each as often as the policy has it."""
        if len(legal) == 1:
            return legal[0]
        logits = self._net.tell(*self._watching.seen(view)).logits
        if view.phase is SELLING:
            return rng.choices(legal, net.softmax(logits)[[to_index(action) for action in legal]].tolist())[0]
        action = from_index(logits.argmax())
        assert action in legal
        return action

    def opinion(self, view: View) -> Opinion:
        """Of a position in which the seat can act. Raises `EncodingError` for others, and for too large an edition."""
        seen = self._watching.seen(view)
        told = self._net.tell(*seen)
        assert view.seat is not None
        clockwise = [(seat - view.seat) % view.rules.seats for seat in range(view.rules.seats)]
        indices = seen.mask.nonzero()[0]
        return Opinion(
            dict(zip(map(from_index, indices), net.softmax(told.logits)[indices].tolist(), strict=True)),
            tuple(told.wins[clockwise].tolist()),
            tuple(told.scores[clockwise].tolist()),
        )
