"""The public surface, name by name: a change here is a change for everyone who imports us."""

import importlib
import inspect
import subprocess
import sys

import pytest

API: dict[str, set[str]] = {
    "forsale": {"__version__"},
    "forsale.arena": {
        "ArenaError",
        "Cell",
        "Chunk",
        "Contest",
        "Estimate",
        "Standing",
        "Summary",
        "Tally",
        "Trade",
        "play",
        "play_out",
        "summarise",
    },
    "forsale.bots": {
        "LEVELS",
        "LIMIT",
        "OWN",
        "Bot",
        "BotError",
        "Entry",
        "Guarded",
        "called",
        "default_action",
        "find",
        "guarded",
        "make",
        "names",
        "registered",
    },
    "forsale.bots.champion": {"Champion", "Opinion"},
    "forsale.bots.planner": {"Planner", "prepare"},
    "forsale.bots.scripted": {"PERSONALITIES", "Personality", "Scripted", "Selling", "Traits", "draw"},
    "forsale.bots.searcher": {"Prospect", "Searcher", "prepare"},
    "forsale.editions": {
        "DEFAULT",
        "MAX_SEATS",
        "MIN_SEATS",
        "CoinsHidden",
        "Edition",
        "EditionError",
        "Rounding",
        "Rules",
        "Variant",
        "Words",
        "from_toml",
        "load",
        "published",
    },
    "forsale.encoding": {
        "ACTIONS",
        "BID",
        "HOUSE",
        "LENGTH",
        "MAX_BID",
        "MAX_CARDS",
        "MAX_SEATS",
        "PASS",
        "SEAT_FIELDS",
        "SLICES",
        "EncodingError",
        "Row",
        "check",
        "encode",
        "from_index",
        "mask",
        "to_index",
    },
    "forsale.envs": set(),
    "forsale.envs.aec": {"env", "raw_env"},
    "forsale.envs.single": {"ForSaleEnv"},
    "forsale.envs.spiel": {"ForSaleGame", "ForSaleObserver", "ForSaleState"},
    "forsale.envs.vector": {"ForSaleVectorEnv"},
    "forsale.game": {
        "BUYING",
        "OVER",
        "SELLING",
        "Action",
        "AuctionWon",
        "Bid",
        "BidPlaced",
        "Dealt",
        "Decks",
        "DecksError",
        "Event",
        "GameEnded",
        "HouseChosen",
        "IllegalAction",
        "IllegalCode",
        "Outcome",
        "Pass",
        "Passed",
        "Phase",
        "SaleResolved",
        "Sell",
        "State",
        "apply",
        "legal_actions",
        "new_game",
        "outcome",
        "pass_terms",
        "seat_letter",
    },
    "forsale.kernel": {
        "Batch",
        "Buffer",
        "KernelError",
        "Outcomes",
        "Policy",
        "create",
        "play",
        "roll_out",
        "uniform",
    },
    "forsale.record": {
        "MAX_BYTES",
        "Comment",
        "Line",
        "Moment",
        "Played",
        "Record",
        "RecordError",
        "Remark",
        "Replay",
        "Take",
        "from_bytes",
        "from_position",
        "from_text",
        "replay",
    },
    "forsale.shuffle": {
        "Deal",
        "Draws",
        "Opening",
        "ShuffleError",
        "Stream",
        "bot_seed",
        "check_seed",
        "commitment",
        "deal",
        "fair_deal",
        "new_secret",
        "secret_from_hex",
        "verify",
    },
    "forsale.view": {"MAX_EARLIER", "Earlier", "Memory", "View", "of", "recall", "redact", "remembered"},
}

FIELDS = {
    "forsale.game.State": "rules decks phase number market bidders bids coins hands cheques choices history",
    "forsale.view.View": "rules seat tracker phase number market to_act bidders bids highest_bid houses_left "
    "cheques_left hand_sizes cheque_counts has_chosen choice coins hands cheques history outcome decks earlier",
    "forsale.view.Earlier": "rules history seats",
}


@pytest.mark.parametrize("module", API)
def test_public_names_are_exactly_these(module: str) -> None:
    assert set(importlib.import_module(module).__all__) == API[module]


@pytest.mark.parametrize("module", API)
def test_public_names_are_documented(module: str) -> None:
    room = importlib.import_module(module)
    assert room.__doc__
    for name in room.__all__:
        thing = getattr(room, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            # A dataclass without a docstring gets its signature for one.
            assert thing.__doc__, f"{module}.{name}"
            assert not thing.__doc__.startswith(f"{name}("), f"{module}.{name}"


@pytest.mark.parametrize("path", FIELDS)
def test_fields_are_exactly_these(path: str) -> None:
    module, _, name = path.rpartition(".")
    assert list(inspect.get_annotations(getattr(importlib.import_module(module), name))) == FIELDS[path].split()


def test_importing_the_engine_loads_nothing_heavy() -> None:
    """The library needs the standard library alone; what draws on a terminal loads with the command line."""
    rooms = "editions, game, view, record, shuffle, bots, arena"
    code = f"import sys; from forsale import {rooms}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "rich", "numpy", "numba", "pyarrow", "torch", "gymnasium", "pettingzoo", "pyspiel"} & set(
        loaded
    )
