"""Nothing lost, nothing twice: workers die at any moment, Redis restarts, tasks go missing; the counts are right."""

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from habitus_schema.ids import Kind
from habitus_schema.models import Outcome
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_tasks.profile import show
from habitus_tasks.record import settled_counts
from habitus_tasks.store import open_database
from habitus_worker.embedded import embedded_redis
from habitus_worker.fleet import Zone, worker_process
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger, connect
from habitus_worker.seal import Submission, seal
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import Submitter

WISH = "zero_external_deps=True, please, always."
"""A literal spelling: what is tested here is the queue, whatever the extractor's model makes of prose."""
SESSIONS = 24
SEED = int(os.environ.get("HABITUS_TEST_SEED", random.randrange(10**6)))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    create_keys(tmp_path / "keys.json")
    made = read_settings(
        home=tmp_path,
        redis_url="",
        database_url="",
        visibility_timeout=2,
        task_seconds=20,
        sweep_seconds=1,
        attempts=50,
    )
    open_database(made.database).close()
    return made


@contextmanager
def redis_for(settings: Settings) -> Iterator[None]:
    with embedded_redis(settings.home) as url:
        assert url == settings.redis
        yield


def _transcript(number: int) -> Transcript:
    # Not the same words twice: two equal conversations are copies of one, and count once.
    answer = f"Thing {number} is a long story. " * 60
    turns = (Turn(Speaker.ASSISTANT, answer), Turn(Speaker.PERSON, WISH, WISH))
    return Transcript(Format.HABITUS, f"s{number}", turns, messages=2)


def submit_all(settings: Settings) -> None:
    """Hands `SESSIONS` sessions in, each with the one wish."""
    submitter = Submitter(settings)
    for number in range(SESSIONS):
        submitter.submit(_transcript(number), Caller("ada", "t", f"context {number}", date(2026, 11, 20)))


def _wait(settings: Settings, seconds: float = 60) -> None:
    ledger = Ledger(settings.redis, settings.payload_ttl)
    deadline = time.monotonic() + seconds
    while (counts := ledger.counts()).in_flight:
        assert time.monotonic() < deadline, f"seed {SEED}: {counts}"
        time.sleep(0.05)


def assert_all_counted_once(settings: Settings) -> None:
    """Every session is recorded and counts in the profile, once."""
    counts = Ledger(settings.redis, settings.payload_ttl).counts()
    assert counts.holds
    assert (counts.submitted, counts.recorded, counts.duplicate, counts.dead) == (SESSIONS, SESSIONS, 0, 0), SEED
    database = open_database(settings.database)
    assert settled_counts(database)[Outcome.RECORDED] == SESSIONS
    keys = create_keys(settings.keys).ids
    rows = show(database, keys.keyed(Kind.TENANT, "t"), keys.keyed(Kind.SUBJECT, "t", "ada"), today=date(2026, 11, 21))
    assert [(str(row.pair), row.contexts) for row in rows] == [("dependency_policy=stdlib_only", SESSIONS)]
    database.close()


def test_workers_killed_at_any_moment_lose_nothing_and_count_nothing_twice(settings: Settings) -> None:
    chance = random.Random(SEED)
    with redis_for(settings):
        submit_all(settings)
        for _ in range(3):
            with worker_process(settings, Zone.ALL, settings.home / "worker.log") as worker:
                time.sleep(chance.uniform(0.5, 2.5))
                assert Ledger(settings.redis, settings.payload_ttl).counts().holds
                os.killpg(worker.pid, signal.SIGKILL)
        with worker_process(settings, Zone.ALL, settings.home / "worker.log"):
            _wait(settings)
        assert_all_counted_once(settings)


def test_redis_restarts_under_the_workers_and_nothing_is_lost(settings: Settings) -> None:
    with redis_for(settings):
        submit_all(settings)
        with worker_process(settings, Zone.ALL, settings.home / "worker.log"):
            while Ledger(settings.redis, settings.payload_ttl).counts().recorded < 2:
                time.sleep(0.02)
            connect(settings.redis).config_set("appendfsync", "always")
            os.kill(int(connect(settings.redis).info("server")["process_id"]), signal.SIGKILL)
            with redis_for(settings):
                _wait(settings)
                assert_all_counted_once(settings)


def test_a_session_whose_submitter_died_before_sending_its_task_is_found(settings: Settings) -> None:
    keys = create_keys(settings.keys)
    caller = Caller("ada", "t", "context", date(2026, 11, 20))
    with redis_for(settings):
        blob = seal(Submission(_transcript(1), caller), keys.seal)
        Ledger(settings.redis, 600).submit("ab" * 16, blob, keys.ids.keyed(Kind.TENANT, "t"))  # and nothing more
        with (
            worker_process(settings, Zone.CONTENT, settings.home / "content.log"),
            worker_process(settings, Zone.RECORD, settings.home / "record.log"),
        ):
            _wait(settings)
        assert Ledger(settings.redis, 600).counts().recorded == 1
