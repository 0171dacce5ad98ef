"""What waits on Redis: how long the oldest session has, how many there are, whose a dead letter is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import redis

from habitus_schema.errors import UnavailableError
from habitus_worker.app import CONTENT_QUEUES, RECORD_QUEUES
from habitus_worker.ledger import IN_FLIGHT, OWNERS, connect


@dataclass(frozen=True, slots=True)
class Waiting:
    """Attributes:
    oldest: seconds since the oldest session in flight was handed in; 0 when none is.
    depth: tasks in each queue.
    """

    oldest: float
    depth: dict[str, int]


class Queue:
    """The queue on one Redis. Every method raises UnavailableError when it does not answer."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)

    def waiting(self) -> Waiting:
        """What waits now."""
        queues = (*CONTENT_QUEUES, *RECORD_QUEUES)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zrange(IN_FLIGHT, 0, 0, withscores=True)
            for queue in queues:
                pipe.llen(queue)
            first, *lengths = _run(pipe)
        oldest = max(0.0, time.time() - float(first[0][1])) if first else 0.0
        return Waiting(oldest, dict(zip(queues, map(int, lengths), strict=True)))

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
