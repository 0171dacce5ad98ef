"""A fleet on paper: what so many sessions a day take, and a day simulated minute by minute. For `habitus bench scale`.

Every input is a flag of the command; docs/scale.md names the source of each default.
"""

import math
from dataclasses import dataclass

DAY_MINUTES = 1440
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Load:
    """What arrives.

    Attributes:
        sessions: a day.
        peak: the busiest minute's arrivals over the day's mean; they follow a cosine with the night at its bottom.
        people: who have ever been seen.
    """

    sessions: int
    peak: float
    people: int


@dataclass(frozen=True, slots=True)
class Costs:
    """What one session costs.

    Attributes:
        content_ms, record_ms: of one worker process's time, in milliseconds.
        waiting_bytes, ended_bytes: on Redis while it waits, and from then on until its time to live.
        ttl_days: HABITUS_PAYLOAD_TTL in days.
        row_bytes: of PostgreSQL, all tables and indexes, for the rows of one session that are kept for `keep_days`.
        rejection_bytes: the same for its lines of the log, which are kept for `log_days`.
        profile_bytes: of one person's profile.
    """

    content_ms: float
    record_ms: float
    waiting_bytes: float
    ended_bytes: float
    ttl_days: float
    row_bytes: float
    keep_days: int
    rejection_bytes: float
    log_days: int
    profile_bytes: float


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost a month, in one currency: a processor core, a GiB of Redis's memory, a GiB of database."""

    core: float
    redis_gib: float
    database_gib: float


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is needed. Sizes in GiB; `wait_seconds`: the longest that a session waits in the simulated day."""

    content_workers: int
    record_workers: int
    peak_per_second: float
    backlog: int
    wait_seconds: float
    redis_waiting: float
    redis_ended: float
    database: float
    log: float
    month: float
    each_million: float


def arrivals(load: Load) -> list[float]:
    """Sessions in each minute of a day. Raises ValueError for a peak that the curve cannot have."""
    if not 1 <= load.peak <= 2:
        raise ValueError("a peak between 1 and 2 times the mean")
    mean = load.sessions / DAY_MINUTES
    swing = load.peak - 1
    return [mean * (1 - swing * math.cos(2 * math.pi * minute / DAY_MINUTES)) for minute in range(DAY_MINUTES)]


def workers_for(load: Load, milliseconds: float, share: float) -> int:
    """Processes that take `share` of the peak's work, and never less than the mean's with a tenth to spare.

    Raises:
        ValueError: for a peak that the curve cannot have.
    """
    busiest = max(arrivals(load)) / 60 * milliseconds / 1000
    mean = load.sessions / 86_400 * milliseconds / 1000
    return max(1, math.ceil(max(busiest * share, mean * 1.1)))


def simulate(load: Load, workers: int, milliseconds: float, outage: int = 0) -> tuple[float, float]:
    """A day of a queue before so many workers, which stand still for the first `outage` minutes of its busiest hour.

    Returns the most sessions that waited at once, and the longest that one waited, in seconds. Two days are run: what
    is left of the first waits for the second.
    """
    capacity = workers * 60_000 / milliseconds
    day = arrivals(load)
    stands = range(DAY_MINUTES // 2, DAY_MINUTES // 2 + outage)
    queue = most = longest = 0.0
    for minute in range(2 * DAY_MINUTES):
        works = minute % DAY_MINUTES not in stands
        queue = max(0.0, queue + day[minute % DAY_MINUTES] - capacity * works)
        most = max(most, queue)
        waits = queue / capacity * 60 + (0 if works else 60 * (stands.stop - minute % DAY_MINUTES - 1))
        longest = max(longest, waits)
    return most, longest


def fleet(load: Load, costs: Costs, prices: Prices, share: float = 1.0, outage: int = 0) -> Fleet:
    """What the load takes.

    Args:
        share: of the peak's work that the content workers can do at once; below 1 the rest waits for the night.
        outage: minutes at the busiest hour in which the workers stand still.

    Raises:
        ValueError: for a peak that the curve cannot have.
    """
    content, record = workers_for(load, costs.content_ms, share), workers_for(load, costs.record_ms, 1.0)
    backlog, wait = simulate(load, content, costs.content_ms, outage)
    waiting = backlog * costs.waiting_bytes / GIB
    ended = load.sessions * costs.ttl_days * costs.ended_bytes / GIB
    rows = (load.sessions * costs.keep_days * costs.row_bytes + load.people * costs.profile_bytes) / GIB
    log = load.sessions * costs.log_days * costs.rejection_bytes / GIB
    month = (content + record) * prices.core + (waiting + ended) * prices.redis_gib + (rows + log) * prices.database_gib
    return Fleet(
        content, record, max(arrivals(load)) / 60, round(backlog), wait, waiting, ended, rows, log, month,
        month / (load.sessions * 30 / 1e6),
    )  # fmt: skip
