"""Clocks: Redis's and the database's against this host's.

A task that is held too long is handed on by the clock of the host that looks (`HABITUS_VISIBILITY_TIMEOUT`), and days
are those of the host: hosts that are far apart hand tasks on while they run, and count on different days.
"""

import time
from collections.abc import Callable, Iterator

import redis
from sqlalchemy import Connection, func, select

from habitus_schema.errors import UnavailableError
from habitus_worker.databases import unchecked_database_of
from habitus_worker.doctor.finding import Finding, graded
from habitus_worker.ledger import connect
from habitus_worker.settings import Settings

APART = (2.0, 30.0)
"""Seconds from which on it is a warning, and bad: a tenth of the default visibility timeout."""
ADVICE = "run a time service (NTP) on both hosts"


def clocks(settings: Settings, *, with_database: bool = True) -> Iterator[Finding]:
    """How far clocks are apart. Raises UnavailableError when a service does not answer."""
    yield _judged("clock_redis", skew(lambda: _redis_time(settings.redis)))
    if with_database and settings.database.startswith("postgresql"):
        database = unchecked_database_of(settings)
        try:
            yield _judged("clock_database", skew(lambda: database.read(None, _database_time)))
        finally:
            database.close()


def skew(read: Callable[[], float]) -> float:
    """How far the other clock is ahead of ours, in seconds; what the answer's way may account for is taken off."""
    read()  # connects, so that the next way there and back is a short one
    sent = time.time()
    theirs = read()
    got = time.time()
    if sent <= theirs <= got:
        return 0.0
    return theirs - (sent if theirs < sent else got)


def _judged(check: str, seconds: float) -> Finding:
    found = f"{abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this host"
    return graded(check, found, abs(seconds), APART, ADVICE)


def _redis_time(url: str) -> float:
    try:
        with connect(url) as client:
            seconds, micros = client.time()
    except redis.RedisError:
        raise UnavailableError("Redis does not tell the time: start it, or use the account habitus-operate") from None
    return float(seconds) + float(micros) / 1e6


def _database_time(connection: Connection) -> float:
    return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0)
