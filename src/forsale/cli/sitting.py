"""One game of a person against bots: whose turn it is, what is told, what is asked."""

from collections.abc import Sequence
from random import Random

from rich.text import Text

from forsale import view
from forsale.bots import Bot
from forsale.cli.asking import Unclear, action_from, bids_in, is_jump
from forsale.cli.cast import Cast
from forsale.cli.help import help_page
from forsale.cli.screen import choices, position
from forsale.cli.telling import told
from forsale.cli.terminal import Terminal
from forsale.game import Action, Bid, IllegalAction, State, apply, legal_actions
from forsale.view import Earlier, View

PERSON = 0
"""The person's seat."""


class Left(Exception):
    """The person wants to quit."""


class Sitting:
    """Plays the game to its end. Whatever the person sees comes from the view of their seat."""

    def __init__(
        self,
        state: State,
        cast: Cast,
        rivals: Sequence[Bot],
        secret: bytes,
        tracker: bool,
        terminal: Terminal,
        earlier: tuple[Earlier, ...] = (),
    ) -> None:
        self.cast = cast
        self.terminal = terminal
        self._state = state
        self._tracker = tracker
        self._earlier = earlier
        self._told = 0
        self._bots = dict(enumerate(rivals, PERSON + 1))
        self._rngs = {seat: Random(f"{secret.hex()} {seat}") for seat in self._bots}

    @property
    def view(self) -> View:
        return view.of(self._state, PERSON, self._tracker)

    @property
    def remembered(self) -> Earlier:
        """The game, once it is over, for another one in which everyone keeps their seat."""
        return view.remembered(self._state, tuple(range(self._state.rules.seats)))

    def play(self) -> None:
        """Raises `Left`, `EOFError` or `KeyboardInterrupt` when the person goes; the game stays as it was."""
        self._tell()
        while to_act := self._state.to_act:
            # The last seat first: in a sale all rivals have chosen by the time that the person is asked.
            seat = max(to_act)
            if seat == PERSON:
                self._ask_person()
            else:
                self._ask_bot(seat)
            self._tell()

    def _tell(self) -> None:
        """Print the events that the person has not been told yet."""
        history = self.view.history
        for event in history[self._told :]:
            sentence = told(event, self.cast)
            if sentence is not None:
                self.terminal.show(sentence)
        self._told = len(history)

    def _ask_bot(self, seat: int) -> None:
        legal = legal_actions(self._state, seat)
        seen = view.of(self._state, seat, self._tracker, self._earlier)
        action = self._bots[seat].choose(seen, legal, self._rngs[seat])
        self._state, _ = apply(self._state, seat, action)

    def _ask_person(self) -> None:
        """Ask until an answer is a legal action, and play it."""
        legal = legal_actions(self._state, PERSON)
        self.terminal.show(position(self.view, self.cast))
        while True:
            self.terminal.show(choices(self.view, self.cast, legal))
            answer = self._answer()
            if answer in ("?", "h", "help"):
                self.terminal.show(help_page(self.view.rules, self.cast), position(self.view, self.cast))
                continue
            try:
                action = action_from(answer, legal)
                if not is_jump(action, legal) or self._confirms(action, legal):
                    self._state, _ = apply(self._state, PERSON, action)
                    return
            except Unclear as error:
                self.terminal.show(Text(str(error)))
            except IllegalAction as error:
                self.terminal.show(Text(f"{error.reason[0].upper()}{error.reason[1:]}."))

    def _confirms(self, action: Action, legal: Sequence[Action]) -> bool:
        assert isinstance(action, Bid)
        question = f"Bid {action.amount}, where {bids_in(legal)[0]} would be enough? y/n > "
        return self._answer(question) in ("y", "yes")

    def _answer(self, prompt: str = "> ") -> str:
        answer = self.terminal.ask(prompt)
        if answer in ("q", "quit"):
            raise Left
        return answer
