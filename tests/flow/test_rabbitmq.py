"""RabbitMQ as the broker: workers of both zones are killed and the broker restarts; nothing is lost, nothing twice.

Opt-in, since no package index of Python has RabbitMQ: install it (Debian's `rabbitmq-server`), then
``pytest -m live tests/flow/test_rabbitmq.py``.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rabbitmq import free_port, rabbitmq
from test_faults import SESSIONS, assert_all_counted_once, submit_all

from habitus_tasks.store import open_database
from habitus_worker.embedded import embedded_redis
from habitus_worker.fleet import Zone, worker_process
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger
from habitus_worker.settings import read_settings

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]


def _until(holds: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_workers_of_both_zones_die_and_the_broker_restarts(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys.json")
    port = free_port()
    with embedded_redis(tmp_path) as url:
        settings = read_settings(
            home=tmp_path, redis_url=url, database_url="", broker_url=f"amqp://guest:guest@127.0.0.1:{port}//",
            visibility_timeout=2, task_seconds=20, sweep_seconds=1, resend_seconds=4, attempts=50,
        )  # fmt: skip
        open_database(settings.database).close()
        ledger = Ledger(settings.redis, settings.payload_ttl)

        def zones_until(holds: Callable[[], bool]) -> None:
            """Both zones work until this holds; then they are killed with all their processes."""
            with (
                worker_process(settings, Zone.CONTENT, tmp_path / "content.log") as content,
                worker_process(settings, Zone.RECORD, tmp_path / "record.log") as record,
            ):
                _until(holds)
                for worker in (content, record):
                    os.killpg(worker.pid, signal.SIGKILL)

        with rabbitmq(tmp_path / "rabbit", port):
            submit_all(settings)
            zones_until(lambda: ledger.counts().recorded > SESSIONS // 4)
            assert ledger.counts().holds
        with rabbitmq(tmp_path / "rabbit", port):
            zones_until(lambda: ledger.counts().recorded > SESSIONS // 2)
            zones_until(lambda: not ledger.counts().in_flight)
            assert_all_counted_once(settings)
