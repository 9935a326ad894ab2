"""The game with its chance nodes, for OpenSpiel, as `python_for_sale`.

>>> import pyspiel
>>> from forsale.envs import spiel
>>> game = pyspiel.load_game("python_for_sale(edition=classic,players=3)")
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True
>>> [state.action_to_string(seat) for seat in state.legal_actions()]
['first A', 'first B', 'first C']

Importing this module registers the game. Parameters are `edition` (an id, or the path of a .toml file), `players`,
`variant` (empty for none) and `first` (the first seat; -1 leaves it to chance). There is no OpenSpiel for Windows.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError:
    raise ImportError(
        "forsale.envs.spiel needs OpenSpiel, which there is not for Windows: pip install forsale[envs]"
    ) from None

from forsale import editions, encoding, view
from forsale.envs import text, turns
from forsale.envs.turns import Setup
from forsale.game import BUYING, OVER, Bid, Decks, DecksError, Sell, State, legal_actions, outcome, seat_letter
from forsale.view import View

__all__ = ["ForSaleGame", "ForSaleObserver", "ForSaleState"]

_BY_CHANCE = -1
_GAME_TYPE = pyspiel.GameType(
    short_name="python_for_sale",
    long_name="For Sale",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=editions.MAX_SEATS,
    min_num_players=editions.MIN_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"edition": editions.DEFAULT, "players": 4, "variant": "", "first": _BY_CHANCE},
)


@dataclass(frozen=True, slots=True)
class _Moment:
    """How far a game has come. Decks hold the cards that chance has turned up, and grow with each."""

    setup: Setup
    first: int | None
    state: State
    latest: tuple[State, int] | None = None
    """The latest action, as an index, and the position in which it was played."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Moment":
        # OpenSpiel copies states all the time, and this one is never changed.
        return self

    def chances(self) -> Counter[int]:
        """What chance may bring now, and how often each is still there; nothing where a seat is asked."""
        if self.state.phase is OVER or turns.asked(self.state) is not None:
            return Counter()
        rules, decks = self.setup.rules, self.state.decks
        if self.first is None:
            return Counter(range(rules.seats))
        if self.state.phase is BUYING:
            return Counter(rules.houses) - Counter(decks.houses)
        return Counter(rules.cheques) - Counter(decks.cheques)

    def after_chance(self, result: int) -> "_Moment":
        """With a first seat, or with one card more."""
        if self.first is None:
            return replace(self, first=result)
        decks = self.state.decks
        if self.state.phase is BUYING:
            decks = replace(decks, houses=(*decks.houses, result))
        else:
            decks = replace(decks, cheques=(*decks.cheques, result))
        if self.latest is None:
            return replace(self, state=self.setup.open(decks, self.first))
        # The action that ended the latest auction or sale is played again: with a card more, the rules may know the
        # next market.
        before, index = self.latest
        return replace(self, state=turns.play(before._replace(decks=decks), index))

    def after(self, index: int) -> "_Moment":
        """With an action of the seat that is asked."""
        return replace(self, state=turns.play(self.state, index), latest=(self.state, index))


class ForSaleGame(pyspiel.Game):  # type: ignore[misc]
    """The game of one setup. Utility is a seat's share of the victory, less the share that all have before the game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises `EditionError`, `EncodingError` or `DecksError` for parameters that cannot be played."""
        params = {**_GAME_TYPE.parameter_specification, **(params or {})}
        setup = Setup(params["edition"], params["players"], params["variant"] or None)
        first = None if params["first"] == _BY_CHANCE else params["first"]
        # Without a card there is no market, and then nothing tells which seat is first.
        nothing = Decks((), (), partial=True)
        self._start = _Moment(setup, first, setup.open(nothing, 0 if first is None else first))
        super().__init__(_GAME_TYPE, _game_info(setup), params)

    def new_initial_state(self) -> "ForSaleState":
        """Before the first card."""
        return ForSaleState(self, self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ForSaleObserver":
        """What a seat sees: with perfect recall a string of all that it saw, else the numbers of `forsale.encoding`."""
        return ForSaleObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """The first seat, and every card of both decks."""
        return 1 + 2 * self._start.setup.rules.deck_size


def _game_info(setup: Setup) -> Any:
    rules = setup.rules
    # In an auction each bid is above the one before, and all seats but one pass.
    longest_auction = max(0, rules.coins - rules.lowest_bid + 1) + rules.seats - 1
    return pyspiel.GameInfo(
        num_distinct_actions=encoding.ACTIONS,
        max_chance_outcomes=max(*rules.houses, *rules.cheques, rules.seats - 1) + 1,
        num_players=rules.seats,
        min_utility=-1 / rules.seats,
        max_utility=1 - 1 / rules.seats,
        utility_sum=0.0,
        max_game_length=rules.auctions * longest_auction + rules.deck_size,
    )


class ForSaleState(pyspiel.State):  # type: ignore[misc]
    """A position, with everything in it: what a seat may know of it is for the observer to say."""

    def __init__(self, game: ForSaleGame, moment: _Moment) -> None:
        super().__init__(game)
        self._moment = moment

    def current_player(self) -> int:
        """The seat that is asked, or chance, or nobody at the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = turns.asked(self._moment.state)
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._moment.state.phase is OVER

    def returns(self) -> list[float]:
        """By seat, once the game is over."""
        end = outcome(self._moment.state)
        return [0.0] * self.num_players() if end is None else [*turns.rewards(end)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """First seats, or the numbers on the cards that may be turned up next."""
        chances = self._moment.chances()
        return [(result, number / chances.total()) for result, number in sorted(chances.items())]

    def seen_by(self, seat: int) -> View:
        """What a seat may know."""
        return view.of(self._moment.state, seat)

    def _legal_actions(self, player: int) -> list[int]:
        return [encoding.to_index(action) for action in legal_actions(self._moment.state, player)]

    def _apply_action(self, action: int) -> None:
        chances = self._moment.chances()
        if not chances:
            self._moment = self._moment.after(action)
        elif action in chances:
            self._moment = self._moment.after_chance(action)
        else:
            raise DecksError(f"chance: expected one of {', '.join(map(str, sorted(chances)))}, got {action}")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if self._moment.first is None:
                return f"first {seat_letter(action)}"
            return f"house {action}" if self._moment.state.phase is BUYING else f"cheque {action}"
        match encoding.from_index(action):
            case Bid(amount):
                return f"bid {amount}"
            case Sell(house):
                return f"sell {house}"
        return "pass"

    def __str__(self) -> str:
        moment = self._moment
        decks = moment.state.decks
        first = [] if moment.first is None else [f"first {seat_letter(moment.first)}"]
        cards = f"houses {' '.join(map(str, decks.houses))}; cheques {' '.join(map(str, decks.cheques))}"
        return "; ".join([*first, cards, text.story(moment.state.history)])


class ForSaleObserver:
    """Observes for one seat at a time, into `tensor`, whose parts `dict` has by their names, and as a string."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"expected no parameters for an observation, got {params}")
        one_seat = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (one_seat and iig_obs_type.public_info):
            raise ValueError("expected all that a single player sees to be observed")
        self._recalls = iig_obs_type.perfect_recall
        # All that a seat ever saw has no fixed length, so that there is only a string of it.
        self.tensor = None if self._recalls else np.zeros(encoding.LENGTH, np.float32)
        self.dict = {} if self.tensor is None else {name: self.tensor[part] for name, part in encoding.SLICES.items()}

    def set_from(self, state: ForSaleState, player: int) -> None:
        """Write what the seat sees now."""
        if self.tensor is not None:
            self.tensor[:] = encoding.encode(state.seen_by(player))

    def string_from(self, state: ForSaleState, player: int) -> str:
        """All that the seat saw so far, or the position as it sees it."""
        seen = state.seen_by(player)
        if self._recalls:
            return f"seat {seat_letter(player)}; {text.story(seen.history)}"
        return f"seat {seat_letter(player)} of {text.position(seen)}"


pyspiel.register_game(_GAME_TYPE, ForSaleGame)
