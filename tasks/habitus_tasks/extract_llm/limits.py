"""How much and how often the endpoint is asked: tokens, requests a minute, and a breaker when it keeps failing."""

import time
from collections.abc import Callable
from threading import Lock

from habitus_tasks.extract_llm.faults import Fault, LlmError

Clock = Callable[[], float]
MINUTE = 60.0
BYTES_A_TOKEN = 3
"""A low guess, so that the estimate of tokens is a high one: English has about four, Chinese about three."""


def tokens_of(text: str) -> int:
    """About how many tokens a text is, on the high side."""
    return len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN + 1


class RateLimiter:
    """Gives out turns at most so often: evenly spaced, after a burst of a tenth of a minute's worth.

    It is the generic cell rate algorithm (ITU-T I.371): `_next` is when the next turn would be due if all were taken
    evenly; it may lie at most the burst ahead. Safe between threads.
    """

    def __init__(
        self, per_minute: int, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._gap = MINUTE / per_minute
        self._burst = self._gap * max(per_minute // 10 - 1, 0)
        self._clock, self._sleep = clock, sleep
        self._lock, self._next = Lock(), clock()

    def take(self, until: float) -> None:
        """Waits for a turn.

        Raises:
            LlmError: RATE_LIMITED, at once and without taking it, when the turn would come after `until`.
        """
        with self._lock:
            now = self._clock()
            due = max(self._next - self._burst, now)
            if due > until:
                raise LlmError(Fault.RATE_LIMITED)
            self._next = max(self._next, now) + self._gap
        if due > now:
            self._sleep(due - now)


class Breaker:
    """Opens after `failures` in a row; `seconds` later it lets one through, which closes it or opens it anew."""

    def __init__(self, failures: int, seconds: float, clock: Clock = time.monotonic) -> None:
        self._limit, self._seconds, self._clock = failures, seconds, clock
        self._lock, self._failed, self._closed_until = Lock(), 0, 0.0

    def allows(self) -> bool:
        """Whether the endpoint may be asked now. Of those that ask after an opening, only the first may."""
        with self._lock:
            if self._failed < self._limit:
                return True
            if self._clock() < self._closed_until:
                return False
            self._closed_until = self._clock() + self._seconds
            return True

    def succeeded(self) -> None:
        """The endpoint helped."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """It did not."""
        with self._lock:
            self._failed += 1
            if self._failed >= self._limit:
                self._closed_until = self._clock() + self._seconds
