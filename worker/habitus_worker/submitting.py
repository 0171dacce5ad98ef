"""Handing sessions in: seal, count, send. The order matters: what is counted is on Redis, whatever dies after it."""

import secrets

from celery import Celery

from habitus_schema.ids import Kind
from habitus_schema.transcript import Transcript
from habitus_tasks.jobs import CONTENT_TASK
from habitus_tasks.pipeline import Caller
from habitus_worker.app import CONTENT_QUEUE, make_app
from habitus_worker.desks import send
from habitus_worker.keys import KeyRing, load_keys
from habitus_worker.ledger import Ledger
from habitus_worker.seal import Submission, seal
from habitus_worker.settings import Settings


class Submitter:
    """Submits sessions to one deployment.

    Raises (from every method):
        UnavailableError: when Redis does not answer. Nothing of the session at hand was submitted then.
    """

    def __init__(self, settings: Settings) -> None:
        self._ledger = Ledger(settings.redis, settings.payload_ttl)
        self._ledger.counts()  # a Redis that is not there is said before a file is read
        self._keys: KeyRing = load_keys(settings.keys)
        self._app: Celery = make_app(settings)

    def submit(self, transcript: Transcript, caller: Caller) -> str:
        """Hands one session in and returns its ticket."""
        ticket = secrets.token_hex(16)
        blob = seal(Submission(transcript, caller), self._keys.seal)
        self._ledger.submit(ticket, blob, self._keys.ids.keyed(Kind.TENANT, caller.tenant))
        send(self._app, CONTENT_TASK, CONTENT_QUEUE, ticket)
        return ticket
