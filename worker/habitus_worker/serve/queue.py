"""What waits: how long the oldest session has, how many there are, whose a dead letter is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import redis

from habitus_schema.errors import UnavailableError
from habitus_worker.app import CONTENT_QUEUES, RECORD_QUEUES
from habitus_worker.broker import depths
from habitus_worker.ledger import COUNTS, IN_FLIGHT, OWNERS, READY, connect
from habitus_worker.settings import Settings


@dataclass(frozen=True, slots=True)
class Waiting:
    """Attributes:
    oldest: seconds since the oldest session in flight was handed in; 0 when none is.
    depth: tasks in each queue, and in those of the record zone the records that are not settled.
    """

    oldest: float
    depth: dict[str, int]


class Queue:
    """The queue of one deployment. Every method raises UnavailableError when Redis or the broker does not answer."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._redis = settings, connect(settings.redis)

    def waiting(self) -> Waiting:
        """What waits now."""
        queues = (*CONTENT_QUEUES, *RECORD_QUEUES)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zrange(IN_FLIGHT, 0, 0, withscores=True)
            for lane in READY:
                pipe.zcard(lane)
            first, *ready = _run(pipe)
        oldest = max(0.0, time.time() - float(first[0][1])) if first else 0.0
        depth = dict(zip(queues, depths(self._settings, queues), strict=True))
        for queue, records in zip(RECORD_QUEUES, ready, strict=True):
            depth[queue] += int(records)
        return Waiting(oldest, depth)

    def sealed_bytes(self) -> int:
        """How many bytes of sealed sessions were ever submitted."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hget(COUNTS, "sealed_bytes")
            return int(_run(pipe)[0] or 0)

    def owners(self, tickets: Sequence[str]) -> list[str | None]:
        """For each ticket that is not settled, or is a dead letter, its tenant's keyed id."""
        if not tickets:
            return []
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hmget(OWNERS, list(tickets))
            (found,) = _run(pipe)
        return [each.decode() if each else None for each in found]


def _run(pipe: Any) -> list[Any]:
    try:
        return cast(list[Any], pipe.execute())
    except redis.RedisError:
        raise UnavailableError("Redis does not answer: start it, then try again") from None
