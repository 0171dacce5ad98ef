"""A whole embedded stack, and the program as a person runs it."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from habitus_worker.fleet import environment
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Redis, a real worker process of both zones, and SQLite, in one folder."""
    home = tmp_path_factory.mktemp("home")
    settings = read_settings(home=home, redis_url="", database_url="", visibility_timeout=5, sweep_seconds=1)
    with embedded_stack(settings) as (running, _worker):
        yield running


@pytest.fixture(scope="session")
def habitus(stack: Settings) -> Run:
    """Runs `habitus ...` against the stack, and returns what it printed."""

    def run(*words: str, stdin: str = "", cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "habitus_worker", *words],
            env=environment(stack), input=stdin, capture_output=True, text=True, timeout=60, check=False, cwd=cwd,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def drain(stack: Settings) -> Callable[[], None]:
    """Waits until nothing is in flight."""

    def wait(seconds: float = 45.0) -> None:
        ledger = Ledger(stack.redis, stack.payload_ttl)
        deadline = time.monotonic() + seconds
        while ledger.counts().in_flight:
            assert time.monotonic() < deadline, f"not drained: {ledger.counts()}"
            time.sleep(0.05)

    return wait
