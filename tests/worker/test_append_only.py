"""What was burned in the embedded Redis does not stay in its append-only file; what is there does."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from habitus_schema.errors import UnavailableError
from habitus_tasks.store import open_database
from habitus_worker import append_only
from habitus_worker.append_only import QuietRewrite, nothing_burned_kept, rewrite
from habitus_worker.cli import app
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.ledger import DEAD, Counts, connect
from habitus_worker.settings import read_settings
from habitus_worker.stack import drop_burned, embedded_stack

SEALED = b"gAAAAA-of-a-session"
QUIET = Counts(submitted=1, recorded=1, duplicate=0, dead=0, in_flight=0)


def _burn(url: str) -> None:
    with connect(url) as client:
        client.set("habitus:payload:t", SEALED)
        client.delete("habitus:payload:t")
        client.set("kept", "yes")


def _holds(home: Path, wanted: bytes = SEALED) -> bool:
    return any(wanted in path.read_bytes() for path in home.rglob("*") if path.is_file())


def _burned(home: Path) -> None:
    """A Redis that was stopped without a word keeps it: else these tests could not fail."""
    with embedded_redis(home) as url:
        _burn(url)
    assert _holds(home)


def _wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def test_a_rewritten_file_holds_what_redis_holds_and_can_be_searched(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url:
        _burn(url)
        connect(url).set("long", "lorem ipsum " * 99)  # Redis's own dump would pack it
        rewrite(url)
        assert not _holds(tmp_path)
        assert _holds(tmp_path, b"lorem ipsum " * 99)
    with embedded_redis(tmp_path) as url:
        assert connect(url).get("kept") == b"yes"


def test_a_stack_drops_what_an_earlier_one_left_when_it_starts_and_its_own_when_it_stops(tmp_path: Path) -> None:
    _burned(tmp_path)
    settings = read_settings(home=tmp_path, redis_url="", database_url="")
    with embedded_stack(settings) as (running, _worker):
        assert not _holds(tmp_path)
        _burn(running.redis)
        assert _holds(tmp_path)
    assert not _holds(tmp_path)
    with embedded_redis(tmp_path) as url:
        assert connect(url).get("kept") == b"yes"


def test_a_redis_that_is_gone_when_the_stack_stops_does_not_hide_why(tmp_path: Path) -> None:
    def stop_redis_and_fail(url: str) -> None:
        connect(url).shutdown()
        raise KeyError

    with embedded_redis(tmp_path) as url, pytest.raises(KeyError), nothing_burned_kept(url):
        stop_redis_and_fail(url)


def test_a_redis_that_does_not_answer_is_said_to_have_rewritten_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match=r"redis\.log"):
        rewrite(f"unix://{tmp_path}/redis.sock?db=0")


def test_a_running_stack_drops_it_once_nothing_is_in_flight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append_only, "QUIET_SECONDS", 0.0)
    with embedded_redis(tmp_path) as url:
        look = QuietRewrite(url)
        _burn(url)
        assert not look(Counts(2, 1, 0, 0, 1))
        assert look(QUIET)
        _wait(lambda: not _holds(tmp_path))
        _settled(url)
        assert not look(QUIET)  # nothing has ended since
        assert look(Counts(2, 2, 0, 0, 0))


def test_it_drops_a_burned_dead_letter_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append_only, "QUIET_SECONDS", 0.0)
    with embedded_redis(tmp_path) as url:
        connect(url).hset(DEAD, "t", "{}")
        look = QuietRewrite(url)
        assert look(QUIET)
        _settled(url)
        _burn(url)
        connect(url).hdel(DEAD, "t")
        assert look(QUIET)
        _wait(lambda: not _holds(tmp_path))


def test_a_file_that_grew_with_nothing_ended_is_rewritten_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append_only, "QUIET_SECONDS", 0.0)
    with embedded_redis(tmp_path) as url:
        look = QuietRewrite(url)
        assert look(QUIET)
        _settled(url)
        connect(url).set("grown", b"." * append_only.GROWN_BYTES)
        assert look(QUIET)


def test_it_is_not_rewritten_again_and_again(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url:
        look = QuietRewrite(url)
        assert look(QUIET)
        _settled(url)
        assert not look(Counts(2, 2, 0, 0, 0))


def _settled(url: str) -> None:
    _wait(lambda: not connect(url).info("persistence")["aof_rewrite_in_progress"])


def test_under_a_load_without_a_pause_the_file_is_held_small_by_redis_itself(tmp_path: Path) -> None:
    with embedded_redis(tmp_path) as url, connect(url) as client:
        for _ in range(4):
            client.set("habitus:payload:t", b"." * 1024 * 1024)
        client.delete("habitus:payload:t")
        _wait(lambda: client.info("persistence")["aof_current_size"] < 1024 * 1024)


@pytest.mark.parametrize("up", [True, False])
def test_forgetting_someone_drops_it_whether_the_stack_is_up_or_not(tmp_path: Path, up: bool) -> None:
    settings = read_settings(home=tmp_path, redis_url="", database_url="")
    create_keys(settings.keys)
    open_database(settings.database).close()
    _burned(tmp_path)
    words = ["--home", str(tmp_path), "--redis-url", "", "--database-url", "", "forget", "--user", "ada"]
    if up:
        with embedded_redis(tmp_path):
            done = CliRunner().invoke(app, words)
            assert not _holds(tmp_path)
    else:
        done = CliRunner().invoke(app, words)
    assert not _holds(tmp_path)
    assert done.exit_code == 0, done.output


def test_forgetting_someone_of_a_fleet_touches_no_redis(tmp_path: Path) -> None:
    _burned(tmp_path)
    drop_burned(read_settings(home=tmp_path, redis_url="redis://nobody.invalid:1/0"))
    assert _holds(tmp_path)


def test_where_no_redis_ever_ran_none_is_started(tmp_path: Path) -> None:
    drop_burned(read_settings(home=tmp_path, redis_url=""))
    assert list(tmp_path.iterdir()) == []
