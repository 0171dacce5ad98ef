"""A known trap of Celery on Redis: a worker whose acknowledgement was lost with its connection never fetches again.

The message it could not acknowledge goes on taking up its prefetch slot, so it stops reading from Redis, so it never
sees that its connection is dead (celery issues 8030, 8091, 9054). Seen here with a Redis that was killed while a task
ran. The cure is to make it reconnect: then Redis hands the message on, and the ticket is passed over as done.
"""

from collections.abc import Callable
from typing import Any

from celery.worker import state

CHECK_SECONDS = 1.0
PATIENCE = 3
"""Checks in a row before it counts as lost: between a task's end and its acknowledgement the two may differ."""


def lost_ack_watch(consumer: Any) -> Callable[[], None]:
    """A check to be called every `CHECK_SECONDS` on the worker's own loop.

    It raises ConnectionResetError, which makes Celery restart its consumer, when every slot is taken and no task runs.
    """
    waited = 0

    def check() -> None:
        nonlocal waited
        waited = waited + 1 if _is_full(consumer) and not state.reserved_requests else 0
        if waited >= PATIENCE:
            waited = 0
            raise ConnectionResetError("an acknowledgement was lost with its connection")

    return check


def _is_full(consumer: Any) -> bool:
    # Brokers that keep the slots themselves (RabbitMQ) have no such attribute, and no such trap.
    qos = getattr(getattr(consumer.task_consumer, "channel", None), "qos", None)
    can_consume = getattr(qos, "can_consume", None)
    return can_consume is not None and not can_consume()
