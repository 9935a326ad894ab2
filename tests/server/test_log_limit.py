"""No client can fill the log, and what was left out is counted."""

import logging

from forsale.server import log_limit
from forsale.server.log_limit import ACCESS_LOG, MAX_MESSAGES, PER_MESSAGE, LogRateLimit


def record(message: str = "it went wrong: %s", name: str = "uvicorn.error") -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, __file__, 1, message, ("x",), None)


def test_the_same_message_is_limited_and_the_rest_counted() -> None:
    now = 0.0
    limit = LogRateLimit(lambda: now)
    passed = [limit.filter(record()) for _ in range(1000)]
    assert sum(passed) == PER_MESSAGE.burst
    assert limit.filter(record("another")), "each message has its own limit"
    now = 1.5
    line = record()
    assert limit.filter(line)
    assert line.__dict__["suppressed"] == 1000 - PER_MESSAGE.burst
    now = 3.0
    line = record()
    assert limit.filter(line)
    assert "suppressed" not in line.__dict__


def test_a_log_of_all_requests_may_be_longer() -> None:
    limit = LogRateLimit(lambda: 0.0)
    passed = [limit.filter(record("answered", "forsale.http")) for _ in range(int(ACCESS_LOG.burst) + 10)]
    assert sum(passed) == ACCESS_LOG.burst


def test_messages_that_differ_each_time_share_a_limit() -> None:
    limit = LogRateLimit(lambda: 0.0)
    passed = sum(limit.filter(record(f"message {number}")) for number in range(10_000))
    assert passed == MAX_MESSAGES + log_limit.PER_MESSAGE.burst
    assert len(limit._buckets) == MAX_MESSAGES + 1
