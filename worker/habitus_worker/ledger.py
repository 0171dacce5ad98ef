"""The ledger on Redis: every submission is in flight until it is settled, exactly once (invariant 4).

submitted = recorded + duplicate + dead + in flight holds at every moment because each change is one atomic step: a
submission enters the count and the in-flight set together with its payload, and leaves the set only in the script
that counts its outcome.
"""

import json
import time
from dataclasses import dataclass
from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Outcome
from habitus_worker.keys import mask_url

COUNTS = "habitus:counts"
IN_FLIGHT = "habitus:inflight"
DEAD = "habitus:dead"
OWNERS = "habitus:owners"

RESEND_SECONDS = 3600

_SETTLE = """
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
  redis.call('DEL', KEYS[5], KEYS[6])
  if ARGV[3] == '' then redis.call('HDEL', KEYS[4], ARGV[1]) else redis.call('HSET', KEYS[3], ARGV[1], ARGV[3]) end
  return 1
end
return 0
"""
_REVIVE = """
if redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[2], 'dead', -1)
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  return 1
end
return 0
"""


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


def _resent_key(ticket: str) -> str:
    return f"habitus:resent:{ticket}"


class Ledger:
    """The ledger on one Redis. Every method raises UnavailableError when Redis does not answer."""

    def __init__(self, url: str, ttl: int) -> None:
        self._url = url
        self._ttl = ttl
        self._redis = connect(url)
        self._settle = self._redis.register_script(_SETTLE)
        self._revive = self._redis.register_script(_REVIVE)

    def _run(self, pipeline: Any) -> list[Any]:
        try:
            return cast(list[Any], pipeline.execute())
        except redis.RedisError as error:
            raise self._unavailable(error) from None

    def _unavailable(self, error: redis.RedisError) -> UnavailableError:
        # Inside a MULTI the refusal comes as an aborted transaction; nothing else here can abort one.
        if isinstance(error, redis.exceptions.OutOfMemoryError | redis.exceptions.ExecAbortError):
            return UnavailableError(
                "Redis is out of memory and refuses new work: add memory or workers, then try again"
            )
        return UnavailableError(
            f"Redis does not answer at {mask_url(self._url)}: start it (`habitus up` brings its own), then try again"
        )

    def submit(self, ticket: str, blob: bytes, tenant: str) -> None:
        """Puts a sealed payload under a new ticket and counts it, in one step. `tenant` is a keyed id."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hset(OWNERS, ticket, tenant)
            pipe.set(payload_key(ticket), blob, ex=self._ttl)
            pipe.zadd(IN_FLIGHT, {ticket: time.time()})
            pipe.hincrby(COUNTS, "submitted", 1)
            self._run(pipe)

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
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(_attempts_key(ticket))
            pipe.expire(_attempts_key(ticket), self._ttl)
            return int(self._run(pipe)[0])

    def is_done(self, ticket: str) -> bool:
        """Whether the content zone has finished with this ticket."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.exists(done_key(ticket))
            return bool(self._run(pipe)[0])

    def done(self, ticket: str) -> None:
        """Marks the ticket as handed on, and burns its payload, in one step."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.set(done_key(ticket), b"1", ex=self._ttl)
            pipe.delete(payload_key(ticket))
            pipe.delete(_attempts_key(ticket))
            self._run(pipe)

    def settle(self, ticket: str, outcome: Outcome) -> bool:
        """Ends a submission. False when it was ended before: a redelivery changes nothing."""
        return self._script(self._settle, ticket, outcome.value, "")

    def bury(self, letter: DeadLetter) -> bool:
        """Ends a submission as a dead letter. False when it was ended before."""
        body = json.dumps({"code": letter.code, "day": letter.day, "record": letter.record})
        return self._script(self._settle, letter.ticket, Outcome.DEAD.value, body)

    def revive(self, ticket: str) -> bool:
        """Takes a dead letter back into flight. False when there is none of that ticket."""
        return self._script(self._revive, ticket, str(time.time()))

    def _script(self, script: Any, *args: str) -> bool:
        attempts = (_attempts_key(args[0]), _attempts_key(f"record:{args[0]}"))
        try:
            return bool(script(keys=[IN_FLIGHT, COUNTS, DEAD, OWNERS, *attempts], args=args))
        except redis.RedisError as error:
            raise self._unavailable(error) from None

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

    def lost(self, older_than: float) -> list[str]:
        """Tickets in flight for more than `older_than` seconds that the content zone never tried: their task was lost.

        Each is given out once an hour at most, so that a long queue is not filled up with copies. At most 1,000.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.zrangebyscore(IN_FLIGHT, "-inf", time.time() - older_than, start=0, num=1000)
            tickets = [ticket.decode() for ticket in self._run(pipe)[0]]
        with self._redis.pipeline(transaction=False) as pipe:
            for ticket in tickets:
                pipe.exists(_attempts_key(ticket))
                pipe.exists(done_key(ticket))
                pipe.exists(_resent_key(ticket))
            marks = self._run(pipe)
        fresh = [ticket for at, ticket in enumerate(tickets) if not any(marks[3 * at : 3 * at + 3])]
        with self._redis.pipeline(transaction=False) as pipe:
            for ticket in fresh:
                pipe.set(_resent_key(ticket), b"1", ex=RESEND_SECONDS)
            self._run(pipe)
        return fresh


def _letter(ticket: str, body: dict[str, Any]) -> DeadLetter:
    return DeadLetter(ticket, Code(body["code"]), body["day"], body["record"])
