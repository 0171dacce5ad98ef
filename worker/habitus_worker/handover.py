"""From the content zone to the record zone: content-free records lie on Redis until they are settled.

A record that is ready is listed by its ticket, in its lane, with the time from which it may be taken. The content zone
lists it in the step that burns the payload, and then calls the record zone: one task a call, not one a session. The
task takes what is ready, many sessions at once, for one transaction. Whoever takes a record has it for
`Rules.lease` seconds; then it may be taken again. A task that is delivered again first takes what it had.

A record that was in a group which came to nothing (its worker was killed, or the transaction was refused) is taken
alone from then on, and only then is the try counted: a bad session costs no other one a try.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from habitus_tasks.zones import Ready
from habitus_worker.lanes import LEAVE, TIME, Lane
from habitus_worker.ledger import Ledger

AT_ONCE = 32
"""Sessions in one transaction. On SQLite other writers wait for it, on PostgreSQL those of the same people."""
GATHERING_SECONDS = 15
"""After which a task that gathers and took nothing more counts as ended. A second one beside it does no harm."""
CALL_SECONDS = 10
"""How long a call counts as on its way. Another one too many finds nothing ready and ends."""

_CALL = """
local function call(letter, at_once, seconds)
  redis.call('ZREMRANGEBYSCORE', 'habitus:gathering', '-inf', now)
  local due = redis.call('ZCOUNT', 'habitus:ready:l', '-inf', now)
  due = due + redis.call('ZCOUNT', 'habitus:ready:b', '-inf', now)
  if due <= redis.call('ZCARD', 'habitus:gathering') * at_once then return '' end
  if not redis.call('SET', 'habitus:called:' .. letter, '1', 'NX', 'EX', seconds) then return '' end
  return letter
end
"""
_HAND_ON = (
    LEAVE
    + _CALL
    + """
local ticket = ARGV[1]
if not redis.call('ZSCORE', 'habitus:inflight', ticket) then return {'', ''} end
local place = redis.call('HGET', 'habitus:places', ticket)
local letter = (not place or string.sub(place, 1, 1) == 'l') and 'l' or 'b'
redis.call('SET', 'habitus:record:' .. ticket, ARGV[2], 'EX', ARGV[3])
redis.call('ZADD', 'habitus:ready:' .. letter, 'NX', now, ticket)
redis.call('ZREM', 'habitus:heard', ticket)
redis.call('DEL', 'habitus:payload:' .. ticket, 'habitus:attempts:' .. ticket)
redis.call('SET', 'habitus:done:' .. ticket, '1', 'EX', ARGV[3])
return {leave(ticket, tonumber(ARGV[4])), call(letter, tonumber(ARGV[5]), ARGV[6])}
"""
)
"""ARGV: ticket, record, time to live, backfill window, records at once, seconds of a call. Gives the next ticket of its
tenant, or nothing, and the lane in which the record zone is to be called, or nothing."""
_TAKE = (
    TIME
    + """
local holder, most = ARGV[1], tonumber(ARGV[2])
local ready, taken = {'habitus:ready:l', 'habitus:ready:b'}, 'habitus:taken:' .. holder
if ARGV[6] == '1' then
  redis.call('DEL', 'habitus:called:l', 'habitus:called:b')
  for _, ticket in ipairs(redis.call('SMEMBERS', taken)) do
    for _, key in ipairs(ready) do redis.call('ZADD', key, 'XX', 0, ticket) end
  end
end
redis.call('DEL', taken)
redis.call('ZADD', 'habitus:gathering', now + tonumber(ARGV[4]), holder)
local found, seen, alone = {}, {}, false
for _, key in ipairs(ready) do
  for _, ticket in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', now, 'LIMIT', 0, most)) do
    if alone or #found >= most then break end
    local tried = redis.call('GET', 'habitus:attempts:record:' .. ticket)
    if not seen[ticket] and (#found == 0 or not tried) then
      seen[ticket] = true  -- one that is listed in both lanes must not come twice
      found[#found + 1] = ticket
      alone = tried
    end
  end
end
local given = {}
for _, ticket in ipairs(found) do
  local attempts, tries = 'habitus:attempts:record:' .. ticket, 0
  for _, key in ipairs(ready) do redis.call('ZADD', key, 'XX', now + tonumber(ARGV[3]), ticket) end
  redis.call('SADD', taken, ticket)
  if #found == 1 then
    tries = redis.call('INCR', attempts)
    redis.call('EXPIRE', attempts, ARGV[5])
  else
    redis.call('SET', attempts, '0', 'EX', ARGV[5])
  end
  given[#given + 1] = {ticket, redis.call('GET', 'habitus:record:' .. ticket), tries}
end
if #found > 0 then redis.call('EXPIRE', taken, ARGV[5]) end
return given
"""
)
"""ARGV: holder, records at once, seconds of the lease, of the gathering, time to live, whether it is the first take of
a task. Gives for each its ticket, its record and the number of the try, which is 0 in a group."""
_GIVE_BACK = (
    TIME
    + """
for at = 2, #ARGV do
  local ticket, attempts = ARGV[at], 'habitus:attempts:record:' .. ARGV[at]
  redis.call('ZADD', 'habitus:ready:l', 'XX', now, ticket)
  redis.call('ZADD', 'habitus:ready:b', 'XX', now, ticket)
  if ARGV[1] == '1' then
    local tries = tonumber(redis.call('GET', attempts) or '0')
    if tries > 1 then redis.call('DECR', attempts) else redis.call('DEL', attempts) end
  end
end
"""
)
"""ARGV: whether the try is taken back, then tickets."""
_LEAVE_OFF = (
    TIME
    + _CALL
    + """
redis.call('ZREM', 'habitus:gathering', ARGV[1])
redis.call('DEL', 'habitus:taken:' .. ARGV[1])
local letter = redis.call('ZCOUNT', 'habitus:ready:l', '-inf', now) > 0 and 'l' or 'b'
return call(letter, tonumber(ARGV[2]), ARGV[3])
"""
)
"""ARGV: holder, records at once, seconds of a call. Gives the lane in which the record zone is to be called again."""
_OVERDUE = (
    TIME
    + """
for _, letter in ipairs({'l', 'b'}) do
  if redis.call('ZCOUNT', 'habitus:ready:' .. letter, '-inf', now - tonumber(ARGV[1])) > 0 then return letter end
end
return ''
"""
)
"""ARGV: seconds. Gives the lane of a record that could have been taken for longer."""
_LIST = (
    TIME
    + """
if redis.call('EXISTS', 'habitus:record:' .. ARGV[1]) == 0 then return 0 end
if not redis.call('ZSCORE', 'habitus:ready:b', ARGV[1]) then
  redis.call('ZADD', 'habitus:ready:l', 'NX', now, ARGV[1])
end
redis.call('ZREM', 'habitus:heard', ARGV[1])
return 1
"""
)
"""ARGV: ticket. Gives whether there is a record of it."""


@dataclass(frozen=True, slots=True)
class Next:
    """What is to be sent after a record was handed on.

    Attributes:
        ticket: the next session of its tenant, whose turn it is, in the backfill lane.
        call: the lane in which the record zone is to be called.
    """

    ticket: str | None
    call: Lane | None


class Handover:
    """Both zones' side of it, on the ledger's Redis. Every method raises UnavailableError when that does not answer."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def hand_on(self, ticket: str, record: dict[str, Any]) -> Next:
        """Lists a record as ready, marks its ticket done and burns its payload, in one step.

        Changes nothing when the submission was ended meanwhile, or is handed on already.
        """
        ttl, window = self._ledger.ttl, self._ledger.rules.backfill
        body = json.dumps(record, separators=(",", ":"))
        following, call = self._ledger.script(_HAND_ON, ticket, body, ttl, window, AT_ONCE, CALL_SECONDS)
        return Next(following.decode() or None, _lane(call))

    def take(self, holder: str, *, first: bool) -> list[Ready]:
        """Up to `AT_ONCE` records that are ready, the live lane first; nobody else is given them for the lease.

        `holder`: names the task in a closed form; `first`: what it had when it was delivered before comes first.
        """
        rules, ttl = self._ledger.rules, self._ledger.ttl
        found = self._ledger.script(_TAKE, holder, AT_ONCE, rules.lease, GATHERING_SECONDS, ttl, int(first))
        return [Ready(ticket.decode(), json.loads(body) if body else None, tries) for ticket, body, tries in found]

    def give_back(self, tickets: Sequence[str], *, spare: bool) -> None:
        """Lets taken records be taken again at once. `spare`: as if they had not been tried."""
        self._ledger.script(_GIVE_BACK, int(spare), *tickets)

    def leave_off(self, holder: str) -> Lane | None:
        """The task takes no more. Returns the lane in which to call again, when something is ready."""
        return _lane(self._ledger.script(_LEAVE_OFF, holder, AT_ONCE, CALL_SECONDS))

    def overdue(self, seconds: float) -> Lane | None:
        """The lane in which a record could have been taken for longer than `seconds`: the call was lost."""
        return _lane(self._ledger.script(_OVERDUE, seconds))

    def list_kept(self, ticket: str) -> bool:
        """Lists a ticket as ready if its record is kept; returns whether it is."""
        return bool(self._ledger.script(_LIST, ticket))


def _lane(letter: bytes) -> Lane | None:
    return Lane(letter.decode()) if letter else None
