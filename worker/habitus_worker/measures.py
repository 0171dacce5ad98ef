"""How long each stage takes and how often it is tried: counted in worker processes, kept on Redis, read by /metrics.

A process adds up in memory and writes what it has once a second, in one step of one round trip, from a thread of its
own: no session waits for its figures, and none fails for them. What a process that is killed had not written is
missing from the figures, which is at most the last second of it. All names are of closed sets.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from threading import Lock, Timer
from time import perf_counter
from typing import cast

import redis

from habitus_schema.errors import UnavailableError
from habitus_worker.ledger import IN_FLIGHT, connect

MEASURES = "habitus:measures"
"""A hash: ``<timed>:<upper bound>`` counts the durations in that bucket, ``<timed>:micros`` is their sum in
microseconds, ``tries:<zone>:<which>`` counts tries."""
FLUSH_SECONDS = 1.0
_MICROS = 1_000_000


class Timed(StrEnum):
    """What takes time: four stages of a session, and the whole of it."""

    OPEN = "open"
    """Opening a sealed payload."""
    EXTRACT = "extract"
    """Finding candidates in a transcript, by whichever extractor."""
    HAND_ON = "hand_on"
    """Handing a record to the record zone, the broker's answer included."""
    RECORD = "record"
    """One transaction of the record zone: one session, or a group."""
    SESSION = "session"
    """From submitted to recorded or duplicate, by the clock of Redis."""


class Tried(StrEnum):
    """Which try it is."""

    FIRST = "first"
    AGAIN = "again"


class TriedIn(StrEnum):
    """Where it is tried."""

    CONTENT = "content"
    RECORD = "record"


STAGE_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
SESSION_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 21600.0)
"""Upper bounds of the buckets, in seconds; beyond the last one lies ``+Inf``."""


def bounds(timed: Timed) -> tuple[float, ...]:
    """The upper bounds of its buckets, in seconds, without ``+Inf``."""
    return SESSION_BOUNDS if timed is Timed.SESSION else STAGE_BOUNDS


class Measures:
    """The figures of one process. Safe to share between threads; make it after a fork."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)
        self._counts: Counter[str] = Counter()
        self._timer: Timer | None = None
        self._lock = Lock()

    @contextmanager
    def timing(self, timed: Timed) -> Iterator[None]:
        """Measures the block, whether it ends well or not."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.took(timed, perf_counter() - begun)

    def took(self, timed: Timed, seconds: float) -> None:
        """Notes one duration."""
        limits = bounds(timed)
        at = bisect_left(limits, seconds)
        bucket = str(limits[at]) if at < len(limits) else "+Inf"
        self._add({f"{timed}:{bucket}": 1, f"{timed}:micros": max(0, round(seconds * _MICROS))})

    def tried(self, zone: TriedIn, which: Tried, times: int = 1) -> None:
        """Notes so many tries."""
        self._add({f"tries:{zone}:{which}": times})

    def ages(self, tickets: Sequence[str]) -> list[float]:
        """Seconds since each of these sessions was submitted, those that have ended left out; none without Redis."""
        if not tickets:
            return []
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.time()
                pipe.zmscore(IN_FLIGHT, list(tickets))
                (seconds, micros), since = pipe.execute()
        except redis.RedisError:
            return []
        return [seconds + micros / _MICROS - float(each) for each in since if each is not None]

    def _add(self, counts: Mapping[str, int]) -> None:
        with self._lock:
            self._counts.update(counts)
            if self._timer is None:
                self._timer = self._started()

    def _started(self) -> Timer | None:
        timer = Timer(FLUSH_SECONDS, self.flush)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # the process is ending, or has no room for a thread
            return None
        return timer

    def noted(self) -> dict[str, int]:
        """What is not yet written, by name."""
        with self._lock:
            return dict(self._counts)

    def flush(self) -> None:
        """Writes what was noted; while Redis does not answer it is kept, which takes no more room than the names."""
        with self._lock:
            self._timer = None
            counts, self._counts = self._counts, Counter()
        try:
            with self._redis.pipeline(transaction=True) as pipe:
                for name, count in counts.items():
                    pipe.hincrby(MEASURES, name, count)
                pipe.execute()
        except redis.RedisError:
            with self._lock:
                self._counts.update(counts)

    def close(self) -> None:
        """Writes what is left and ends the thread."""
        with self._lock:
            timer = self._timer
        if timer is not None:
            timer.cancel()
        self.flush()


class Kept:
    """What all processes wrote, as read from Redis. Raises UnavailableError when it does not answer."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)

    def read(self) -> dict[str, int]:
        """The hash, by name."""
        try:
            found = cast(dict[bytes, bytes], self._redis.hgetall(MEASURES))
        except redis.RedisError:
            raise UnavailableError("Redis does not answer: start it, then try again") from None
        return {name.decode(): int(count) for name, count in found.items()}


def buckets(found: Mapping[str, int], timed: Timed) -> tuple[list[tuple[str, float]], float]:
    """The cumulative buckets, as Prometheus counts them, with the sum in seconds."""
    total, cumulated = 0, []
    for bound in (*map(str, bounds(timed)), "+Inf"):
        total += found.get(f"{timed}:{bound}", 0)
        cumulated.append((bound, float(total)))
    return cumulated, found.get(f"{timed}:micros", 0) / _MICROS
