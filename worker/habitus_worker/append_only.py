"""The embedded Redis's append-only file: what was burned in Redis lies in it, sealed, until it is rewritten.

The sealing key lies in the same folder, so for who has the folder a sealed payload is a readable one.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import redis

from habitus_schema.errors import UnavailableError
from habitus_worker.ledger import DEAD, Counts, connect

QUIET_SECONDS = 30.0
"""At most so often is the file of a running stack rewritten because nothing is in flight."""
GROWN_BYTES = 64 * 1024
"""What the file may gain while no session ends and no dead letter goes: the broker's own notes, mostly."""
_WAIT_SECONDS = 60.0
_REDIS_FILES = ("appendonly.aof", "appendonlydir")
"""Up to Redis 6, and from Redis 7 on."""


def has_file(home: Path) -> bool:
    """Whether a Redis has ever run in this folder."""
    return any((home / name).exists() for name in _REDIS_FILES)


def rewrite(url: str) -> None:
    """Rewrites the file with what Redis holds now and nothing else, and waits until that is done.

    Raises:
        UnavailableError: when Redis does not answer, or cannot do it.
    """
    deadline = time.monotonic() + _WAIT_SECONDS
    try:
        with connect(url) as client:
            _wait(client, deadline)  # one under way may have begun before the last payload was burned
            client.bgrewriteaof()
            if _wait(client, deadline)["aof_last_bgrewrite_status"] == "ok":
                return
    except redis.RedisError:
        pass
    raise UnavailableError("Redis did not rewrite its append-only file: see redis.log in the data folder")


def _wait(client: redis.Redis, deadline: float) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = client.info("persistence")
        if not (told["aof_rewrite_in_progress"] or told["aof_rewrite_scheduled"]):
            return told
        if time.monotonic() > deadline:
            raise redis.TimeoutError
        time.sleep(0.005)


@contextmanager
def nothing_burned_kept(url: str) -> Iterator[None]:
    """Rewrites the file when the block begins (a stack that was killed did not) and when it ends."""
    with suppress(UnavailableError):
        rewrite(url)
    try:
        yield
    finally:
        with suppress(UnavailableError):  # Redis may be what ended the block
            rewrite(url)


class QuietRewrite:
    """Rewrites the file of a running stack when nothing is in flight and something was burned.

    Under a load that never pauses Redis does so by itself, whenever the file has doubled (`habitus_worker.embedded`).
    """

    def __init__(self, url: str) -> None:
        self._client = connect(url)
        self._last: tuple[Counts, int] | None = None
        self._not_before = 0.0

    def __call__(self, counts: Counts) -> bool:
        """Looks, with the ledger's counts of now; returns whether a rewrite was begun.

        Raises:
            UnavailableError: when Redis does not answer.
        """
        if counts.in_flight or time.monotonic() < self._not_before:
            return False
        try:
            return self._begun(counts)
        except redis.ResponseError:
            return False  # one is under way: the next look is soon
        except redis.RedisError:
            raise UnavailableError(
                "Redis does not answer: see redis.log in the data folder, then start again"
            ) from None

    def _begun(self, counts: Counts) -> bool:
        now = counts, self._client.hlen(DEAD)
        if now == self._last and self._gained() < GROWN_BYTES:
            return False
        self._client.bgrewriteaof()
        self._last, self._not_before = now, time.monotonic() + QUIET_SECONDS
        return True

    def _gained(self) -> int:
        told: dict[str, Any] = self._client.info("persistence")
        return int(told["aof_current_size"]) - int(told["aof_base_size"])
