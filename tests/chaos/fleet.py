"""A fleet that can be hurt: Redis, workers of both zones, and a database, each killed, paused or misled on demand."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from outage import outage

from habitus_worker.embedded import embedded_redis, stop
from habitus_worker.fleet import Zone, environment
from habitus_worker.ledger import connect
from habitus_worker.settings import Settings

SKEWED = Path(__file__).with_name("skewed.py")


class Worker:
    """A worker process of one zone, in a process group of its own."""

    def __init__(self, settings: Settings, zone: Zone) -> None:
        self.settings, self.zone = settings, zone
        self.process = self._start(0.0)

    def _start(self, skew: float) -> "subprocess.Popen[bytes]":
        program = [str(SKEWED), str(skew)] if skew else ["-m", "habitus_worker"]
        with (self.settings.home / f"{self.zone.value}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *program, "worker", "--zone", self.zone.value], env=environment(self.settings),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def kill(self, skew: float = 0.0) -> None:
        """kill -9 of the worker and its children; another one starts, with a clock that is off by so much."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = self._start(skew)

    def kill_child(self) -> None:
        """kill -9 of a process that runs a task, if there is one yet."""
        for child in _children(self.process.pid)[:1]:
            os.kill(child, signal.SIGKILL)

    def pause(self, seconds: float) -> None:
        """Stops it in the middle of whatever it does, until others have been given its tasks; then it goes on."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.killpg(self.process.pid, signal.SIGCONT)

    def revive(self) -> None:
        """Starts it again when it ended by itself: what a service manager does."""
        if self.process.poll() is not None:
            self.process = self._start(0.0)

    def end(self) -> None:
        """Stops it warmly."""
        stop(self.process)


def _children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


class Fleet:
    """Redis and the workers."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.settings = settings
        self._redis = ExitStack()
        self._redis.enter_context(embedded_redis(settings.home))
        self.workers = [Worker(settings, zone) for zone in (Zone.CONTENT, Zone.RECORD) for _ in range(workers)]

    def of(self, zone: Zone) -> list[Worker]:
        """The workers of a zone."""
        return [worker for worker in self.workers if worker.zone is zone]

    def restart_redis(self, seconds: float) -> None:
        """kill -9 of Redis; after so long it is there again, with what its append-only file holds."""
        os.kill(int(connect(self.settings.redis).info("server")["process_id"]), signal.SIGKILL)
        self._redis.close()
        time.sleep(seconds)
        self._redis.enter_context(embedded_redis(self.settings.home))

    @contextmanager
    def database_outage(self) -> Iterator[None]:
        """No session can be recorded in the block."""
        with outage(self.settings):
            yield

    def end(self) -> None:
        """Stops everything."""
        for worker in self.workers:
            worker.end()
        self._redis.close()
