"""The embedded Redis: it comes up, keeps what it was given, and goes away."""

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from habitus_schema.errors import UnavailableError, UsageError
from habitus_worker import embedded
from habitus_worker.embedded import embedded_redis, redis_program
from habitus_worker.ledger import connect


def test_it_keeps_its_data_over_a_restart_and_stops_with_its_block(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url:
        connect(url).set("kept", "yes")
    with pytest.raises(ConnectionError, match=r"No such file|refused"):
        _ping(url)
    with embedded_redis(tmp_path) as url:
        assert connect(url).get("kept") == b"yes"


def _ping(url: str) -> None:
    import redis

    try:
        connect(url).ping()
    except redis.RedisError as error:
        raise ConnectionError(str(error)) from None


def test_it_listens_on_no_port_and_its_socket_is_private(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url:
        assert connect(url).config_get("port") == {"port": "0"}
        assert (tmp_path / "redis.sock").stat().st_mode & 0o077 == 0


def test_it_refuses_to_throw_work_away_when_memory_is_short(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url:
        assert connect(url).config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_folder_whose_path_is_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--home"), embedded_redis(tmp_path / ("x" * 120)):
        pass


def test_without_a_server_on_path_the_one_from_the_wheel_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert Path(redis_program()).is_file()


def test_a_server_that_was_left_behind_is_stopped_before_another_writes_its_file(tmp_path: Path) -> None:
    with ExitStack() as orphan:
        url = orphan.enter_context(embedded_redis(tmp_path))
        connect(url).set("kept", "yes")
        left = int(connect(url).info("server")["process_id"])
        with embedded_redis(tmp_path) as url:
            assert connect(url).get("kept") == b"yes"
            deadline = time.monotonic() + 10
            while not os.waitid(os.P_PID, left, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                assert time.monotonic() < deadline, "two servers run"
                time.sleep(0.01)


def test_a_server_that_was_left_behind_and_does_not_go_is_named_and_keeps_its_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "LEAVE_SECONDS", 0.0)
    with embedded_redis(tmp_path) as url:
        left = int(connect(url).info("server")["process_id"])
        os.kill(left, signal.SIGSTOP)
        try:
            with pytest.raises(UnavailableError, match="end that process"), embedded_redis(tmp_path):
                raise AssertionError("two servers run")
        finally:
            os.kill(left, signal.SIGCONT)
        _ping(url)
