"""Receipts: who hands the same session in twice gets the same receipt, and one submission.

Under the session's keyed id lies, for as long as a payload may live, the ticket with a keyed digest of what was handed
in: the same again is not submitted again, a resumed session is (the record zone counts what is new in it). The receipt
is written after the submission: whoever dies between the two submits once more, and the record zone settles the second
one as a duplicate. So nothing is lost, and nothing counts twice.
"""

import hashlib

import redis

from habitus_schema.errors import UnavailableError
from habitus_schema.ids import IdKeys, Kind
from habitus_schema.transcript import Transcript
from habitus_tasks.identity import message_ids
from habitus_tasks.pipeline import Caller
from habitus_worker.ledger import connect

_DOWN = "Redis does not answer: start it, then try again"


class Receipts:
    """The receipts on one Redis. Every method raises UnavailableError when it does not answer."""

    def __init__(self, url: str, ttl: int) -> None:
        self._redis = connect(url)
        self._ttl = ttl

    def find(self, name: str, digest: str) -> str | None:
        """The ticket of the same session with the same content, if it was handed in before."""
        try:
            found = self._redis.get(_key(name))
        except redis.RedisError:
            raise UnavailableError(_DOWN) from None
        before, _, ticket = found.decode().partition(" ") if isinstance(found, bytes) else ("", "", "")
        return ticket if before == digest else None

    def keep(self, name: str, digest: str, ticket: str) -> None:
        """Notes that the session was handed in under `ticket`."""
        try:
            self._redis.set(_key(name), f"{digest} {ticket}", ex=self._ttl)
        except redis.RedisError:
            raise UnavailableError(_DOWN) from None


def name_of(transcript: Transcript, caller: Caller, keys: IdKeys) -> str | None:
    """The keyed id by which a session is recognised; None for one without an id and without a message of the person."""
    user = caller.user or transcript.user_id
    own = transcript.session_id or next((mid for mid in message_ids(transcript, keys.first) if mid), "")
    return keys.first.keyed(Kind.SESSION, caller.tenant, user, own) if own else None


def digest_of(transcript: Transcript, caller: Caller, keys: IdKeys) -> str:
    """A keyed digest of all that the record zone may come to know of the session."""
    digest = hashlib.blake2b(key=keys.first.secret, digest_size=16, person=b"receipt")
    said = [caller.user or transcript.user_id, caller.context or transcript.task_context, str(transcript.ended_at)]
    for turn in transcript.turns:
        said += [turn.speaker, turn.kind, turn.identity, turn.text, turn.proposed, turn.kept, turn.path]
    for each in said:
        data = each.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _key(name: str) -> str:
    return f"habitus:receipt:{name}"
