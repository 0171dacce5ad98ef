"""The ledger on Redis: every submission is in flight until it is settled, exactly once (invariant 4).

submitted = recorded + duplicate + dead + in flight holds at every moment because each change is one atomic step: a
submission enters the count and the in-flight set together with its payload, and leaves the set only in the script
that counts its outcome.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Outcome
from habitus_worker import lanes
from habitus_worker.keys import mask_url
from habitus_worker.lanes import BacklogFullError, Lane, Rules, Turn

COUNTS = "habitus:counts"
IN_FLIGHT = "habitus:inflight"
DEAD = "habitus:dead"
OWNERS = "habitus:owners"
PLACES = "habitus:places"


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


def connect(url: str, timeout: float = 2.0) -> redis.Redis:
    """A client that answers or fails at once: no hidden retries, for a command and a hook must not hang."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=timeout, socket_timeout=timeout, retry=Retry(NoBackoff(), 0)
    )


def payload_key(ticket: str) -> str:
    """Where a ticket's sealed payload lies."""
    return f"habitus:payload:{ticket}"


def done_key(ticket: str) -> str:
    """The mark that a ticket's session went on to the record zone."""
    return f"habitus:done:{ticket}"


def _attempts_key(name: str) -> str:
    return f"habitus:attempts:{name}"


def _record_key(ticket: str) -> str:
    return f"habitus:record:{ticket}"


class Ledger:
    """The ledger on one Redis. Every method raises UnavailableError when Redis does not answer."""

    def __init__(self, url: str, ttl: int, rules: Rules = Rules()) -> None:  # noqa: B008 - it is frozen
        self._url = url
        self._ttl = ttl
        self._rules = rules
        self._redis = connect(url)
        scripts = (lanes.SUBMIT, lanes.ATTEMPT, lanes.DONE, lanes.SETTLE, lanes.REVIVE, lanes.LOST)
        self._scripts = {script: self._redis.register_script(script) for script in scripts}

    def _run(self, pipeline: Any) -> list[Any]:
        try:
            return cast(list[Any], pipeline.execute())
        except redis.RedisError as error:
            raise self._unavailable(error) from None

    def _script(self, script: str, *args: str | bytes | float) -> Any:
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
        turn = Turn(self._script(lanes.SUBMIT, *args).decode())
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

    def attempt(self, ticket: str) -> int:
        """Counts one more try, outside the message, and returns how many there were. Forgotten at the time to live."""
        return int(self._script(lanes.ATTEMPT, ticket, self._ttl, self._rules.resend))

    def spare(self, ticket: str) -> None:
        """Takes a try back: a service was down, and the session is not to blame."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.decr(_attempts_key(ticket))
            pipe.expire(_attempts_key(ticket), self._ttl)
            self._run(pipe)

    def keep_record(self, ticket: str, record: dict[str, Any]) -> bool:
        """Keeps the content-free record until the ticket is settled, so that its task can be sent again.

        Returns whether it goes in the live lane.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.set(_record_key(ticket), json.dumps(record), ex=self._ttl)
            pipe.hget(PLACES, ticket)
            place = self._run(pipe)[1]
        return place is None or place.startswith(Lane.LIVE.value.encode())

    def kept_record(self, ticket: str) -> dict[str, Any] | None:
        """The record of a ticket that went on to the record zone and is not settled."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.get(_record_key(ticket))
            found = self._run(pipe)[0]
        return cast("dict[str, Any]", json.loads(found)) if found else None

    def is_done(self, ticket: str) -> bool:
        """Whether the content zone has finished with this ticket."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.exists(done_key(ticket))
            return bool(self._run(pipe)[0])

    def done(self, ticket: str) -> str | None:
        """Marks the ticket as handed on, and burns its payload, in one step.

        Returns the next ticket of its tenant, whose turn it is: send its task in the backfill lane.
        """
        rules = self._rules
        return _ticket(self._script(lanes.DONE, ticket, self._ttl, rules.backfill, rules.resend))

    def settle(self, ticket: str, outcome: Outcome) -> bool:
        """Ends a submission. False when it was ended before: a redelivery changes nothing."""
        return self._end(ticket, outcome, "") is not None

    def bury(self, letter: DeadLetter) -> bool:
        """Ends a submission as a dead letter. False when it was ended before."""
        body = json.dumps({"code": letter.code, "day": letter.day, "record": letter.record})
        return self._end(letter.ticket, Outcome.DEAD, body) is not None

    def _end(self, ticket: str, outcome: Outcome, letter: str) -> Any:
        # A ticket whose turn this makes it is sent by the sweep: that is rare, and not for the record zone to do.
        return self._script(lanes.SETTLE, ticket, outcome.value, letter, self._rules.backfill, self._ttl)

    def revive(self, ticket: str) -> bool:
        """Takes a dead letter back into flight. False when there is none of that ticket."""
        return bool(self._script(lanes.REVIVE, ticket))

    def dead_letters(self) -> list[DeadLetter]:
        """All dead letters, oldest day first."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hgetall(DEAD)
            rows = self._run(pipe)[0]
        return sorted(
            (_letter(ticket.decode(), json.loads(raw)) for ticket, raw in rows.items()),
            key=lambda letter: (letter.day, letter.ticket),
        )

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
        found = self._script(lanes.LOST, older_than, self._rules.resend, waiting)
        return [ticket.decode() for ticket in found]

    def depth(self, queues: Sequence[str]) -> int:
        """How many tasks wait in these queues; 0 where the broker is another one than Redis."""
        with self._redis.pipeline(transaction=False) as pipe:
            for queue in queues:
                pipe.llen(queue)
            return sum(map(int, self._run(pipe)))


def _ticket(found: bytes) -> str | None:
    return found.decode() or None


def _letter(ticket: str, body: dict[str, Any]) -> DeadLetter:
    return DeadLetter(ticket, Code(body["code"]), body["day"], body["record"])
