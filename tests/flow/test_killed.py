"""Killed outright, a stack leaves nothing behind that would write into the files of the next one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import redis

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_tasks.store import open_database
from habitus_worker.fleet import environment
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger, connect
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack
from habitus_worker.submitting import Submitter

DAY = date(2026, 11, 1)


def _wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def _below(process: int) -> list[int]:
    """The processes that it started, and those that they did."""
    children = [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return [each for child in children for each in (child, *_below(child))]


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def _ended(processes: list[int]) -> Iterator[None]:
    """Whatever a failing test leaves of them is ended."""
    try:
        yield
    finally:
        for each in filter(_runs, processes):
            os.kill(each, signal.SIGKILL)


def _submit(settings: Settings, count: int, start: int = 0) -> None:
    submitter = Submitter(settings)
    for at in range(start, start + count):
        turns = (Turn(Speaker.PERSON, f"please answer in bullet points, number {at}"),)
        submitter.submit(Transcript(Format.HABITUS, f"session {at}", turns), Caller("ada", day=DAY))


def _answers(settings: Settings) -> bool:
    try:
        return bool(connect(settings.redis).ping())
    except redis.RedisError:
        return False


def test_up_that_is_killed_leaves_no_process_and_the_next_one_holds_the_identity(tmp_path: Path) -> None:
    settings = read_settings(home=tmp_path, redis_url="", database_url="", visibility_timeout=5, sweep_seconds=1)
    words = {"HABITUS_HOME": str(tmp_path), "HABITUS_VISIBILITY_TIMEOUT": "5"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HABITUS_")}
    command = [sys.executable, "-m", "habitus_worker", "up"]
    up = subprocess.Popen(command, env=kept | words, stderr=subprocess.DEVNULL)
    log = tmp_path / "worker.log"
    _wait(lambda: _answers(settings) and log.exists() and b"worker_ready" in log.read_bytes())
    left = _below(up.pid)
    assert len(left) >= 3  # Redis, the worker, and what runs its tasks
    with _ended([up.pid, *left]):
        _submit(settings, 3)
        up.kill()
        up.wait()
        _wait(lambda: not any(map(_runs, left)))
    with embedded_stack(settings) as (running, _worker):
        _submit(running, 3, start=3)
        ledger = Ledger(running.redis, running.payload_ttl)
        _wait(lambda: not ledger.counts().in_flight)
        counts = ledger.counts()
    assert counts.holds
    assert (counts.submitted, counts.recorded) == (6, 6)


def test_a_worker_without_pool_processes_does_not_end_with_who_started_it(tmp_path: Path, redis_url: str) -> None:
    settings = read_settings(home=tmp_path, redis_url=redis_url, database_url="")
    create_keys(settings.keys)
    open_database(settings.database).close()
    start = (
        "import subprocess, sys; log = open(sys.argv[1], 'wb'); "
        "print(subprocess.Popen(sys.argv[2:], stdout=log, stderr=log).pid, flush=True); sys.stdin.read()"
    )
    log = tmp_path / "worker.log"
    command = [sys.executable, "-m", "habitus_worker", "worker", "--pool", "solo"]
    starter = subprocess.Popen(
        [sys.executable, "-c", start, str(log), *command], env=environment(settings),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert starter.stdout is not None
    worker = int(starter.stdout.readline())
    with starter, _ended([worker]):
        _wait(lambda: b"worker_ready" in log.read_bytes())
        starter.kill()
        starter.wait()
        assert _runs(worker)
        _submit(settings, 1)
        ledger = Ledger(settings.redis, settings.payload_ttl)
        _wait(lambda: ledger.counts().recorded == 1)
