"""Where Celery's queues are: on the ledger's Redis, or on a broker of its own (RabbitMQ); and how much waits in them.

Nothing else depends on which it is. The ledger stays on Redis, and with it everything that must not be lost: what a
broker loses is sent again by the sweep.
"""

import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import redis
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from habitus_schema.errors import UnavailableError
from habitus_worker.redis_address import connect, sentinel_address, tls_options, without_tls_options
from habitus_worker.settings import Settings

CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 10.0
_DOWN = "the broker does not answer: start it, then try again"
_HELD = ("unacked", "unacked_index", "unacked_mutex")
"""Celery's keys for what workers hold (kombu.transport.redis)."""


@dataclass(frozen=True, slots=True, repr=False)
class Broker:
    """How Celery reaches it.

    Attributes:
        url: in kombu's spelling; several are divided by semicolons.
        tls: Celery's `broker_use_ssl`; None without TLS.
        options: Celery's `broker_transport_options`.
    """

    url: str
    tls: dict[str, Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)


def is_redis(url: str) -> bool:
    """Whether it is Redis, which has no order of queues, no prefetch and no hand-back of its own."""
    return not url.startswith(("amqp://", "amqps://"))


def broker_of(settings: Settings, holds: str = "") -> Broker:
    """The broker of these settings. `holds`: a worker's zone, see `habitus_worker.app.make_app`."""
    url = settings.broker
    if not is_redis(url):
        return _rabbitmq(url)
    options: dict[str, Any] = {
        "visibility_timeout": settings.visibility_timeout,
        # In the order in which they are listed, so that the live lane is emptied first (`habitus_worker.lanes`).
        "queue_order_strategy": "priority",
        # Without these two a lost worker's task waits for a sweep of up to 100 s.
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        **({f"{key}_key": f"{key}.{holds}" for key in _HELD} if holds else {}),
    }
    return _sentinel(url, options) or _server(url, options)


def _server(url: str, options: dict[str, Any]) -> Broker:
    if url.startswith("unix://"):  # kombu names sockets in its own way
        spelt = "redis+socket://" + url.removeprefix("unix://").replace("?db=", "?virtual_host=")
        return Broker(spelt, options=options)
    if url.startswith("rediss://"):  # kombu checks no certificate when it is told nothing
        return Broker(without_tls_options(url), tls_options(url), options)
    return Broker(url, options=options)


def _sentinel(url: str, options: dict[str, Any]) -> Broker | None:
    address = sentinel_address(url)
    if address is None:
        return None
    account = ":".join(quote(address.account.get(name, ""), safe="") for name in ("username", "password"))
    at = f"{account}@" if address.account else ""
    asked: Mapping[str, Any] = {
        "socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": ANSWER_SECONDS,
        **address.sentinel_account, **address.tls,
    }  # fmt: skip
    urls = [f"sentinel://{at}{_spelt(host)}:{port}/{address.db}" for host, port in address.hosts]
    tls = {name: value for name, value in address.tls.items() if name != "ssl"} or None
    return Broker(";".join(urls), tls, options | {"master_name": address.master, "sentinel_kwargs": dict(asked)})


def _spelt(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _rabbitmq(url: str) -> Broker:
    options = {"confirm_publish": True}  # else what it did not take is noticed by the sweep alone
    if url.startswith("amqp://"):
        return Broker(url, options=options)
    asked = tls_options(url)
    tls = {name.removeprefix("ssl_"): value for name, value in asked.items() if name != "ssl_check_hostname"}
    tls["cert_reqs"] = ssl.CERT_NONE if asked["ssl_cert_reqs"] == "none" else ssl.CERT_REQUIRED
    tls["server_hostname"] = urlsplit(url).hostname
    return Broker(without_tls_options(url), tls, options)


def depths(settings: Settings, queues: Sequence[str]) -> list[int]:
    """How many tasks wait in each of these queues; those that a worker holds are not among them.

    Raises:
        UnavailableError: when the broker does not answer.
    """
    return _redis_depths(settings.broker, queues) if is_redis(settings.broker) else _amqp_depths(settings, queues)


def _redis_depths(url: str, queues: Sequence[str]) -> list[int]:
    try:
        with connect(url) as client, client.pipeline(transaction=False) as pipe:
            for queue in queues:
                pipe.llen(queue)
            return [int(each) for each in pipe.execute()]
    except redis.RedisError:
        raise UnavailableError(_DOWN) from None


def _amqp_depths(settings: Settings, queues: Sequence[str]) -> list[int]:
    broker = broker_of(settings)
    connection: Any = Connection(  # type: ignore[no-untyped-call]
        broker.url, ssl=broker.tls or False, connect_timeout=CONNECT_SECONDS, transport_options=broker.options
    )
    try:
        with connection:
            return [_amqp_depth(connection, queue) for queue in queues]
    except (*connection.connection_errors, *connection.channel_errors, OperationalError, OSError):
        raise UnavailableError(_DOWN) from None


def _amqp_depth(connection: Any, queue: str) -> int:
    """A queue that is not there, since nothing was ever sent to it, is empty. Its channel is closed by the answer."""
    channel = connection.channel()
    try:
        found: int = channel.queue_declare(queue, passive=True).message_count
        channel.close()
        return found
    except connection.channel_errors:
        return 0
