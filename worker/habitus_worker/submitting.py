"""Handing sessions in: seal, count, send. The order matters: what is counted is on Redis, whatever dies after it."""

import secrets
import time
from contextlib import nullcontext

from celery import Celery

from habitus_schema.errors import HabitusError
from habitus_schema.ids import Kind
from habitus_schema.transcript import Transcript
from habitus_tasks.jobs import CONTENT_TASK
from habitus_tasks.pipeline import Caller
from habitus_worker.app import BACKFILL_CONTENT_QUEUE, CONTENT_QUEUE, make_app
from habitus_worker.desks import send
from habitus_worker.keys import KeyRing, load_keys
from habitus_worker.lanes import BacklogFullError, Lane, Rules, Turn
from habitus_worker.ledger import Ledger
from habitus_worker.seal import Submission, seal
from habitus_worker.settings import Settings
from habitus_worker.traces import traces_of

LOOK_SECONDS = 0.2
"""Between two looks for room in the backlog."""


def ledger_of(settings: Settings) -> Ledger:
    """The deployment's ledger, with its rules of how many sessions may be where."""
    rules = Rules(
        settings.max_backlog, settings.live_sessions, settings.backfill_sessions, settings.resend_seconds,
        settings.visibility_timeout,
    )  # fmt: skip
    return Ledger(settings.redis, settings.payload_ttl, rules)


class Submitter:
    """Submits sessions to one deployment.

    Raises (from every method):
        UnavailableError: when Redis does not answer. Nothing of the session at hand was submitted then.
        BacklogFullError: when as many sessions are in flight as `Settings.max_backlog`; nothing was submitted either.
    """

    def __init__(self, settings: Settings, lane: Lane = Lane.LIVE) -> None:
        self._ledger = ledger_of(settings)
        self._ledger.counts()  # a Redis that is not there is said before a file is read
        self._keys: KeyRing = load_keys(settings.keys)
        self._app: Celery = make_app(settings)
        self._lane = lane
        self._traces = traces_of(settings)

    def submit(self, transcript: Transcript, caller: Caller) -> str:
        """Hands one session in and returns its ticket."""
        ticket = secrets.token_hex(16)
        blob = seal(Submission(transcript, caller), self._keys.seal)
        tenant = self._keys.ids.keyed(Kind.TENANT, caller.tenant)
        with self._traces.submitting(ticket, self._lane) if self._traces else nullcontext():
            turn = self._ledger.submit(ticket, blob, tenant, self._lane)
            if turn is not Turn.WAITS:
                send(self._app, CONTENT_TASK, CONTENT_QUEUE if turn is Turn.LIVE else BACKFILL_CONTENT_QUEUE, ticket)
        return ticket


class PatientSubmitter(Submitter):
    """Submits a backfill: it waits for room in the backlog as long as the workers make any."""

    def __init__(self, settings: Settings, patience: float = 60.0) -> None:
        """`patience`: seconds without one session less in flight after which it gives up."""
        super().__init__(settings, Lane.BACKFILL)
        self._patience = patience

    def submit(self, transcript: Transcript, caller: Caller) -> str:
        """Hands one session in, as soon as there is room, and returns its ticket.

        Raises:
            HabitusError: when no worker takes sessions off.
        """
        lowest, since = float("inf"), time.monotonic()
        while True:
            try:
                return super().submit(transcript, caller)
            except BacklogFullError:
                now = self._ledger.counts().in_flight
            if now < lowest:
                lowest, since = now, time.monotonic()
            elif time.monotonic() - since > self._patience:
                raise HabitusError("no worker takes sessions: start some, then run this again; it goes on here")
            time.sleep(LOOK_SECONDS)
