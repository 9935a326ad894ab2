"""The champion: told at a table what it was told in training, the same with numpy, legal everywhere, and blind."""

import json
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hatchling.builders.wheel import WheelBuilder
from numpy.typing import NDArray

from forsale import arena, editions, encoding, game, view
from forsale.bots import Bot, BotError
from forsale.bots.champion import Champion, weights
from forsale.bots.champion.habits import HABITS, LENGTH, SALES, play
from forsale.bots.champion.inputs import WIDTH
from forsale.bots.champion.net import WEIGHTS, Net, champion, spread
from forsale.bots.champion.told import ROW
from forsale.bots.champion.watching import _GAMES, Watching
from forsale.encoding import ACTIONS, MAX_SEATS, EncodingError, to_index
from forsale.game import BUYING, OVER, SELLING, Action, Decks, State, apply, legal_actions
from forsale.kernel.compiling import compiled
from forsale.scalar import layout
from forsale.scalar.rows import position_of, rules_row
from forsale.train import tables
from tests.games import COMBOS, Combo, combo_game, start
from tests.test_encoding import LARGEST, SMALL, WITH_GAPS

FOUR = Combo("iello-2020", 4, None)
FILE = resources.files("forsale.bots.champion").joinpath(WEIGHTS)


def turns(combo: Combo, seed: int) -> Iterator[tuple[State, int]]:
    """Positions of a game, with each seat that is to act."""
    played = combo_game(combo, seed)
    state = played.start
    for turn, action in played.turns:
        yield from ((state, seat) for seat in state.to_act)
        state, _ = apply(state, turn, action)


def chosen(bot: Bot, state: State, seat: int) -> Action:
    return bot.choose(view.of(state, seat), legal_actions(state, seat), Random(0))


# --- What it is told -------------------------------------------------------------------------------------------------


class Table:
    """A table as training has it, compiled: the same game, action by action."""

    def __init__(self, state: State) -> None:
        self._rules = rules_row(state.rules)[None]
        self._row, self._decks, _ = position_of(state)
        self._watched = np.zeros(LENGTH, np.int32)
        self._play, self._tell = compiled(play), compiled(tables.tell)

    def play(self, action: int) -> None:
        self._play(self._row, self._decks, self._rules[0], self._watched, action)

    @property
    def to_act(self) -> int:
        return int(self._row[layout.TO_ACT])

    def told(self) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        row, mask = np.zeros(ROW, np.int16), np.zeros(ACTIONS, np.bool_)
        self._tell(self._row, self._rules, self._watched, np.zeros(tables.SETTINGS, np.int32), row, mask)
        return row, mask


def compare_with_training(state: State) -> None:
    """After every action of a whole game. In training all choose in the order of the seats; at a table in any."""
    watching, table, rng, asked = Watching(), Table(state), Random(4), 0
    while state.phase is not OVER:
        seat = table.to_act
        seen = watching.seen(view.of(state, seat))
        row, mask = table.told()
        assert seen.row.tolist() == row.tolist()
        assert seen.mask.tolist() == mask.tolist()
        assert seen.row[: encoding.LENGTH].tolist() == encoding.encode(view.of(state, seat)).tolist()
        action = rng.choice(legal_actions(state, seat)[:4])
        state, _ = apply(state, seat, action)
        table.play(to_index(action))
        asked += 1
    assert row[encoding.LENGTH :].any()
    assert asked > 12


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_at_a_table_it_is_told_what_training_tells(combo: Combo) -> None:
    compare_with_training(start(combo.load(), combo.seats, combo.variant, Random(f"{combo} 4")))


@pytest.mark.parametrize("text", [SMALL, WITH_GAPS, LARGEST], ids=["small", "with gaps", "largest"])
def test_in_editions_of_ones_own_too(text: str) -> None:
    state = start(editions.from_toml(text), 4, "scarce", Random(4))
    compare_with_training(state)
    bot = Champion()
    while state.to_act:
        seat = min(state.to_act)
        state, _ = apply(state, seat, chosen(bot, state, seat))


def test_what_it_remembers_changes_nothing() -> None:
    """Of many games by turns, forwards and back: what a fresh one is told, and does."""
    bot, watching = Champion(), Watching()
    games = [list(turns(COMBOS[number % len(COMBOS)], number)) for number in range(_GAMES + 5)]
    rng = Random(1)
    for _ in range(250):
        state, seat = rng.choice(rng.choice(games))
        seen, fresh = watching.seen(view.of(state, seat)), Watching().seen(view.of(state, seat))
        assert (seen.row.tolist(), seen.mask.tolist()) == (fresh.row.tolist(), fresh.mask.tolist())
        assert chosen(bot, state, seat) == chosen(Champion(), state, seat)
    assert len(watching._games) == _GAMES


def test_a_game_that_only_begins_alike_is_another() -> None:
    """The same deal, and another bid; and the same events under other rules."""
    state = combo_game(FOUR, 3).start
    seat = min(state.to_act)
    watching = Watching()
    for amount in (1, 2, 1):
        after, _ = apply(state, seat, game.Bid(amount))
        seen = view.of(after, (seat + 1) % 4)
        assert watching.seen(seen).row.tolist() == Watching().seen(seen).row.tolist()
    rules = editions.load("classic").rules(4)
    other = view.of(after._replace(rules=rules), (seat + 1) % 4)
    assert watching.seen(other).row.tolist() == Watching().seen(other).row.tolist()


def test_it_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each action is watched once in a game, whoever of the table asks: that is what makes it quick."""
    watched: list[int] = []

    def counting(s: Any, d: Any, r: Any, w: Any, action: int) -> None:
        watched.append(action)
        play(s, d, r, w, action)

    monkeypatch.setattr("forsale.bots.champion.watching.play", counting)
    watching, played = Watching(), combo_game(FOUR, 5)
    for state, seat in turns(FOUR, 5):
        watching.seen(view.of(state, seat))
    auctions = [to_index(action) for _, action in played.turns if not isinstance(action, game.Sell)]
    assert watched[: len(auctions)] == auctions
    assert len(watched) == len(auctions) + state.rules.deck_size - sum(map(len, state.hands))


def test_of_a_running_sale_it_knows_nothing() -> None:
    """Whatever was chosen, by others or by itself: the row stays the same until the reveal."""
    first = next(state for state, _ in turns(FOUR, 6) if state.phase is SELLING)
    before = [Watching().seen(view.of(first, seat)).row.tolist() for seat in range(4)]
    watching = Watching()
    for choice in (0, -1):
        state = first
        for seat in (2, 0, 3):
            state, _ = apply(state, seat, legal_actions(state, seat)[choice])
            assert [watching.seen(view.of(state, seat)).row.tolist() for seat in range(4)] == before
    state, _ = apply(state, 1, legal_actions(state, 1)[0])
    rows = [watching.seen(view.of(state, seat)).row for seat in range(4)]
    for row in rows:
        assert row[encoding.LENGTH :].reshape(MAX_SEATS - 1, HABITS)[:3, SALES].tolist() == [1, 1, 1]


def test_nothing_secret_changes_what_it_thinks() -> None:
    """Other decks and other secret choices, the same bids and houses."""
    bot, rng = Champion(), Random(2)
    for state, seat in turns(FOUR, seed=3):
        seen = view.of(state, seat)
        other = view.of(with_other_secrets(state, seat, rng), seat)
        assert bot.opinion(seen) == bot.opinion(other)


def with_other_secrets(state: State, seat: int, rng: Random) -> State:
    decks = state.decks
    houses, cheques = list(decks.houses), list(decks.cheques)
    size = state.rules.deck_size
    for deck, drawn in ((houses, size - state.houses_left), (cheques, size - state.cheques_left)):
        rest = deck[drawn:]
        rng.shuffle(rest)
        deck[drawn:] = rest
    state = state._replace(decks=Decks(tuple(houses), tuple(cheques), decks.removed_houses, decks.removed_cheques))
    for other in range(state.rules.seats) if state.phase is SELLING else ():
        if other != seat and state.choices[other] is not None:
            state, _ = apply(state, other, rng.choice(legal_actions(state, other)))
    return state


# --- What it says ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_its_opinion_is_of_this_table(combo: Combo) -> None:
    bot = Champion()
    for state, seat in turns(combo, seed=2):
        opinion, legal = bot.opinion(view.of(state, seat)), legal_actions(state, seat)
        assert tuple(opinion.policy) == legal
        assert sum(opinion.policy.values()) == pytest.approx(1, abs=1e-4)
        assert len(opinion.win_chances) == len(opinion.scores) == combo.seats
        assert sum(opinion.win_chances) == pytest.approx(1, abs=1e-4)
        assert min(opinion.win_chances) >= 0
        best = max(opinion.policy.values())
        if state.phase is BUYING and len(legal) > 1:
            assert opinion.policy[chosen(bot, state, seat)] == pytest.approx(best)


def test_in_a_sale_it_plays_each_house_as_often_as_its_policy_has_it() -> None:
    bot, games = Champion(), 300
    state, seat = next(at for at in turns(FOUR, 2) if at[0].phase is SELLING)
    seen, legal = view.of(state, seat), legal_actions(state, seat)
    drawn = Counter(bot.choose(seen, legal, Random(number)) for number in range(games))
    for house, chance in bot.opinion(seen).policy.items():
        # Six times its spread: these games are always the same, and this holds for them.
        assert abs(drawn[house] / games - chance) < 6 * (chance * (1 - chance) / games) ** 0.5 + 1e-3


def test_in_the_end_it_knows_who_has_won() -> None:
    """In the last choice of a game that is decided, by the order of the table; and about what everyone will have."""
    bot, right, games, missed = Champion(), 0, 30, []
    for seed in range(games):
        played = combo_game(FOUR, seed)
        state, seat = [at for at in turns(FOUR, seed) if len(legal_actions(*at)) > 1][-1]
        opinion, outcome = bot.opinion(view.of(state, seat)), game.outcome(played.end)
        assert outcome is not None
        right += opinion.win_chances.index(max(opinion.win_chances)) in outcome.winners
        missed += [abs(told - was) for told, was in zip(opinion.scores, outcome.scores, strict=True)]
    assert right > games * 0.6
    assert sum(missed) / len(missed) < 10


def test_only_a_seat_that_can_act_has_an_opinion() -> None:
    played = combo_game(FOUR, 1)
    bot, state = Champion(), played.start
    other = (min(state.to_act) + 1) % 4
    with pytest.raises(EncodingError, match="^expected the view of a seat, got a spectator's$"):
        bot.opinion(view.of(state, None))
    with pytest.raises(
        EncodingError, match=f"^expected the view of a seat that can act, got that of seat {'ABCD'[other]}$"
    ):
        bot.opinion(view.of(state, other))
    with pytest.raises(EncodingError, match="^expected the view of a seat that can act, got that of seat A$"):
        bot.opinion(view.of(played.end, 0))


def test_an_edition_that_is_too_large_is_refused() -> None:
    state = combo_game(FOUR, 1).start
    rich = state._replace(rules=replace(state.rules, coins=29))
    with pytest.raises(EncodingError, match="^iello-2020: expected at most 28 coins a seat, got 29$"):
        Champion().opinion(view.of(rich, min(rich.to_act)))


def test_it_wins() -> None:
    contest = arena.Contest(("champion", "steward"), deals=12, kind="against-field")
    best, _ = arena.summarise(contest, arena.play(contest, processes=1)).standings
    assert best.bot == "champion"
    assert best.win_share.value > 0.4


# --- The net ---------------------------------------------------------------------------------------------------------


def some_rows() -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Of games with every number of seats, and what is legal there."""
    watching = Watching()
    seen = [watching.seen(view.of(*at)) for combo in COMBOS[::5] for at in list(turns(combo, 9))[::4]]
    return np.array([one.row for one in seen]), np.array([one.mask for one in seen])


def slow(tensors: weights.Tensors, row: NDArray[np.int16]) -> dict[str, list[float]]:
    """The formula once more, number by number: what each head says of one position."""

    def layer(name: str, inputs: list[float]) -> list[float]:
        lines = zip(tensors[f"{name}.weight"].tolist(), tensors[f"{name}.bias"].tolist(), strict=True)
        return [sum(w * x for w, x in zip(line, inputs, strict=True)) + bias for line, bias in lines]

    def normal(hidden: list[float]) -> list[float]:
        size = (sum(x * x for x in hidden) / len(hidden) + 1e-5) ** 0.5
        return [x / size for x in hidden]

    hidden = [max(x, 0.0) for x in layer("inner.0", spread(row).tolist())]
    for name in ("inner.1", "inner.2"):
        more = layer(name, normal(hidden))
        hidden = [x + max(y, 0.0) for x, y in zip(hidden, more, strict=True)]
    return {name: layer(name, normal(hidden)) for name in ("act", "win", "score")}


def parts(logits: list[float]) -> list[float]:
    odds = [np.exp(logit - max(logits)) for logit in logits]
    return [float(one / sum(odds)) for one in odds]


def test_the_net_agrees_with_its_formula() -> None:
    tensors = weights.from_bytes(FILE.read_bytes())
    rows, masks = some_rows()
    for place in (0, len(rows) // 2, len(rows) - 1):
        told, expected = Net(tensors).tell(rows[place], masks[place]), slow(tensors, rows[place])
        seats = int(rows[place, 0])
        assert told.logits[masks[place]] == pytest.approx(np.array(expected["act"])[masks[place]], abs=1e-3)
        assert np.isneginf(told.logits[~masks[place]]).all()
        assert told.wins[:seats] == pytest.approx(parts(expected["win"][:seats]), abs=1e-4)
        assert not told.wins[seats:].any()
        assert told.scores == pytest.approx(100 * np.array(expected["score"]), abs=0.05)


def test_the_net_agrees_with_the_one_that_was_trained() -> None:
    torch = pytest.importorskip("torch")
    from forsale.train import net as trained

    tensors = weights.from_bytes(FILE.read_bytes())
    rows, masks = some_rows()
    theirs = trained.Net(hidden=len(tensors["inner.0.bias"]))
    theirs.load_state_dict({name: torch.tensor(tensor) for name, tensor in tensors.items()})
    with torch.no_grad():
        spread = trained.spread_on("cpu", watching=True)(torch.tensor(rows))
        expected = theirs.tell(spread, torch.tensor(masks), torch.tensor(rows[:, 0]))
    told = Net(tensors).tell(rows, masks)
    assert told.logits[masks] == pytest.approx(expected.logits.numpy()[masks], abs=1e-3)
    assert told.wins == pytest.approx(expected.seats.softmax(-1).numpy(), abs=1e-4)
    assert told.scores == pytest.approx(100 * expected.scores.numpy(), abs=0.05)


def test_one_row_or_many() -> None:
    rows, masks = some_rows()
    many = champion().tell(rows, masks)
    for place in range(0, len(rows), 7):
        one = champion().tell(rows[place], masks[place])
        for alone, together in zip(one, many, strict=True):
            assert alone == pytest.approx(together[place], abs=1e-3)


def test_what_is_illegal_is_never_done_whatever_the_logits() -> None:
    """A net that holds all that is legal for worse than anything: its logits drift without end."""
    tensors = dict(weights.from_bytes(FILE.read_bytes()))
    rows, masks = some_rows()
    for place in range(0, len(rows), 9):
        tensors["act.bias"] = np.where(masks[place], -1e6, 1e6).astype(np.float32)
        told = Net(tensors).tell(rows[place], masks[place])
        assert masks[place][told.logits.argmax()]


def test_all_that_is_told_comes_in_about_as_large_as_1() -> None:
    rows, _ = some_rows()
    inputs = spread(rows)
    assert inputs.shape == (len(rows), WIDTH)
    assert abs(inputs).max() < 8


# --- The weights -----------------------------------------------------------------------------------------------------


def file_of(header: object, numbers: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + numbers


TENSOR = {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}


def test_weights_are_read_as_others_write_them() -> None:
    header = {
        "__metadata__": {"format": "pt"},
        "b": {"dtype": "F16", "shape": [2], "data_offsets": [8, 12]},
        "a": TENSOR,
    }
    read = weights.from_bytes(file_of(header, struct.pack("<ffee", 1.5, -2, 0.25, 3)))
    assert {name: tensor.tolist() for name, tensor in read.items()} == {"a": [[1.5, -2]], "b": [0.25, 3]}
    assert all(tensor.dtype == np.float32 for tensor in read.values())


def test_weights_are_the_same_when_they_are_read_again() -> None:
    tensors = weights.from_bytes(FILE.read_bytes())
    half = {name: tensor.astype(np.float16) for name, tensor in tensors.items()}
    for kind in (half, tensors):
        again = weights.from_bytes(weights.to_bytes(kind))
        assert again.keys() == tensors.keys()
        assert all((again[name] == tensors[name]).all() for name in tensors)
    assert len(weights.to_bytes(half)) < len(weights.to_bytes(tensors)) * 0.51
    assert struct.unpack("<Q", weights.to_bytes(half)[:8])[0] % 8 == 0
    with pytest.raises(ValueError, match="^a: expected float16 or float32, got int64$"):
        weights.to_bytes({"a": np.zeros(2, np.int64)})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "expected a safetensors file, got something else or only a part of one"),
        (b"\x07\x00", "expected a safetensors file, got something else or only a part of one"),
        (b"\xff" * 100, "expected a safetensors file, got something else or only a part of one"),
        (file_of([1]), "expected a safetensors file, got something else or only a part of one"),
        (FILE.read_bytes()[:500], "expected a safetensors file, got something else or only a part of one"),
        (FILE.read_bytes()[:-1], r"score.bias: expected 12 bytes, got \d+ to \d+ of \d+"),
        (file_of({"a": TENSOR}, bytes(7)), "a: expected 8 bytes, got 0 to 8 of 7"),
        (file_of({"a": TENSOR}, bytes(9)), "expected 8 bytes of numbers, got 9"),
        (file_of({"a": TENSOR | {"shape": [3]}}, bytes(8)), "a: expected 12 bytes, got 0 to 8 of 8"),
        (file_of({"a": TENSOR | {"data_offsets": [-8, 0]}}), "a: expected 8 bytes, got -8 to 0 of 0"),
        (file_of({"a": TENSOR}, b"\xff" * 8), "a: expected finite numbers, got others"),
        (
            file_of({"a": TENSOR | {"dtype": "BF16"}}, bytes(8)),
            "a: expected F16 or F32, a shape and where it lies, got {'dtype': 'BF16'.*",
        ),
        (file_of({"a": None}), "a: expected F16 or F32, a shape and where it lies, got None"),
        (file_of({"a": TENSOR | {"shape": [-1, -2]}}), "a: expected F16 or F32, a shape and where it lies, got .*"),
    ],
)
def test_damaged_weights_are_told_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(BotError, match=f"^weights: {said}$"):
        weights.from_bytes(data)


def test_weights_of_another_net_are_refused() -> None:
    tensors = weights.from_bytes(FILE.read_bytes())
    with pytest.raises(BotError, match=r"^weights: win.bias: expected a shape of \(6,\), got nothing$"):
        Net({name: tensor for name, tensor in tensors.items() if name != "win.bias"})
    with pytest.raises(BotError, match=r"^weights: inner.0.weight: expected a shape of \(0, 640\), got nothing$"):
        Net({})
    narrow = dict(tensors) | {"inner.0.weight": tensors["inner.0.weight"][:, 1:]}
    with pytest.raises(
        BotError, match=r"^weights: inner.0.weight: expected a shape of \(512, 640\), got \(512, 639\)$"
    ):
        Net(narrow)


def test_other_weights_play_in_its_place(tmp_path: Path) -> None:
    """A net that holds everything for as good, from a file."""
    blank = {name: np.zeros_like(tensor) for name, tensor in weights.from_bytes(FILE.read_bytes()).items()}
    (tmp_path / "blank.safetensors").write_bytes(weights.to_bytes(blank))
    bot, (state, seat) = Champion(Net.read(tmp_path / "blank.safetensors")), next(turns(FOUR, 1))
    assert len(set(bot.opinion(view.of(state, seat)).policy.values())) == 1
    assert len(set(Champion().opinion(view.of(state, seat)).policy.values())) > 1


def test_the_weights_are_small_and_come_with_the_package() -> None:
    assert len(FILE.read_bytes()) <= 4 * 2**20
    builder = WheelBuilder(str(Path(__file__).parents[2]))
    assert f"forsale/bots/champion/{WEIGHTS}" in [file.distribution_path for file in builder.recurse_included_files()]


def test_it_needs_numpy_alone() -> None:
    """In a process in which neither numba nor PyTorch can be imported."""
    code = (
        "import sys; sys.modules['numba'] = sys.modules['torch'] = None\n"
        "from forsale import bots; assert 'numpy' not in sys.modules; bots.make('champion')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
