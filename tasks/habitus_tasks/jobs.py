"""The Celery shells of the two zones: a few lines each over `zones`. No error text crosses them.

A failure of any kind puts the message back (the attempt was counted outside it, so a poison session ends as a dead
letter); only its class name is logged. A service that is down is waited for, so that the outage costs no attempts.
"""

import re
import secrets
import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery
from celery.exceptions import Reject

from habitus_schema.errors import UnavailableError
from habitus_schema.models import Ticket
from habitus_tasks.zones import ContentDesk, RecordDesk, buried_step, content_step, record_step

CONTENT_TASK = "habitus.content"
RECORD_TASK = "habitus.record"
BURIED_TASK = "habitus.buried"
OUTAGE_PAUSE = 1.0
"""Seconds to wait before a message goes back while a service is down, so that an outage does not spin."""

_TASK = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TICKET = re.compile("[0-9a-f]{32}")
_log = structlog.get_logger("habitus.jobs")


def _guarded(ticket: Ticket, step: Callable[[], None]) -> None:
    """Runs one step of a session. A ticket that is none is dropped unseen."""
    if type(ticket) is not str or not _TICKET.fullmatch(ticket):
        _log.error("not_a_ticket")  # sent by a stranger: no key and no dead letter may be named by it
        return
    _put_back_on_failure(step, ticket=ticket)


def _put_back_on_failure(step: Callable[[], None], **ids: str) -> None:
    """Runs one step; on any failure the message goes back to its queue."""
    try:
        step()
    except UnavailableError:
        _log.warning("service_unavailable", **ids)
        time.sleep(OUTAGE_PAUSE)
        raise Reject("service unavailable", requeue=True) from None
    except Exception as error:  # noqa: BLE001 - whatever it is, its text may quote a transcript
        _log.error("step_failed", error=type(error).__name__, **ids)
        raise Reject("step failed", requeue=True) from None


def register_content(app: Celery, desk: Callable[[], ContentDesk]) -> None:
    """Registers the content zone's task. `desk` is called in the process that runs it, after any fork."""

    @app.task(name=CONTENT_TASK, shared=False)  # type: ignore[untyped-decorator]
    def digest_session(ticket: str) -> None:
        _guarded(ticket, lambda: content_step(desk(), ticket))


def register_record(app: Celery, desk: Callable[[], RecordDesk]) -> None:
    """Registers the record zone's tasks."""

    @app.task(name=RECORD_TASK, shared=False, bind=True)  # type: ignore[untyped-decorator]
    def record_ready(task: Any, *_: Any, **__: Any) -> None:
        """A call to see what is ready. What else a message holds is not looked at."""
        _put_back_on_failure(lambda: record_step(desk(), _named(task.request.id)))

    @app.task(name=BURIED_TASK, shared=False)  # type: ignore[untyped-decorator]
    def log_dead_letter(ticket: str, code: str, tenant: str, day: str) -> None:
        _guarded(ticket, lambda: buried_step(desk(), ticket, code, tenant, day))


def _named(task: object) -> str:
    """The task's own name when it has the form that Celery gives: a key on Redis is made of it."""
    return task if isinstance(task, str) and _TASK.fullmatch(task) else secrets.token_hex(16)
