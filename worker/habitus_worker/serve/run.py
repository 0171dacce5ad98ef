"""Serving: one process, many threads; log lines through the allow-list alone, and no access log."""

import ipaddress
import logging
import socket
from collections.abc import Callable, Sequence

import uvicorn

from habitus_schema.errors import UnavailableError
from habitus_worker.logs import configure_logs
from habitus_worker.serve.application import LOOPBACK, make_application
from habitus_worker.settings import Settings

GRACE_SECONDS = 10


class _Server(uvicorn.Server):
    """A server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Binds the port, or ends the process."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def run_server(
    settings: Settings, host: str, port: int, hosts: Sequence[str] = (), ready: Callable[[], None] = lambda: None
) -> None:
    """Serves until SIGTERM or Ctrl-C.

    Args:
        hosts: names under which it is reached beside the loopback ones; with a host that is not loopback and no names,
            any name is taken.
        ready: called once the port is bound.

    Raises:
        UsageError, UnavailableError: at once, when the keys, Redis, the database or the port are not usable.
    """
    configure_logs()
    names = [*LOOPBACK, *hosts] if hosts or is_loopback(host) else ["*"]
    app = make_application(settings, names)
    services = app.state.services
    services.ledger.counts()
    _ = services.database
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers[:] = []
    config = uvicorn.Config(
        app, host=host, port=port, log_config=None, access_log=False, server_header=False, date_header=True,
        timeout_graceful_shutdown=GRACE_SECONDS, proxy_headers=False, ws="none",
    )  # fmt: skip
    try:
        _Server(config, ready).run()
    except KeyboardInterrupt:  # uvicorn has ended in good order, and passes the signal on
        return
    except SystemExit:  # uvicorn's way to say that the port is taken
        raise UnavailableError("the port cannot be used: choose another with --port") from None


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
