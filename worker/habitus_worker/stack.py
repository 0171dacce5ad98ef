"""The embedded stack: Redis, one worker for both zones, SQLite, all in one folder."""

import fcntl
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from habitus_schema.errors import HabitusError, UnavailableError, UsageError
from habitus_tasks.store import open_database
from habitus_worker.append_only import QuietRewrite, has_file, nothing_burned_kept, rewrite
from habitus_worker.embedded import embedded_redis
from habitus_worker.fleet import Zone, worker_process
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings
from habitus_worker.teardown.rounds import Rounds


@contextmanager
def embedded_stack(settings: Settings) -> Iterator[tuple[Settings, "subprocess.Popen[bytes]"]]:
    """Runs the stack in `settings.home`, in files for their owner alone.

    Yields the settings that reach it, and its worker process.

    Raises:
        UsageError: when the settings name the Redis of a deployment.
        UnavailableError: when a part does not start.
    """
    _check_redis_is_ours(settings)
    with _private_files(), _home_of_ours(settings):
        _keys_of(settings)
        yield from _running(settings)


def _check_redis_is_ours(settings: Settings) -> None:
    if settings.redis_url.get_secret_value():
        # Half a deployment: sessions would be handed in at the other Redis, and wait there for ever.
        raise UsageError(
            "redis_url (HABITUS_REDIS_URL, --redis-url) names a Redis, and `habitus up` brings its own: unset it, or "
            "run `habitus worker`"
        )


@contextmanager
def _home_of_ours(settings: Settings) -> Iterator[None]:
    """Makes the home and holds its lock, so that no second stack starts on the same files."""
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        lock = (settings.home / "lock").open("w")
    except OSError:
        raise HabitusError(f"cannot write to {settings.home}: choose another folder with --home") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HabitusError(f"habitus is up in {settings.home} already: stop it first, or use --home") from None
        yield


def _keys_of(settings: Settings) -> None:
    if (settings.home / "habitus.db").exists() and not settings.keys.exists():
        # Fresh keys would make every stored id unreadable without a word.
        raise HabitusError(f"{settings.keys} is gone, and the database's ids with it: restore it from your backup")
    create_keys(settings.keys)


def _running(settings: Settings) -> Iterator[tuple[Settings, "subprocess.Popen[bytes]"]]:
    with embedded_redis(settings.home) as redis_url, nothing_burned_kept(redis_url):
        running = settings.model_copy(update={"redis_url": type(settings.redis_url)(redis_url)})
        open_database(running.database).close()  # made before the worker starts, so that two do not race
        with worker_process(running, Zone.ALL, settings.home / "worker.log") as worker:
            yield running, worker


def drop_burned(settings: Settings) -> None:
    """Takes what was burned out of the append-only file of the embedded Redis, whether the stack is up or not.

    Nothing happens where Redis is a deployment's own.

    Raises:
        HabitusError: when the file could not be rewritten.
    """
    if settings.redis_url.get_secret_value() or not has_file(settings.home):
        return
    try:
        rewrite(settings.redis)
    except UnavailableError:
        with _private_files(), _home_of_ours(settings), embedded_redis(settings.home) as url:
            rewrite(url)


@contextmanager
def _private_files() -> Iterator[None]:
    """Whatever this process and its children create in the block is for its owner alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def run_once(settings: Settings) -> int:
    """Runs the stack until what the agents' hooks noted down is counted, and stops it: for who keeps nothing running.

    Returns how many sessions were handed in, by the worker's own round or by this one.

    Raises:
        HabitusError: when the worker or Redis ends on its own.
    """
    with embedded_stack(settings) as (running, worker):
        ledger = Ledger(running.redis, running.payload_ttl)
        before = ledger.counts().submitted
        Rounds(running).run_settled()
        while (counts := ledger.counts()).in_flight:
            _check_alive(worker)
            time.sleep(0.1)
    return counts.submitted - before


def run_stack(settings: Settings, say: Callable[[str], None]) -> None:
    """Runs the stack until Ctrl-C.

    Raises:
        HabitusError: when the worker or Redis ends on its own.
    """
    with embedded_stack(settings) as (running, worker):
        say(f"habitus is up in {settings.home}; submit sessions from another terminal; Ctrl-C stops it")
        ledger, rewrite = Ledger(running.redis, running.payload_ttl), QuietRewrite(running.redis)
        while True:
            _check_alive(worker)
            time.sleep(0.5)
            rewrite(ledger.counts())  # raises when Redis is gone: better to stop than to be up in name only


def _check_alive(worker: "subprocess.Popen[bytes]") -> None:
    if worker.poll() is not None:
        raise HabitusError("the worker stopped; see worker.log in the data folder, then start again")
