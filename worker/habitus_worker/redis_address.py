"""Where Redis is: one server, with TLS or without, or whichever server Sentinel names as the master.

| URL | |
|---|---|
| ``redis://[user:password@]host:port/db``, ``unix:///socket?db=0`` | one server |
| ``rediss://...`` | the same by TLS |
| ``sentinel://[user:password@]host:port,host:port/master[/db]`` | the server that these Sentinels name |
| ``sentinels://...`` | the same, servers and Sentinels by TLS |

TLS is set in the query, in redis-py's names: ``ssl_ca_certs`` (a file; the system's authorities without it),
``ssl_certfile`` and ``ssl_keyfile`` (what we show), ``ssl_check_hostname``, ``ssl_cert_reqs``. A certificate is always
asked for and checked unless ``ssl_cert_reqs=none``. ``sentinel_username`` and ``sentinel_password`` are the account at
the Sentinels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

if TYPE_CHECKING:
    import redis

TLS_OPTIONS = ("ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname", "ssl_cert_reqs")
SENTINEL_PORT = 26379
_SENTINELS = ("sentinel", "sentinels")
_SCHEMES = ("redis", "rediss", "unix", *_SENTINELS)


@dataclass(frozen=True, slots=True, repr=False)
class SentinelAddress:
    """A master that Sentinels know.

    Attributes:
        hosts: host and port of each Sentinel.
        account, sentinel_account: `username` and `password` at the servers and at the Sentinels, as far as given.
        tls: redis-py's options; empty without TLS.
    """

    hosts: tuple[tuple[str, int], ...]
    master: str
    db: int
    account: Mapping[str, str] = field(default_factory=dict)
    sentinel_account: Mapping[str, str] = field(default_factory=dict)
    tls: Mapping[str, Any] = field(default_factory=dict)


def check_redis_url(url: str) -> None:
    """Raises ValueError, saying what is wrong, never with a word of the URL."""
    if url.partition("://")[0] not in _SCHEMES:
        raise ValueError("it begins with redis://, rediss://, unix://, sentinel:// or sentinels://")
    try:
        sentinel_address(url)
    except ValueError:  # the standard library's texts quote
        raise ValueError("it is sentinel://host:port,host:port/master or .../master/db, and known options") from None


def sentinel_address(url: str) -> SentinelAddress | None:
    """What a URL of Sentinels says; None for a URL of one server. Raises ValueError for what is none."""
    parts = urlsplit(url)
    if parts.scheme not in _SENTINELS:
        return None
    user_info, _, hosts = parts.netloc.rpartition("@")
    master, _, db = parts.path.strip("/").partition("/")
    if not hosts or not master or not (db or "0").isdigit():
        raise ValueError("no hosts, no master, or no number of a database")
    query = dict(parse_qsl(parts.query))
    if not set(query) <= {*TLS_OPTIONS, "sentinel_username", "sentinel_password"}:
        raise ValueError("an option that is not known")
    user, _, password = user_info.partition(":")
    return SentinelAddress(
        tuple(_host(each) for each in hosts.split(",")),
        unquote(master),
        int(db or 0),
        _account(unquote(user), unquote(password)),
        _account(query.get("sentinel_username", ""), query.get("sentinel_password", "")),
        {"ssl": True, **tls_options(url)} if parts.scheme == "sentinels" else {},
    )


def _host(named: str) -> tuple[str, int]:
    parts = urlsplit(f"//{named}")
    if not parts.hostname:
        raise ValueError("a Sentinel without a host")
    return parts.hostname, parts.port or SENTINEL_PORT


def _account(user: str, password: str) -> dict[str, str]:
    return {name: value for name, value in (("username", user), ("password", password)) if value}


def tls_options(url: str) -> dict[str, Any]:
    """The TLS options in the query, in redis-py's names; a certificate is checked unless they say otherwise."""
    options: dict[str, Any] = {"ssl_cert_reqs": "required"}
    options |= {name: value for name, value in parse_qsl(urlsplit(url).query) if name in TLS_OPTIONS}
    if "ssl_check_hostname" in options:
        options["ssl_check_hostname"] = options["ssl_check_hostname"].lower() not in ("false", "no", "0")
    return options


def without_tls_options(url: str) -> str:
    """The URL with its TLS options left out of the query."""
    parts = urlsplit(url)
    rest = [(name, value) for name, value in parse_qsl(parts.query) if name not in TLS_OPTIONS]
    return parts._replace(query=urlencode(rest)).geturl()


def connect(url: str, timeout: float = 2.0) -> "redis.Redis":
    """A client that answers or fails at once: no hidden retries, for a command and a hook must not hang.

    After a fail-over the command that meets it fails, and the next one goes to the new master.
    """
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry
    from redis.sentinel import Sentinel

    common: dict[str, Any] = {
        "socket_connect_timeout": timeout, "socket_timeout": timeout, "retry": Retry(NoBackoff(), 0),
    }  # fmt: skip
    address = sentinel_address(url)
    if address is None:
        return redis.Redis.from_url(url, **common)
    asked = {**common, **address.sentinel_account, **address.tls}
    sentinel = Sentinel(address.hosts, sentinel_kwargs=asked, **common, **address.account, **address.tls, db=address.db)  # type: ignore[no-untyped-call]
    client: redis.Redis = sentinel.master_for(address.master)  # type: ignore[no-untyped-call]
    return client
