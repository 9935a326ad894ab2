"""Faces of the game for learning libraries: a module for each, which imports what it needs and no more.

| module | library | what |
|---|---|---|
| `forsale.envs.aec` | PettingZoo | all seats, one after the other |
| `forsale.envs.single` | Gymnasium | one seat against bots |
| `forsale.envs.vector` | Gymnasium | one seat in each of many games, on the kernel |
| `forsale.envs.spiel` | OpenSpiel | the game with its chance nodes |

Importing this package registers `forsale/ForSale-v0` with Gymnasium, where that is installed.

>>> import gymnasium
>>> import forsale.envs
>>> gymnasium.make("forsale/ForSale-v0", bots="broker").reset(seed=1)[0].shape
(122,)

Needs `pip install forsale[envs]`.
"""

__all__: list[str] = []

try:
    from gymnasium.envs.registration import register as _register
except ImportError:
    pass  # OpenSpiel needs no Gymnasium; the modules that do say so
else:
    # By name, so that neither the bots nor the compiler are loaded before someone asks for them.
    _register(
        "forsale/ForSale-v0",
        entry_point="forsale.envs.single:ForSaleEnv",
        vector_entry_point="forsale.envs.vector:ForSaleVectorEnv",
    )
