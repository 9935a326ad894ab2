"""Limits how many lines of each kind reach the log: no client may fill the disk with them."""

import logging
import time

from forsale.server.limits import Bucket, Clock, Rate

PER_MESSAGE = Rate(1, 20)
"""Lines with one and the same message."""
ACCESS_LOG = Rate(500, 2000)
"""Lines about requests, where those were asked for: clients get far fewer requests answered."""
MAX_MESSAGES = 200
"""Messages with a limit of their own. There are a few dozen; should one ever be made from what clients send, the rest
share one limit."""


class LogRateLimit(logging.Filter):
    """A token bucket for each message, before its values are filled in. The next line that gets through tells how many
    were suppressed, as `suppressed`."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._suppressed: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        key = (record.name, str(record.msg))
        if key not in self._buckets and len(self._buckets) >= MAX_MESSAGES:
            key = ("", "")
        now = self._clock()
        rate = ACCESS_LOG if key == ("forsale.http", "answered") else PER_MESSAGE
        if not self._buckets.setdefault(key, Bucket(rate, now)).take(now):
            self._suppressed[key] = self._suppressed.get(key, 0) + 1
            return False
        suppressed = self._suppressed.pop(key, 0)
        if suppressed:
            record.suppressed = suppressed
        return True
