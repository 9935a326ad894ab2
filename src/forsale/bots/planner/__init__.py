"""A bot that searches with the kernel: see `forsale.bots.planner.planner`."""

try:
    import numba as _  # noqa: F401
except ImportError:
    raise ImportError("forsale.bots.planner needs numba: pip install forsale[fast]") from None

from forsale.bots.planner.planner import Planner, prepare

__all__ = ["Planner", "prepare"]
