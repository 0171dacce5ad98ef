"""A fail-over: Redis is killed, Sentinel names its replica, and the same settings go on there. No session is lost."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from celery.contrib.testing.worker import start_worker

from habitus_schema.errors import UnavailableError
from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_tasks.store import open_database
from habitus_worker.app import CONTENT_QUEUE
from habitus_worker.broker import depths
from habitus_worker.days import today
from habitus_worker.embedded import redis_program, stop
from habitus_worker.fleet import QUEUES, Zone, worker_app
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger, connect
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import Submitter

PASSWORD = "servers"


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in taken]


def _until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(redis.RedisError, UnavailableError):
            if holds():
                return
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Watched:
    """A master, its replica and a Sentinel, each a process of its own."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        self._folder, self._stack = folder, stack
        master, self.replica, self.sentinel = _free_ports(3)
        self.master = self._server(master)
        self._server(self.replica, "--replicaof", "127.0.0.1", str(master))
        watch = connect(f"redis://:{PASSWORD}@127.0.0.1:{master}/0")
        # Sentinel looks for more every 10 s: the replica is to be there at its first look.
        _until(lambda: watch.info("replication").get("slave0", {}).get("state") == "online")
        (folder / "sentinel.conf").write_text(
            f"port {self.sentinel}\nbind 127.0.0.1\ndir {folder}\nrequirepass watch\n"
            f"sentinel monitor main 127.0.0.1 {master} 1\nsentinel auth-pass main {PASSWORD}\n"
            "sentinel down-after-milliseconds main 300\nsentinel failover-timeout main 2000\n"
        )
        self._start(str(folder / "sentinel.conf"), "--sentinel")
        self.url = f"sentinel://:{PASSWORD}@127.0.0.1:{self.sentinel}/main?sentinel_password=watch"
        _until(lambda: bool(connect(self.url).ping()))

    def _server(self, port: int, *more: str) -> "subprocess.Popen[bytes]":
        home = self._folder / str(port)
        home.mkdir()
        return self._start(
            "--port", str(port), "--bind", "127.0.0.1", "--dir", str(home), "--appendonly", "yes", "--save", "",
            "--requirepass", PASSWORD, "--masterauth", PASSWORD, "--repl-diskless-sync-delay", "0", *more,
        )  # fmt: skip

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        server = subprocess.Popen(
            [redis_program(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._stack.callback(stop, server)
        return server


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with contextlib.ExitStack() as stack:
        yield Watched(tmp_path, stack)


def _submit(settings: Settings, number: int) -> bool:
    said = f"Where is thing {number}?"
    turns = (Turn(Speaker.PERSON, said, said),)
    Submitter(settings).submit(Transcript(Format.HABITUS, f"s{number}", turns), Caller("ada", "acme", "", today()))
    return True


def test_a_worker_and_its_submitters_go_on_at_the_replica(watched: Watched, tmp_path: Path) -> None:
    settings = read_settings(
        home=tmp_path, redis_url=watched.url, database_url="", visibility_timeout=3, task_seconds=20, sweep_seconds=1
    )
    create_keys(settings.keys)
    open_database(settings.database).close()
    ledger = Ledger(settings.redis, settings.payload_ttl)
    app = worker_app(settings, Zone.ALL, lambda _: Extraction())
    with start_worker(app, pool="solo", perform_ping_check=False, queues=QUEUES[Zone.ALL], loglevel="CRITICAL"):
        _submit(settings, 1)
        _until(lambda: ledger.counts().recorded == 1)
        replica = redis.Redis(port=watched.replica, password=PASSWORD)
        _until(lambda: replica.hget("habitus:counts", "recorded") == b"1")
        watched.master.kill()
        _until(lambda: _submit(settings, 2))
        assert replica.info("replication")["role"] == "master"
        _until(lambda: ledger.counts().recorded == 2)
    assert ledger.counts().holds
    assert depths(settings, [CONTENT_QUEUE]) == [0]
