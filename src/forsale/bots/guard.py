"""A bot that can be asked without fear: whatever it does, a legal action comes back, and the game goes on."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from forsale.bots.bot import Bot
from forsale.bots.fault import Fault, Kind, as_text, default_action, short, where_it_broke
from forsale.game import Action
from forsale.view import View

Tell: TypeAlias = Callable[[str], None]
"""Where a sentence about a bot goes."""

_COUNTED: dict[Kind, str] = {
    "crashed": "crashed",
    "late": "too late",
    "illegal": "illegal",
    "out": "after it was given up",
}


class Guarded:
    """A bot, and what it did wrong: a decision that it does not make is played by the default action.

    It is told the first time of each kind, and counted. A bot in this process that never comes back cannot be
    stopped; a program of its own can, and is.
    """

    def __init__(self, name: str, bot: Bot, label: str, character: str, tell: Tell) -> None:
        self.name = name
        """As it was asked for."""
        self.label = label
        """As tables and records call it."""
        self.character = character
        self.decisions = 0
        self.faults: Counter[Kind] = Counter()
        self.first_faults: dict[Kind, str] = {}
        self.bot = bot
        self._tell = tell

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """The bot's choice if it is one of `legal`, the default action otherwise. Raises nothing of the bot's."""
        self.decisions += 1
        try:
            return self._chosen(view, legal, rng)
        except Fault as fault:
            self._note(fault)
        except (Exception, SystemExit) as error:  # a bot that calls sys.exit() has not chosen either
            self._note(Fault("crashed", f"crashed: {short(where_it_broke(error))}"))
        return default_action(legal)

    @property
    def summary(self) -> str:
        """How often the default action was played, and why."""
        counts = ", ".join(f"{count} {_COUNTED[kind]}" for kind, count in self.faults.items())
        return f"{self.faults.total()} of {self.decisions} decisions were played by default: {counts}"

    def report(self, last_words: Sequence[str] = ()) -> None:
        """Tell the summary, if there were faults, with what the bot itself last complained of."""
        if self.faults:
            self._tell("\n  ".join([f"{self.name}: {self.summary}", *last_words]))

    def _chosen(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        choice = self.bot.choose(view, legal, rng)
        if choice not in legal:
            raise Fault("illegal", f"illegal action: {short(as_text(choice, repr))}")
        # The one that we know: that of the bot may only pass for it, as Bid(True) does for Bid(1).
        return legal[legal.index(choice)]

    def _note(self, fault: Fault) -> None:
        self.faults[fault.kind] += 1
        if fault.kind not in self.first_faults:
            self.first_faults[fault.kind] = fault.words
            self._tell(f"{self.name}: {fault}; it passes instead, or sells its lowest house")
