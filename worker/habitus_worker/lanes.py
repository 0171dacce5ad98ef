"""Back-pressure and fairness: how many sessions may wait, and in what order tenants are served.

There are two lanes, each a pair of queues, and workers empty the live lane first. A tenant has at most `Rules.live`
sessions in the live lane: what it hands in beyond them, and whatever is handed in as a backfill, goes to the backfill
lane. There a tenant has at most `Rules.backfill` tasks with the broker; the rest wait in a list of the tenant's own,
and each session that leaves the content zone lets the next of its tenant in. So the broker's queue mixes the tenants
evenly, however much one of them has handed in.

A ticket's place is kept on Redis as ``<letter>:<tenant>`` until it leaves the content zone. The steps are scripts: each
happens whole or not at all, at the time of Redis's clock and not of a host's.
"""

from dataclasses import dataclass
from enum import StrEnum

from habitus_schema.errors import HabitusError

RETRY_SECONDS = 30
"""What a client is told to wait when the backlog is full."""


class Lane(StrEnum):
    """How a session is handed in; the value is the letter of its place."""

    LIVE = "l"
    BACKFILL = "b"


class Turn(StrEnum):
    """What becomes of a session that was handed in."""

    LIVE = "l"
    OVERFLOW = "o"
    BACKFILL = "b"
    WAITS = "w"
    FULL = "f"


@dataclass(frozen=True, slots=True)
class Rules:
    """How many sessions may be where.

    Attributes:
        backlog: sessions in flight from which on no more are taken; 0: no limit.
        live: sessions of a tenant in the live lane.
        backfill: tasks of a tenant with the broker in the backfill lane.
        resend: seconds after which a task that is not heard of is sent again, when its queue is short.
        lease: seconds after which a record that was taken may be taken by another worker.
    """

    backlog: int = 0
    live: int = 16
    backfill: int = 64
    resend: float = 600
    lease: float = 300


class BacklogFullError(HabitusError):
    """So many sessions are in flight that no more are taken. Nothing of the session at hand was kept."""

    def __init__(self) -> None:
        super().__init__("the backlog is full: wait until the workers have caught up, or add some, then try again")


TIME = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
"""
LEAVE = (
    TIME
    + """
local function take_one_off(hash, tenant)
  if redis.call('HINCRBY', hash, tenant, -1) <= 0 then redis.call('HDEL', hash, tenant) end
end
local function leave(ticket, window)
  local place = redis.call('HGET', 'habitus:places', ticket)
  if not place then return '' end
  local letter, tenant = string.sub(place, 1, 1), string.sub(place, 3)
  redis.call('HDEL', 'habitus:places', ticket)
  if letter ~= 'b' then take_one_off('habitus:live', tenant) end
  if letter == 'l' then return '' end
  take_one_off('habitus:admitted', tenant)
  if tonumber(redis.call('HGET', 'habitus:admitted', tenant) or '0') >= window then return '' end
  local next = redis.call('LPOP', 'habitus:waiting:o:' .. tenant) or redis.call('LPOP', 'habitus:waiting:b:' .. tenant)
  if not next then return '' end
  redis.call('HINCRBY', 'habitus:admitted', tenant, 1)
  redis.call('ZADD', 'habitus:heard', now, next)
  return next
end
"""
)
SUBMIT = (
    TIME
    + """
local ticket, tenant, letter = ARGV[1], ARGV[3], ARGV[6]
if tonumber(ARGV[5]) > 0 and redis.call('ZCARD', 'habitus:inflight') >= tonumber(ARGV[5]) then return 'f' end
redis.call('HSET', 'habitus:owners', ticket, tenant)
redis.call('SET', 'habitus:payload:' .. ticket, ARGV[2], 'EX', ARGV[4])
redis.call('ZADD', 'habitus:inflight', now, ticket)
redis.call('HINCRBY', 'habitus:counts', 'submitted', 1)
redis.call('HINCRBY', 'habitus:counts', 'sealed_bytes', #ARGV[2])
if letter == 'l' and redis.call('HINCRBY', 'habitus:live', tenant, 1) > tonumber(ARGV[7]) then letter = 'o' end
redis.call('HSET', 'habitus:places', ticket, letter .. ':' .. tenant)
if letter ~= 'l' then
  if tonumber(redis.call('HGET', 'habitus:admitted', tenant) or '0') >= tonumber(ARGV[8]) then
    redis.call('RPUSH', 'habitus:waiting:' .. letter .. ':' .. tenant, ticket)
    return 'w'
  end
  redis.call('HINCRBY', 'habitus:admitted', tenant, 1)
end
redis.call('ZADD', 'habitus:heard', now, ticket)
return letter
"""
)
"""ARGV: ticket, payload, tenant, time to live, backlog, lane, live window, backfill window. Gives a `Turn`."""
SETTLE = (
    LEAVE
    + """
local function settle(ticket, outcome, letter)
  redis.call('ZREM', 'habitus:ready:l', ticket)
  redis.call('ZREM', 'habitus:ready:b', ticket)
  if redis.call('ZREM', 'habitus:inflight', ticket) == 0 then return 0 end
  redis.call('HINCRBY', 'habitus:counts', outcome, 1)
  redis.call('ZREM', 'habitus:heard', ticket)
  redis.call('DEL', 'habitus:attempts:' .. ticket, 'habitus:attempts:record:' .. ticket, 'habitus:record:' .. ticket)
  if letter == '' then
    redis.call('HDEL', 'habitus:owners', ticket)
    redis.call('DEL', 'habitus:payload:' .. ticket)
    redis.call('SET', 'habitus:done:' .. ticket, '1', 'EX', ARGV[2])
  else
    redis.call('HSET', 'habitus:dead', ticket, letter)
  end
  leave(ticket, tonumber(ARGV[1]))
  return 1
end
local ended = {}
for at = 3, #ARGV, 3 do ended[#ended + 1] = settle(ARGV[at], ARGV[at + 1], ARGV[at + 2]) end
return ended
"""
)
"""ARGV: backfill window, time to live; then for each ticket its name, outcome and dead letter. Gives 1 for each that it
ended, 0 for one that was ended before. Whose turn that makes it is sent by the sweep: that is rare, and not for the
record zone to do."""
REVIVE = (
    TIME
    + """
if redis.call('HDEL', 'habitus:dead', ARGV[1]) == 0 then return 0 end
redis.call('HINCRBY', 'habitus:counts', 'dead', -1)
redis.call('ZADD', 'habitus:inflight', now, ARGV[1])
if ARGV[2] == '' then
  redis.call('ZADD', 'habitus:heard', now, ARGV[1])
else
  redis.call('SET', 'habitus:record:' .. ARGV[1], ARGV[2], 'EX', ARGV[3])
  redis.call('ZADD', 'habitus:ready:l', now, ARGV[1])
end
return 1
"""
)
"""ARGV: ticket, record (empty: it goes to the content zone), time to live."""
BEGIN = (
    TIME
    + """
if redis.call('EXISTS', 'habitus:done:' .. ARGV[1]) == 1 then return false end
local tries = redis.call('INCR', 'habitus:attempts:' .. ARGV[1])
redis.call('EXPIRE', 'habitus:attempts:' .. ARGV[1], ARGV[2])
if redis.call('ZSCORE', 'habitus:heard', ARGV[1]) then
  redis.call('ZADD', 'habitus:heard', now + tonumber(ARGV[3]), ARGV[1])
end
return {tries, redis.call('GET', 'habitus:payload:' .. ARGV[1])}
"""
)
"""ARGV: ticket, time to live, seconds to resend. Gives the number of this try and the payload; nil when it is done."""
ATTEMPT = """
local tries = redis.call('INCR', 'habitus:attempts:' .. ARGV[1])
redis.call('EXPIRE', 'habitus:attempts:' .. ARGV[1], ARGV[2])
return tries
"""
"""ARGV: name, time to live."""
LOST = (
    TIME
    + """
local room = math.min(1000, redis.call('ZCARD', 'habitus:heard') - tonumber(ARGV[3]))
if room <= 0 then return {} end
local found = redis.call('ZRANGEBYSCORE', 'habitus:heard', '-inf', now - tonumber(ARGV[1]), 'LIMIT', 0, room)
for _, ticket in ipairs(found) do redis.call('ZADD', 'habitus:heard', now + tonumber(ARGV[2]), ticket) end
return found
"""
)
"""ARGV: seconds of silence, seconds until they are given out again, tasks that wait. Gives tickets, at most 1,000."""
