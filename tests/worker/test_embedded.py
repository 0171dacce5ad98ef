"""The embedded Redis: it comes up, keeps what it was given, and goes away."""

from pathlib import Path

import pytest

from habitus_schema.errors import UsageError
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
