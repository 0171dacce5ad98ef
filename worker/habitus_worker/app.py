"""The Celery app: two queues, JSON tickets, acks late, no results, nothing of an argument in names, events or errors.

Why each setting: the traps were measured (docs/operations.md). Which broker: `habitus_worker.broker`.
"""

from typing import Any

from celery import Celery

from habitus_worker.broker import broker_of, is_redis
from habitus_worker.settings import Settings

CONTENT_QUEUE = "habitus.content"
RECORD_QUEUE = "habitus.record"
BACKFILL_CONTENT_QUEUE = "habitus.content.backfill"
BACKFILL_RECORD_QUEUE = "habitus.record.backfill"
CONTENT_QUEUES = (CONTENT_QUEUE, BACKFILL_CONTENT_QUEUE)
RECORD_QUEUES = (RECORD_QUEUE, BACKFILL_RECORD_QUEUE)


def make_app(settings: Settings, holds: str = "") -> Celery:
    """A Celery app for these settings, with no tasks yet; enough to send with.

    `holds`: a worker's zone. What it has in hand lies on Redis under a name of the zone's own, so that an account of
    the other zone can neither see it nor put it back.
    """
    broker = broker_of(settings, holds)
    app = Celery("habitus", broker=broker.url, set_as_current=False, fixups=[])
    app.conf.update(_RULES)
    app.conf.update(
        task_time_limit=settings.task_seconds,
        task_soft_time_limit=max(settings.task_seconds - 10, settings.task_seconds // 2, 1),
        # On Redis the prefetch count drifts upward over days: hold it to the pool size. Others keep it themselves.
        worker_disable_prefetch=is_redis(settings.broker),
        broker_use_ssl=broker.tls,
        broker_transport_options=broker.options,
    )
    return app


_RULES: dict[str, Any] = {
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_ignore_result": True,
    "result_backend": None,
    "task_store_errors_even_if_ignored": False,
    "task_acks_late": True,
    "task_acks_on_failure_or_timeout": True,  # every failure is counted and re-sent by the shell, never by a nack
    "task_reject_on_worker_lost": True,  # acks late alone loses the task of a killed child
    "task_default_queue": CONTENT_QUEUE,
    "task_create_missing_queues": True,
    "task_send_sent_event": False,
    "worker_send_task_events": False,
    "worker_prefetch_multiplier": 1,
    "worker_max_tasks_per_child": 10_000,
    "worker_hijack_root_logger": False,
    "worker_redirect_stdouts": False,
    "worker_enable_remote_control": False,
    "worker_log_color": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "task_publish_retry": True,
    "task_publish_retry_policy": {"max_retries": 1, "interval_start": 0.1, "interval_max": 0.2},
}
