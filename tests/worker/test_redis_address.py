"""Addresses of Redis and of the broker: what each URL comes to, in redis-py and in Celery."""

import ssl
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from redis.sentinel import SentinelConnectionPool

from habitus_schema.errors import UnavailableError, UsageError
from habitus_worker.app import make_app
from habitus_worker.broker import broker_of, depths, is_redis
from habitus_worker.keys import mask_url
from habitus_worker.redis_address import check_redis_url, connect, sentinel_address, tls_options
from habitus_worker.settings import Settings, read_settings

SENTINELS = "sentinel://worker:p%40ss@one.example:26380,[::1],two.example/master/3"
TLS = "?ssl_ca_certs=/ca.pem&ssl_certfile=/me.pem&ssl_keyfile=/me.key"


def _settings(tmp_path: Path, **changes: str) -> Settings:
    return read_settings(home=tmp_path, redis_url=changes.pop("redis_url", ""), database_url="", **changes)


def test_a_url_of_sentinels_names_hosts_a_master_and_both_accounts() -> None:
    address = sentinel_address(f"{SENTINELS}?sentinel_username=watcher&sentinel_password=s%2Fw")
    assert address is not None
    assert address.hosts == (("one.example", 26380), ("::1", 26379), ("two.example", 26379))
    assert (address.master, address.db, address.tls) == ("master", 3, {})
    assert address.account == {"username": "worker", "password": "p@ss"}
    assert address.sentinel_account == {"username": "watcher", "password": "s/w"}


def test_a_password_without_a_name_is_one_of_everybody() -> None:
    address = sentinel_address("sentinel://:secret@one/m")
    assert address is not None
    assert (address.account, address.db) == ({"password": "secret"}, 0)


@pytest.mark.parametrize(
    "url",
    ["http://x/0", "amqp://x", "sentinel://one:26379", "sentinel:///m", "sentinel://one/m/zero", "sentinel://one:x/m",
     "sentinel://one,/m", "sentinel://one/m?master=two"],
)  # fmt: skip
def test_what_is_no_address_of_redis_is_refused_at_start_up(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_redis_url(url)
    with pytest.raises(UsageError, match="setting redis_url"):
        read_settings(redis_url=url)


@given(st.sampled_from(["sentinel://", "redis://", "sentinel://u:p@h:"]), st.text(max_size=40))
@example("sentinel://u:p@h:", "/m")
@example("sentinel://", "\u2100/m")
def test_a_refusal_says_nothing_of_the_url(start: str, rest: str) -> None:
    try:
        read_settings(redis_url=f"{start}canary7731{rest}")
    except UsageError as refused:
        said = str(refused)
    else:
        said = ""
    assert "canary7731" not in said


def test_a_certificate_is_checked_unless_it_is_said_not_to(tmp_path: Path) -> None:
    plain = broker_of(_settings(tmp_path, redis_url="rediss://one:6379/0"))
    assert plain.tls == {"ssl_cert_reqs": "required"}  # kombu would take any certificate
    assert tls_options("rediss://one/0?ssl_cert_reqs=none&ssl_check_hostname=false") == {
        "ssl_cert_reqs": "none", "ssl_check_hostname": False,
    }  # fmt: skip


def test_the_tls_options_of_one_url_reach_redis_py_and_celery(tmp_path: Path) -> None:
    url = f"rediss://me:secret@one:6379/0{TLS}"
    shown = {"ssl_ca_certs": "/ca.pem", "ssl_certfile": "/me.pem", "ssl_keyfile": "/me.key"}
    assert shown.items() <= connect(url).connection_pool.connection_kwargs.items()
    app = make_app(_settings(tmp_path, redis_url=url))
    assert app.conf.broker_use_ssl == {"ssl_cert_reqs": "required", **shown}
    assert app.conf.broker_url == "rediss://me:secret@one:6379/0"


def test_sentinels_reach_redis_py_and_celery(tmp_path: Path) -> None:
    url = f"{SENTINELS.replace('sentinel:', 'sentinels:')}{TLS}&sentinel_password=watch"
    pool = connect(url).connection_pool
    assert isinstance(pool, SentinelConnectionPool)
    assert pool.connection_kwargs["ssl_ca_certs"] == "/ca.pem"
    broker = broker_of(_settings(tmp_path, redis_url=url), "content")
    assert broker.url == ";".join(
        f"sentinel://worker:p%40ss@{host}/3" for host in ("one.example:26380", "[::1]:26379", "two.example:26379")
    )
    assert broker.tls is not None
    assert broker.tls["ssl_cert_reqs"] == "required"
    assert broker.options["master_name"] == "master"
    assert broker.options["sentinel_kwargs"]["password"] == "watch"
    assert broker.options["sentinel_kwargs"]["ssl"] is True
    assert broker.options["unacked_key"] == "unacked.content"


def test_a_broker_of_its_own_leaves_the_ledger_where_it_is(tmp_path: Path) -> None:
    settings = _settings(tmp_path, redis_url="redis://one/0", broker_url="amqp://me:secret@two:5672/habitus")
    assert (settings.redis, settings.broker) == ("redis://one/0", "amqp://me:secret@two:5672/habitus")
    assert not is_redis(settings.broker)
    app = make_app(settings, "record")
    assert app.conf.broker_url == settings.broker
    assert app.conf.broker_transport_options == {"confirm_publish": True}
    assert not app.conf.worker_disable_prefetch  # it is of Redis alone
    assert make_app(_settings(tmp_path)).conf.worker_disable_prefetch


def test_rabbitmq_by_tls_is_asked_for_its_certificate(tmp_path: Path) -> None:
    broker = broker_of(_settings(tmp_path, broker_url=f"amqps://two:5671//{TLS}"))
    assert broker.tls == {
        "ca_certs": "/ca.pem", "certfile": "/me.pem", "keyfile": "/me.key", "cert_reqs": ssl.CERT_REQUIRED,
        "server_hostname": "two",
    }  # fmt: skip


@pytest.mark.parametrize("broker", ["", "redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
def test_a_broker_that_is_not_there_is_said_to_be_so(tmp_path: Path, broker: str) -> None:
    with pytest.raises(UnavailableError):
        depths(_settings(tmp_path, broker_url=broker), ["habitus.content"])


def test_no_password_is_shown() -> None:
    shown = mask_url("sentinel://worker:secret1@one,two/master?sentinel_username=w&sentinel_password=secret2&ssl=true")
    assert shown == "sentinel://worker:***@one,two/master?sentinel_username=w&sentinel_password=***&ssl=true"
