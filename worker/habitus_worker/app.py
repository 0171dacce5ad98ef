"""The Celery app: two queues, JSON tickets, acks late, no results, nothing of an argument in names, events or errors.

Why each setting: the traps were measured (docs/operations.md). Broker-neutral, but for `broker_transport_options`.
"""

from typing import Any

from celery import Celery

from habitus_worker.settings import Settings

CONTENT_QUEUE = "habitus.content"
RECORD_QUEUE = "habitus.record"
BACKFILL_CONTENT_QUEUE = "habitus.content.backfill"
BACKFILL_RECORD_QUEUE = "habitus.record.backfill"
CONTENT_QUEUES = (CONTENT_QUEUE, BACKFILL_CONTENT_QUEUE)
RECORD_QUEUES = (RECORD_QUEUE, BACKFILL_RECORD_QUEUE)


def broker_url(redis_url: str) -> str:
    """Celery's spelling of a redis-py URL: it names unix sockets in its own way."""
    if redis_url.startswith("unix://"):
        return "redis+socket://" + redis_url.removeprefix("unix://").replace("?db=", "?virtual_host=")
    return redis_url


def make_app(settings: Settings) -> Celery:
    """A Celery app for these settings, with no tasks yet; enough to send with."""
    app = Celery("habitus", broker=broker_url(settings.redis), set_as_current=False, fixups=[])
    app.conf.update(_RULES)
    app.conf.update(
        task_time_limit=settings.task_seconds,
        task_soft_time_limit=max(settings.task_seconds - 10, settings.task_seconds // 2, 1),
        broker_transport_options={
            "visibility_timeout": settings.visibility_timeout,
            # In the order in which they are listed, so that the live lane is emptied first (`habitus_worker.lanes`).
            "queue_order_strategy": "priority",
            # Without these two a lost worker's task waits for a sweep of up to 100 s.
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 2.0,
            "socket_timeout": 10.0,
        },
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
    "worker_disable_prefetch": True,  # on Redis the prefetch count drifts upward over days: hold it to the pool size
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
