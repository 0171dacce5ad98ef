"""The ledger on Redis: every submission is in flight until it is settled, exactly once (invariant 4).

submitted = recorded + duplicate + dead + in flight holds at every moment because each change is one atomic step: a
submission enters the count and the in-flight set together with its payload, and leaves the set only in the script
that counts its outcome.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import redis

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Outcome
from habitus_worker import lanes
from habitus_worker.keys import mask_url
from habitus_worker.lanes import BacklogFullError, Lane, Rules, Turn
from habitus_worker.redis_address import connect as connect

COUNTS = "habitus:counts"
IN_FLIGHT = "habitus:inflight"
DEAD = "habitus:dead"
OWNERS = "habitus:owners"
READY = ("habitus:ready:l", "habitus:ready:b")
"""Tickets whose record waits for the record zone, of the live and the backfill lane."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The identity's terms, read in one step."""

    submitted: int
    recorded: int
    duplicate: int
    dead: int
    in_flight: int

    @property
    def holds(self) -> bool:
        """Whether submitted = recorded + duplicate + dead + in flight."""
        return self.submitted == self.recorded + self.duplicate + self.dead + self.in_flight


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A submission that was given up.

    Attributes:
        record: the content-free record task that failed, as JSON, when it failed in the record zone; else None, and
            the sealed payload is there until its time to live.
    """

    ticket: str
    code: Code
    day: str
    record: dict[str, Any] | None = None


def payload_key(ticket: str) -> str:
    """Where a ticket's sealed payload lies."""
    return f"habitus:payload:{ticket}"


def done_key(ticket: str) -> str:
    """The mark that a ticket's session went on to the record zone."""
    return f"habitus:done:{ticket}"


def _attempts_key(name: str) -> str:
    return f"habitus:attempts:{name}"


class Ledger:
    """The ledger on one Redis. Every method raises UnavailableError when Redis does not answer."""

    def __init__(self, url: str, ttl: int, rules: Rules = Rules()) -> None:  # noqa: B008 - it is frozen
        self._url = url
        self._ttl = ttl
        self._rules = rules
        self._redis = connect(url)
        self._scripts: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        """How many sessions may be where."""
        return self._rules

    @property
    def ttl(self) -> int:
        """Seconds that what belongs to a session lives on Redis."""
        return self._ttl

    def _run(self, pipeline: Any) -> list[Any]:
        try:
            return cast(list[Any], pipeline.execute())
        except redis.RedisError as error:
            raise self._unavailable(error) from None

    def script(self, script: str, *args: str | bytes | float) -> Any:
        """Runs a script whole or not at all; gives what it gives."""
        if script not in self._scripts:
            self._scripts[script] = self._redis.register_script(script)
        try:
            return self._scripts[script](args=args)
        except redis.RedisError as error:
            raise self._unavailable(error) from None

    def _unavailable(self, error: redis.RedisError) -> UnavailableError:
        # Inside a MULTI or a script the refusal comes as an error of its own kind.
        full = isinstance(error, redis.exceptions.OutOfMemoryError | redis.exceptions.ExecAbortError)
        if full or (isinstance(error, redis.ResponseError) and "OOM command not allowed" in str(error)):
            return UnavailableError(
                "Redis is out of memory and refuses new work: add memory or workers, then try again"
            )
        return UnavailableError(
            f"Redis does not answer at {mask_url(self._url)}: start it (`habitus up` brings its own), then try again"
        )

    def submit(self, ticket: str, blob: bytes, tenant: str, lane: Lane = Lane.LIVE) -> Turn:
        """Puts a sealed payload under a new ticket and counts it, in one step. `tenant` is a keyed id.

        Returns whether its task is to be sent now, and in which lane. One that waits is let in by `done`.

        Raises:
            BacklogFullError: when as many sessions are in flight as may be; it was not counted.
        """
        rules = self._rules
        args = (ticket, blob, tenant, self._ttl, rules.backlog, lane.value, rules.live, rules.backfill)
        turn = Turn(self.script(lanes.SUBMIT, *args).decode())
        if turn is Turn.FULL:
            raise BacklogFullError
        return turn

    def check_room(self, backlog: int) -> None:
        """Says before any work is done what `submit` would say.

        Raises:
            BacklogFullError: when `backlog` sessions are in flight, or more.
        """
        if self.counts().in_flight >= backlog:
            raise BacklogFullError

    def payload(self, ticket: str) -> bytes | None:
        """The sealed payload, or None when it is gone."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.get(payload_key(ticket))
            return cast("bytes | None", self._run(pipe)[0])

    def owner(self, ticket: str) -> str | None:
        """The keyed id of the tenant that submitted it, while it is not settled."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hget(OWNERS, ticket)
            found = self._run(pipe)[0]
            return found.decode() if found else None

    def begin(self, ticket: str) -> tuple[int, bytes | None] | None:
        """Counts one more try of the content zone, outside the message. None: the content zone has finished with it.

        Returns how many tries there were, and the sealed payload, or None when that is gone.
        """
        found = self.script(lanes.BEGIN, ticket, self._ttl, self._rules.resend)
        return None if found is None else (int(found[0]), found[1])

    def attempt(self, name: str) -> int:
        """Counts one more try, outside the message, and returns how many there were. Forgotten at the time to live."""
        return int(self.script(lanes.ATTEMPT, name, self._ttl))

    def spare(self, ticket: str) -> None:
        """Takes a try back: a service was down, and the session is not to blame."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.decr(_attempts_key(ticket))
            pipe.expire(_attempts_key(ticket), self._ttl)
            self._run(pipe)

    def settle(self, outcomes: Mapping[str, Outcome]) -> list[bool]:
        """Ends submissions, each with its outcome. False for one that was ended before: that changes nothing."""
        return self._end([(ticket, outcome, "") for ticket, outcome in outcomes.items()])

    def bury(self, letter: DeadLetter) -> bool:
        """Ends a submission as a dead letter. False when it was ended before."""
        body = json.dumps({"code": letter.code, "day": letter.day, "record": letter.record})
        return self._end([(letter.ticket, Outcome.DEAD, body)])[0]

    def _end(self, ends: Sequence[tuple[str, Outcome, str]]) -> list[bool]:
        words = [word for ticket, outcome, letter in ends for word in (ticket, outcome.value, letter)]
        return [bool(ended) for ended in self.script(lanes.SETTLE, self._rules.backfill, self._ttl, *words)]

    def revive(self, ticket: str, record: dict[str, Any] | None = None) -> bool:
        """Takes a dead letter back into flight: to the record zone with its record, else to the content zone, whose
        task is to be sent. False when there is none of that ticket.
        """
        return bool(self.script(lanes.REVIVE, ticket, json.dumps(record) if record else "", self._ttl))

    def dead_letters(self) -> list[DeadLetter]:
        """All dead letters, oldest day first."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hgetall(DEAD)
            rows = self._run(pipe)[0]
        return sorted(
            (_letter(ticket.decode(), json.loads(raw)) for ticket, raw in rows.items()),
            key=lambda letter: (letter.day, letter.ticket),
        )

    def retriable(self, letters: Sequence[DeadLetter]) -> int:
        """How many of these dead letters can still be sent again: the payload of any other is gone."""
        with self._redis.pipeline(transaction=False) as pipe:
            for letter in letters:
                if letter.record is None:
                    pipe.exists(payload_key(letter.ticket))
            sealed = sum(self._run(pipe))
        return int(sealed) + sum(letter.record is not None for letter in letters)

    def counts(self) -> Counts:
        """The identity's terms, in one step."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hgetall(COUNTS)
            pipe.zcard(IN_FLIGHT)
            raw, in_flight = self._run(pipe)
        number = {name.decode(): int(value) for name, value in raw.items()}
        return Counts(
            number.get("submitted", 0), number.get("recorded", 0), number.get("duplicate", 0),
            number.get("dead", 0), int(in_flight),
        )  # fmt: skip

    def drop(self, ticket: str) -> bool:
        """Burns a dead letter and its payload; it stays counted. False when there is none of that ticket."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hdel(DEAD, ticket)
            pipe.hdel(OWNERS, ticket)
            pipe.delete(payload_key(ticket))
            return bool(self._run(pipe)[0])

    def lost(self, older_than: float, waiting: int = 0) -> list[str]:
        """Tickets whose task was sent, or was to be sent, and not heard of for more than `older_than` seconds.

        Each is given out again after `Rules.resend` at the earliest, and so is one that was tried. No more than there
        are sessions under way beyond the `waiting` tasks: copies never fill a queue. At most 1,000.
        """
        found = self.script(lanes.LOST, older_than, self._rules.resend, waiting)
        return [ticket.decode() for ticket in found]


def _letter(ticket: str, body: dict[str, Any]) -> DeadLetter:
    return DeadLetter(ticket, Code(body["code"]), body["day"], body["record"])
