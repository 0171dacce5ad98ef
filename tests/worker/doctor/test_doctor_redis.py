"""What the doctor says of Redis: a real one, put out of order one setting at a time."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_worker.doctor.finding import Verdict
from habitus_worker.doctor.queues import queue
from habitus_worker.doctor.redis_server import _version, redis_server
from habitus_worker.embedded import redis_program, stop
from habitus_worker.ledger import COUNTS, IN_FLIGHT, DeadLetter, Ledger, connect, payload_key
from habitus_worker.settings import Settings


@contextmanager
def _changed(settings: Settings, name: str, value: str) -> Iterator[None]:
    with connect(settings.redis) as client:
        before = client.config_get(name)[name]
        client.config_set(name, value)
        try:
            yield
        finally:
            client.config_set(name, before)


def test_a_redis_in_order_is_ok_throughout(settings: Settings, look: Any) -> None:
    assert {each.verdict for each in look(redis_server, settings).values()} == {Verdict.OK}


@pytest.mark.parametrize(
    ("name", "value", "check", "verdict"),
    [
        ("appendonly", "no", "redis_persistence", Verdict.BAD),
        ("maxmemory-policy", "allkeys-lru", "redis_eviction", Verdict.BAD),
        ("maxmemory", "100kb", "redis_memory", Verdict.BAD),
    ],
)
def test_a_setting_that_loses_sessions_is_bad(
    settings: Settings, look: Any, name: str, value: str, check: str, verdict: Verdict
) -> None:
    with _changed(settings, name, value):
        found = look(redis_server, settings)
    assert {each.check for each in found.values() if each.verdict is not Verdict.OK} == {check}
    assert found[check].verdict is verdict
    assert found[check].advice


def test_a_memory_that_fills_up_is_a_warning_first(settings: Settings, look: Any) -> None:
    with connect(settings.redis) as client:
        limit = int(client.info()["used_memory"] / 0.88)
    with _changed(settings, "maxmemory", str(limit)):
        assert look(redis_server, settings)["redis_memory"].verdict is Verdict.WARN


def test_a_redis_that_is_not_there_cannot_be_looked_into(settings: Settings, look: Any) -> None:
    gone = settings.model_copy(update={"redis_url": type(settings.redis_url)("redis://127.0.0.1:1/0")})
    with pytest.raises(UnavailableError):
        look(redis_server, gone)


@pytest.fixture(scope="module")
def open_door(tmp_path_factory: pytest.TempPathFactory, free_port: int) -> Iterator[int]:
    """The port of a Redis that lets anyone in, and knows an account besides."""
    server = subprocess.Popen(
        [redis_program(), "--port", str(free_port), "--bind", "127.0.0.1", "--appendonly", "yes",
         "--dir", tmp_path_factory.mktemp("open"), "--user", "ada", "on", ">secret", "~*", "+@all"],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        with connect(f"redis://127.0.0.1:{free_port}/0") as client:
            for _ in range(200):
                try:
                    client.ping()
                    break
                except redis.ConnectionError:
                    server.poll()
        yield free_port
    finally:
        stop(server)


def _at(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"redis_url": type(settings.redis_url)(url)})


def test_a_redis_that_lets_anyone_in_is_not_ok(settings: Settings, look: Any, open_door: int) -> None:
    named = _at(settings, f"redis://ada:secret@127.0.0.1:{open_door}/0")
    found = look(redis_server, named)
    assert found["redis_access"].verdict is Verdict.WARN  # on loopback; from elsewhere it would be bad
    with connect(f"redis://127.0.0.1:{open_door}/0") as client:
        client.execute_command("ACL", "SETUSER", "default", "resetpass", ">other")
        client.execute_command("AUTH", "other")
        try:
            assert look(redis_server, named)["redis_access"].verdict is Verdict.OK
            everything = _at(settings, f"redis://default:other@127.0.0.1:{open_door}/0")
            assert look(redis_server, everything)["redis_access"].verdict is Verdict.WARN
        finally:
            client.execute_command("ACL", "SETUSER", "default", "resetpass", "nopass")


def test_an_account_that_may_not_ask_is_told_which_to_use(settings: Settings, look: Any, open_door: int) -> None:
    with connect(f"redis://127.0.0.1:{open_door}/0") as client:
        client.execute_command("ACL", "SETUSER", "bob", "on", ">secret", "+ping", "+hello")
    with pytest.raises(UnavailableError, match="habitus-operate"):
        look(redis_server, _at(settings, f"redis://bob:secret@127.0.0.1:{open_door}/0"))


def test_a_queue_that_moves_is_ok_and_an_empty_one_too(settings: Settings, look: Any) -> None:
    assert {each.verdict for each in look(queue, settings).values()} == {Verdict.OK}
    Ledger(settings.redis, 600).submit("ab" * 16, b"sealed", "k1-" + "0" * 32)
    assert look(queue, settings)["worker"].verdict is Verdict.OK


def test_workers_are_dead_when_the_oldest_session_is_old_and_nothing_comes_through(
    settings: Settings, look: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("habitus_worker.doctor.queues.WATCH_SECONDS", 0.2)
    ledger = Ledger(settings.redis, 600)
    ledger.submit("ab" * 16, b"sealed", "k1-" + "0" * 32)
    with connect(settings.redis) as client:
        client.zadd(IN_FLIGHT, {"ab" * 16: client.time()[0] - 4000})
        assert look(queue, settings)["worker"].verdict is Verdict.BAD


def test_an_old_session_is_a_warning_while_others_come_through(
    settings: Settings, look: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(settings.redis) as client:
        client.zadd(IN_FLIGHT, {"ab" * 16: client.time()[0] - 4000})
        client.hset(COUNTS, mapping={"submitted": 1})
        monkeypatch.setattr("habitus_worker.doctor.queues.time.sleep", lambda _: client.hincrby(COUNTS, "recorded", 1))
        assert look(queue, settings)["worker"].verdict is Verdict.WARN


def test_an_identity_that_does_not_hold_is_bad(settings: Settings, look: Any) -> None:
    with connect(settings.redis) as client:
        client.hset(COUNTS, mapping={"submitted": 2, "recorded": 1})
    assert look(queue, settings)["identity"].verdict is Verdict.BAD


def test_a_backlog_that_fills_up_and_dead_letters_are_warnings(settings: Settings, look: Any) -> None:
    ledger = Ledger(settings.redis, 600)
    for number in range(10):
        ledger.submit(f"{number:032x}", b"sealed", "k1-" + "0" * 32)
    ledger.bury(DeadLetter(f"{0:032x}", Code.UNSEAL_FAILED, "2026-11-20"))
    found = look(queue, settings.model_copy(update={"max_backlog": 10}))
    assert found["backlog"].verdict is Verdict.WARN
    assert found["dead_letters"].verdict is Verdict.WARN
    assert look(queue, settings.model_copy(update={"max_backlog": 9}))["backlog"].verdict is Verdict.BAD


def test_dead_letters_that_were_dropped_are_counted_without_a_warning(settings: Settings, look: Any) -> None:
    ledger = Ledger(settings.redis, 600)
    for number in range(2):
        ledger.submit(f"{number:032x}", b"sealed", "k1-" + "0" * 32)
        ledger.bury(DeadLetter(f"{number:032x}", Code.UNSEAL_FAILED, "2026-11-20"))
    ledger.drop(f"{0:032x}")
    found = look(queue, settings)["dead_letters"]
    assert (found.verdict, found.found) == (Verdict.WARN, "1 can be sent again, 2 since the start")
    ledger.drop(f"{1:032x}")
    found = look(queue, settings)["dead_letters"]
    assert (found.verdict, found.found) == (Verdict.OK, "none to send again, 2 since the start")


def test_a_dead_letter_whose_payload_is_gone_is_no_warning_and_one_with_a_record_is(
    settings: Settings, look: Any
) -> None:
    ledger = Ledger(settings.redis, 600)
    for number, record in enumerate((None, {"ticket": "x"})):
        ledger.submit(f"{number:032x}", b"sealed", "k1-" + "0" * 32)
        ledger.bury(DeadLetter(f"{number:032x}", Code.ATTEMPTS_EXHAUSTED, "2026-11-20", record))
        with connect(settings.redis) as client:
            client.delete(payload_key(f"{number:032x}"))
    found = look(queue, settings)["dead_letters"]
    assert (found.verdict, found.found) == (Verdict.WARN, "1 can be sent again, 1 expired, 2 since the start")
    ledger.drop(f"{1:032x}")
    assert look(queue, settings)["dead_letters"].verdict is Verdict.OK


def test_what_can_be_reached_from_elsewhere_needs_a_name_and_tls(
    settings: Settings, look: Any, open_door: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("habitus_worker.doctor.redis_server._is_private", lambda _: False)
    found = look(redis_server, _at(settings, f"redis://ada:secret@127.0.0.1:{open_door}/0"))
    assert found["redis_access"].verdict is Verdict.BAD
    assert found["redis_transport"].verdict is Verdict.WARN
    assert found["redis_memory"].verdict is Verdict.WARN


def test_a_version_without_limited_accounts_is_bad() -> None:
    assert _version("6.0.20").verdict is Verdict.BAD
    assert _version("6.2.0").verdict is Verdict.OK
    assert _version("10.0.1").verdict is Verdict.OK
