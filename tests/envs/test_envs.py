"""The package: what importing it loads, what it says where a library is missing, and what it refuses."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from forsale import encoding
from forsale.editions import EditionError, from_toml
from forsale.encoding import EncodingError
from forsale.envs import aec, single, turns, vector
from forsale.game import Outcome


def printed_by(code: str) -> str:
    """In a Python of its own, which has imported nothing yet."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def loaded_by(statement: str) -> set[str]:
    return set(printed_by(f"import sys; {statement}; print(*sys.modules)").split())


def test_importing_forsale_loads_no_learning_library() -> None:
    assert not {"gymnasium", "pettingzoo", "pyspiel", "numba", "numpy"} & loaded_by("import forsale")


def test_importing_the_package_registers_and_loads_no_more_than_gymnasium() -> None:
    loaded = loaded_by("import forsale.envs")
    assert "gymnasium" in loaded
    assert not {"pettingzoo", "pyspiel", "numba"} & loaded


@pytest.mark.parametrize(
    ("module", "missing", "sentence"),
    [
        ("aec", "pettingzoo", "forsale.envs.aec needs PettingZoo: pip install forsale[envs]"),
        ("single", "gymnasium", "forsale.envs.single needs Gymnasium: pip install forsale[envs]"),
        ("vector", "gymnasium", "forsale.envs.vector needs Gymnasium: pip install forsale[envs]"),
        (
            "spiel",
            "pyspiel",
            "forsale.envs.spiel needs OpenSpiel, which there is not for Windows: pip install forsale[envs]",
        ),
    ],
)
def test_a_missing_library_is_one_sentence(module: str, missing: str, sentence: str) -> None:
    without = f"import sys; sys.modules[{missing!r}] = None"
    attempt = f"try: import forsale.envs.{module}\nexcept ImportError as error: print(error)"
    assert printed_by(f"{without}\n{attempt}") == f"{sentence}\n"


def test_the_package_itself_can_do_without_gymnasium() -> None:
    loaded = loaded_by("sys.modules['gymnasium'] = None; import forsale.envs")
    assert "forsale.envs" in loaded


def test_the_game_is_registered() -> None:
    spec = gymnasium.spec("forsale/ForSale-v0")
    assert (spec.namespace, spec.name, spec.version) == ("forsale", "ForSale", 0)


# --- What cannot be played -----------------------------------------------------------------------------------

MAKERS = [aec.env, single.ForSaleEnv, vector.ForSaleVectorEnv]
every_maker = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


@every_maker
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"edition": "iello-1997"}, "^edition: expected iello-2020, .* got 'iello-1997'$"),
        ({"seats": 7}, "^seats: expected a number of seats from 3 to 6, got 7$"),
        ({"edition": "manual", "variant": "scarce"}, "^variant: expected none with manual, got 'scarce'$"),
    ],
)
def test_what_an_edition_lacks_is_refused(make: Callable[..., Any], arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EditionError, match=sentence):
        make(**arguments)


@every_maker
def test_an_edition_that_no_observation_can_hold_is_refused(make: Callable[..., Any]) -> None:
    toy = (Path(__file__).parents[1] / "perft" / "toy.toml").read_text(encoding="utf-8")
    rich = from_toml(toy.replace("coins = { 3 = 3 }", "coins = { 3 = 99 }").replace('"toy"', '"rich"'))
    with pytest.raises(EncodingError, match="^rich: expected at most 28 coins a seat, got 99$"):
        make(edition=rich, seats=3)


@pytest.mark.parametrize("make", [single.ForSaleEnv, vector.ForSaleVectorEnv], ids=lambda make: make.__name__)
@pytest.mark.parametrize("seat", [-1, 4, True, "A"])
def test_a_seat_that_is_not_at_the_table_is_refused(make: Callable[..., Any], seat: object) -> None:
    with pytest.raises(ValueError, match="^seat: expected a seat from 0 to 3, or None for any, got "):
        make(seat=seat)


@pytest.mark.parametrize("make", [aec.env, single.ForSaleEnv], ids=lambda make: make.__name__)
def test_a_render_mode_that_there_is_not_is_refused(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="^render_mode: expected human, ansi or None, got 'rgb_array'$"):
        make(render_mode="rgb_array")


# --- What the end is worth -----------------------------------------------------------------------------------


@pytest.mark.parametrize("winners", [(2,), (0, 3), (0, 1, 2, 3)])
def test_rewards_are_shares_of_the_victory_and_add_up_to_0(winners: tuple[int, ...]) -> None:
    given = turns.rewards(Outcome((0,) * 4, (0,) * 4, (0,) * 4, winners))
    assert given == tuple((1 / len(winners) if seat in winners else 0) - 1 / 4 for seat in range(4))
    assert sum(given) == 0


def test_an_index_that_no_action_has_is_refused() -> None:
    env = single.ForSaleEnv()
    env.reset(seed=0)
    with pytest.raises(EncodingError, match=f"^expected an index from 0 to {encoding.ACTIONS - 1}, got 60$"):
        env.step(60)
