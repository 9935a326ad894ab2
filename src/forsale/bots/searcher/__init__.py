"""The champion, searching: see `forsale.bots.searcher.searcher`."""

try:
    import numba as _  # noqa: F401
except ImportError:
    raise ImportError("forsale.bots.searcher needs numba: pip install forsale[fast]") from None

from forsale.bots.searcher.searcher import Prospect, Searcher, prepare

__all__ = ["Prospect", "Searcher", "prepare"]
