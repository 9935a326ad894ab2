"""The kernel beside the engine: a batch whose every place is shadowed by a state of `forsale.game`."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

import numpy as np

from forsale import kernel
from forsale.editions import Edition
from forsale.encoding import ACTIONS, from_index, to_index
from forsale.game import BUYING, OVER, SELLING, Action, State, apply, legal_actions, new_game, outcome
from forsale.kernel.cpu import CpuBatch
from forsale.scalar import layout as at

PHASES = {BUYING: at.BUYING, SELLING: at.SELLING, OVER: at.OVER}


class Shadowed:
    """Games of one kind in a batch, and the same games through the engine."""

    def __init__(self, edition: Edition, seats: int, variant: str | None, places: int, seed: int) -> None:
        self.edition, self.seats, self.variant = edition, seats, variant
        batch = kernel.create(edition, seats, places, variant, seed, threads=1)
        assert isinstance(batch, CpuBatch)
        self.batch = batch
        self.rng = Random(f"{edition.id} {seats} {variant} {seed}")
        self.finished = 0
        self.actions = 0
        self.states = [self._begun(place) for place in range(places)]
        self._careful = [self.rng.random() for _ in range(places)]
        self._legal: list[tuple[Action, ...]] = []
        amounts = self.states[0].rules.cheques
        self._cheques = lru_cache(maxsize=20_000)(
            lambda mask: tuple(amounts[place] for place in range(len(amounts)) if mask >> place & 1)
        )
        self._compare()

    def _begun(self, place: int) -> State:
        """The engine's own beginning, from the decks and the first seat that the kernel has dealt."""
        dealt = self.batch.state(place)
        first = int(self.batch.to_act[place])
        state = new_game(self.edition, self.seats, dealt.decks, first, self.variant)
        assert state._replace(history=()) == dealt
        return state

    def step(self) -> None:
        """An action by chance in every place, in the kernel and in the engine; then all is compared."""
        actions = [self._chosen(place) for place in range(len(self.states))]
        seats = self.batch.to_act.tolist()
        self.batch.step(np.array([to_index(action) for action in actions]))
        self.actions += len(actions)
        for place, (seat, action) in enumerate(zip(seats, actions, strict=True)):
            state, _ = apply(self.states[place], seat, action)
            assert bool(self.batch.done[place]) == (state.phase is OVER)
            if state.phase is OVER:
                self._compare_outcome(place, state)
                self.finished += 1
                self._careful[place] = self.rng.random()
                state = self._begun(place)
            self.states[place] = state
        self._compare()

    def _chosen(self, place: int) -> Action:
        """From wild jumps to long auctions of small raises."""
        legal = self._legal[place]
        small = len(legal) > 1 and self.rng.random() < self._careful[place]
        return legal[1] if small else legal[int(self.rng.random() * len(legal))]

    def _compare(self) -> None:
        flags = self.batch.legal_mask()
        rows = self.batch._states.tolist()
        self._legal = [legal_actions(state, row[at.TO_ACT]) for state, row in zip(self.states, rows, strict=True)]
        for place, (state, row) in enumerate(zip(self.states, rows, strict=True)):
            compare_row(state, row, self._cheques)
            assert flags[place].tobytes() == flags_of(self._legal[place])

    def _compare_outcome(self, place: int, state: State) -> None:
        end = outcome(state)
        assert end is not None
        shares = [(seat in end.winners) / len(end.winners) for seat in range(state.rules.seats)]
        assert self.batch.win_shares[place].tolist() == np.array(shares, np.float32).tolist()
        assert tuple(self.batch.scores[place].tolist()) == end.scores
        assert tuple(self.batch.coins[place].tolist()) == state.coins


def compare_row(state: State, row: Sequence[int], cheques: Callable[[int], tuple[int, ...]]) -> None:
    seats = state.rules.seats
    assert row[at.PHASE] == PHASES[state.phase]
    assert row[at.NUMBER] == state.number
    assert row[at.TO_ACT] == (state.bidders[0] if state.bidders else min(state.to_act))
    assert (houses if state.phase is BUYING else cheques)(row[at.MARKET]) == state.market
    assert tuple(row[at.COINS : at.COINS + seats]) == state.coins
    assert row[at.BIDS : at.BIDS + seats] == [-1 if bid is None else bid for bid in state.bids]
    assert row[at.HIGHEST] == (-1 if state.highest_bid is None else state.highest_bid)
    assert [seat for seat in range(seats) if row[at.BIDDING] >> seat & 1] == sorted(state.bidders)
    assert row[at.CHOICES : at.CHOICES + seats] == [choice or 0 for choice in state.choices]
    assert state.rules.deck_size - row[at.HOUSES_SEEN].bit_count() == state.houses_left
    assert state.rules.deck_size - row[at.CHEQUES_SEEN].bit_count() == state.cheques_left
    for seat in range(seats):
        assert houses(row[at.HANDS + seat]) == state.hands[seat]
        assert row[at.MONEY + seat] == sum(state.cheques[seat])
        if state.phase is SELLING:
            assert cheques(row[at.TAKEN + seat]) == tuple(sorted(state.cheques[seat]))


@lru_cache(maxsize=20_000)
def houses(mask: int) -> tuple[int, ...]:
    """The houses of a mask."""
    return tuple(place + 1 for place in range(at.MAX_CARDS) if mask >> place & 1)


def flags_of(legal: Sequence[Action]) -> bytes:
    """What a legal mask must be, flag by flag."""
    flags = bytearray(ACTIONS)
    for action in legal:
        flags[_INDEX[action]] = 1
    return bytes(flags)


_INDEX = {from_index(index): index for index in range(ACTIONS)}


def any_legal(batch: kernel.Batch, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A legal action of each game, by chance."""
    masks = batch.legal_mask()
    assert masks.shape == (batch.games, ACTIONS)
    return np.asarray((masks * rng.random(masks.shape)).argmax(axis=1))


def compare(edition: Edition, seats: int, variant: str | None, games: int, seed: int) -> None:
    """Play so many games, and compare after every single action."""
    shadowed = Shadowed(edition, seats, variant, min(100, games), seed)
    while shadowed.finished < games:
        shadowed.step()
    print(f"{edition.id} {seats} {variant}: {shadowed.finished} games, {shadowed.actions} actions, no difference")
