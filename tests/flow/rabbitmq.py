"""A RabbitMQ of the test's own: Debian's `rabbitmq-server`, or any other whose `rabbitmq-server` is on PATH."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from habitus_worker.embedded import stop

DEBIAN = "/usr/lib/rabbitmq/bin/rabbitmq-server"
"""What Debian has on PATH is a wrapper that changes the user and forgets the environment."""


def free_port() -> int:
    """One that nobody has at this moment."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def rabbitmq(folder: Path, port: int) -> Iterator[str]:
    """Runs it with its data in `folder` and yields its URL; what was in its queues is there the next time."""
    program = shutil.which(DEBIAN) or shutil.which("rabbitmq-server")
    assert program, "no rabbitmq-server: install RabbitMQ first"
    folder.mkdir(exist_ok=True)
    environment = {
        **os.environ, "HOME": str(folder), "RABBITMQ_NODENAME": "habitus@localhost", "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1", "RABBITMQ_DIST_PORT": str(free_port()),
        "ERL_EPMD_PORT": str(free_port()), "ERL_EPMD_ADDRESS": "127.0.0.1", "RABBITMQ_MNESIA_BASE": str(folder),
        "RABBITMQ_LOG_BASE": str(folder), "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
    }  # fmt: skip
    log = folder / "habitus@localhost.log"
    before = log.stat().st_size if log.exists() else 0
    server = subprocess.Popen(
        [program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        _wait_until_up(server, log, before)
        yield f"amqp://guest:guest@127.0.0.1:{port}//"
    finally:
        stop(server)
        # The nodes' directory, which the first of them starts and none ends.
        subprocess.run(["epmd", "-kill"], env=environment, stdout=subprocess.DEVNULL, check=False)


def _wait_until_up(server: "subprocess.Popen[bytes]", log: Path, before: int, seconds: float = 60) -> None:
    """Its log tells. Nobody asks its port before: a connection to a port of ours that nobody has may find itself."""
    deadline = time.monotonic() + seconds
    while not (log.exists() and b"startup complete" in log.read_bytes()[before:]):
        assert server.poll() is None
        assert time.monotonic() < deadline, "RabbitMQ does not come up"
        time.sleep(0.1)
