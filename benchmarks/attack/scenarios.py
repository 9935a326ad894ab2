"""All scenarios, in the order in which they are run."""

from benchmarks.attack import connections, requests, sockets, tables, timing
from benchmarks.attack.scenario import SCENARIOS

__all__ = ["SCENARIOS", "connections", "requests", "sockets", "tables", "timing"]
