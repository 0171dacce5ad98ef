"""Running workers: one process for a zone, or for both on a laptop."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import redis
import structlog
from celery import Celery
from celery.signals import setup_logging, worker_process_init, worker_ready

from habitus_schema.errors import HabitusError
from habitus_tasks.jobs import CONTENT_TASK, register_content, register_record
from habitus_tasks.pipeline import Extractor
from habitus_tasks.promote import PromotionRule
from habitus_tasks.rekey import check_known
from habitus_tasks.zones import ContentDesk, RecordDesk
from habitus_worker.app import CONTENT_QUEUE, CONTENT_QUEUES, RECORD_QUEUES, make_app
from habitus_worker.broker import depths
from habitus_worker.children import end_with_parent, start_child
from habitus_worker.daily import UPKEEP_SECONDS, start_upkeep
from habitus_worker.databases import database_of
from habitus_worker.desks import LINGER_SECONDS, ContentWork, RecordWork, call_record_zone, send
from habitus_worker.embedded import stop
from habitus_worker.extractors import check_llm, extractor_of
from habitus_worker.guards import no_core_dumps
from habitus_worker.handover import Handover
from habitus_worker.keys import Watched, load_keys
from habitus_worker.ledger import Ledger
from habitus_worker.logs import configure_logs
from habitus_worker.lost_acks import CHECK_SECONDS, lost_ack_watch
from habitus_worker.observed import observed_content, observed_record
from habitus_worker.settings import Settings
from habitus_worker.submitting import ledger_of
from habitus_worker.teardown.rounds import Rounds

_log = structlog.get_logger("habitus.fleet")
Desk = TypeVar("Desk")


class Zone(StrEnum):
    """Which of the two zones a worker serves."""

    CONTENT = "content"
    RECORD = "record"
    ALL = "all"


QUEUES = {
    Zone.CONTENT: CONTENT_QUEUES,
    Zone.RECORD: RECORD_QUEUES,
    # What is nearly through goes first, and all that is live before any backfill.
    Zone.ALL: tuple(queue for lane in zip(RECORD_QUEUES, CONTENT_QUEUES, strict=True) for queue in lane),
}


def worker_app(settings: Settings, zone: Zone, extractor: Extractor | None = None) -> Celery:
    """The Celery app of a worker of `zone`, with its tasks. Opens nothing yet: a forked child opens its own.

    `extractor`: what reads the sessions; by default what the settings say.
    """
    app = make_app(settings, zone.value)
    if zone is not Zone.RECORD:
        register_content(app, _once(partial(_content_desk, settings, app, extractor)))
    if zone is not Zone.CONTENT:
        register_record(app, _once(partial(_record_desk, settings, app, zone)))
    return app


def _once(make: Callable[[], Desk]) -> Callable[[], Desk]:
    return cache(make)


def _content_desk(settings: Settings, app: Celery, extractor: Extractor | None) -> ContentDesk:
    ledger = ledger_of(settings)
    reads = extractor or extractor_of(settings, settings.task_seconds)
    work = ContentWork(ledger, Watched(settings.keys, load_keys), app, settings.attempts, reads)
    return observed_content(work, settings)


def _record_desk(settings: Settings, app: Celery, zone: Zone) -> RecordDesk:
    ledger = ledger_of(settings)
    rule = PromotionRule(k=settings.k, window_days=settings.window_days)
    linger = LINGER_SECONDS if zone is Zone.RECORD else 0.0
    work = RecordWork(ledger, database_of(settings), app, rule, settings.attempts, linger)
    return observed_record(work, settings)


def run_worker(settings: Settings, zone: Zone, pool: str = "prefork", extractor: Extractor | None = None) -> None:
    """Serves the zone until SIGTERM or Ctrl-C; then finishes what it holds and hands the rest back.

    Raises:
        UsageError, UnavailableError: at once, when the keys, the database or Redis are not usable.
    """
    no_core_dumps()
    configure_logs()
    _check_before_start(settings, zone)
    app = worker_app(settings, zone, extractor)

    ours = os.getpid()

    @worker_process_init.connect(weak=False)  # type: ignore[untyped-decorator]
    def _end_with_us(**_: Any) -> None:
        """A process of the pool that is at work notices our end late, and nobody holds it to its time limit."""
        if os.getpid() != ours:  # pools that do not fork call this in our own process
            end_with_parent()

    @setup_logging.connect(weak=False)  # type: ignore[untyped-decorator]
    def _keep_our_logs(**_: Any) -> None:
        """Celery sets up logging of its own unless this signal has a receiver."""

    @worker_ready.connect(weak=False)  # type: ignore[untyped-decorator]
    def _start_timers(sender: Any, **_: Any) -> None:
        _log.info("worker_ready", zone=zone.value)
        sender.timer.call_repeatedly(CHECK_SECONDS, lost_ack_watch(sender))
        if zone is not Zone.RECORD:
            sender.timer.call_repeatedly(settings.sweep_seconds, partial(sweep, app, settings))
            rounds = Rounds(settings)
            rounds.start()
            sender.timer.call_repeatedly(settings.sweep_seconds, rounds.start)
        if zone is not Zone.CONTENT:
            start_upkeep(settings)
            sender.timer.call_repeatedly(UPKEEP_SECONDS, partial(start_upkeep, settings))

    app.Worker(
        queues=list(QUEUES[zone]), pool=pool, concurrency=settings.concurrency, loglevel="WARNING", quiet=True,
        without_gossip=True, without_mingle=True, without_heartbeat=True,
        hostname=f"{zone.value}-{os.getpid()}@habitus",
    ).start()  # fmt: skip


def _check_before_start(settings: Settings, zone: Zone) -> None:
    Ledger(settings.redis, settings.payload_ttl).counts()
    if zone is not Zone.RECORD:
        load_keys(settings.keys)
        check_llm(settings, settings.task_seconds)
    if zone is not Zone.CONTENT:
        database = database_of(settings)
        check_known(database)
        database.close()


def sweep(app: Celery, settings: Settings) -> int:
    """Sends tasks again that were lost: a submitter died between storing and sending, a worker between taking a
    message off Redis and noting that it has it. Returns how many sessions that was.
    """
    ledger = ledger_of(settings)
    handover = Handover(ledger)
    sent = 0
    try:
        waiting = sum(depths(settings, CONTENT_QUEUES))
        for ticket in ledger.lost(settings.sweep_seconds, waiting):
            if not handover.list_kept(ticket):  # what the record zone was handed is not to be read again
                send(app, CONTENT_TASK, CONTENT_QUEUE, ticket)
            sent += 1
        call_record_zone(app, handover.overdue(settings.sweep_seconds))
    except (HabitusError, redis.RedisError):
        _log.warning("service_unavailable")
    return sent


@contextmanager
def worker_process(
    settings: Settings, zone: Zone, log: Path, pool: str = "prefork"
) -> Iterator["subprocess.Popen[bytes]"]:
    """Runs a worker in a process of its own, its log lines going to `log`; stops it warmly on leaving."""
    command = [sys.executable, "-m", "habitus_worker", "worker", "--zone", zone.value, "--pool", pool]
    with log.open("ab") as stream:
        worker = start_child(command, env=environment(settings), stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
    try:
        yield worker
    finally:
        stop(worker)


def environment(settings: Settings) -> dict[str, str]:
    """This process's environment with `settings` in place of whatever it set before."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HABITUS_")}
    secret = {"redis_url", "broker_url", "database_url", "llm_key"}
    plain = settings.model_dump(mode="json", exclude=secret, exclude_none=True)
    plain |= {"redis_url": settings.redis, "database_url": settings.database}
    plain |= {"broker_url": settings.broker_url.get_secret_value()}
    plain |= {"llm_key": settings.llm_key.get_secret_value()}
    return kept | {f"HABITUS_{name.upper()}": str(value) for name, value in plain.items()}
