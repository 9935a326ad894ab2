"""The rules on a row of numbers are plain Python: as such they play the very games that the compiled ones play."""

import numpy as np
import pytest

from forsale import encoding, kernel, view
from forsale.game import legal_actions
from forsale.kernel.cpu import CpuBatch
from forsale.scalar import bits, course, ending, layout, legal, rows, seeing, whole
from tests.games import COMBOS, Combo, combo_game


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_plain_and_compiled_play_the_same_games(combo: Combo) -> None:
    """The same deals, the same chance, action by action, to the same end."""
    batch = kernel.create(combo.edition, combo.seats, 2, combo.variant, seed=9, threads=1)
    assert isinstance(batch, CpuBatch)
    r = batch._rules.tolist()
    for place in range(2):
        batch.reset()
        s, d = [0] * layout.LENGTH, [0] * layout.DECKS_LENGTH
        whole.renew(s, d, r, 9, place, 0)
        while s[layout.PHASE] != layout.OVER:
            assert batch._states[place, : layout.SHOWN].tolist() == s[: layout.SHOWN]
            assert batch._decks[place].tolist() == d
            flags, row = [False] * encoding.ACTIONS, [0] * encoding.LENGTH
            legal.write_mask(s, r, flags)
            seeing.observe(s, r, s[layout.TO_ACT], row)
            assert flags == batch.legal_mask()[place].tolist()
            assert row == batch.observe()[place].tolist()
            action = legal.uniform(s, r, None, bits.word(place, s[layout.MOVES]))
            assert legal.is_legal(s, r, action)
            actions = np.zeros(2, np.int64)
            actions[place] = action
            batch.step(actions, check=False)
            s[layout.MOVES] += 1
            course.step(s, d, r, action)
        shares = [ending.win_share(s, r, seat) for seat in range(combo.seats)]
        assert np.allclose(batch.win_shares[place], shares)
        assert batch.scores[place].tolist() == [ending.score(s, seat) for seat in range(combo.seats)]


def test_whole_games_are_played_out_the_same() -> None:
    told = kernel.play(seats=5, games=5, seed=4)
    r = rows.rules_row(kernel.create(seats=5, games=1).rules).tolist()
    for game in range(5):
        s, d = [0] * layout.LENGTH, [0] * layout.DECKS_LENGTH
        key = bits.key_of(4, game, 0)
        course.deal(s, d, r, key)
        assert whole.play_out(s, d, r, legal.uniform, [None] * 5, key)
        assert told.scores[game].tolist() == [ending.score(s, seat) for seat in range(5)]


@pytest.mark.parametrize("combo", COMBOS[::4], ids=str)
def test_a_view_as_a_row_has_the_same_legal_actions(combo: Combo) -> None:
    """What a bot at a table goes by."""
    played = combo_game(combo, seed=3)
    r = rows.rules_row(played.start.rules).tolist()
    for turns in range(0, len(played.turns), 2):
        state = played.after(turns)
        seat = state.bidders[0] if state.bidders else min(state.to_act)
        s = rows.position_of(view.of(state, seat)).row.tolist()
        s[layout.TO_ACT] = seat
        flags = [False] * encoding.ACTIONS
        legal.write_mask(s, r, flags)
        assert flags == encoding.mask(legal_actions(state, seat)).tolist()
