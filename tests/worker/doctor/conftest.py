"""A deployment in order, to be put out of order one thing at a time."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from habitus_tasks.store import open_database
from habitus_worker.doctor.finding import Check, Finding
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.ledger import connect
from habitus_worker.settings import Settings, read_settings

Look = Callable[[Check, Settings], dict[str, Finding]]


@pytest.fixture(scope="session")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis whose settings these tests change."""
    with embedded_redis(tmp_path_factory.mktemp("doctor")) as url:
        yield url


@pytest.fixture
def settings(tmp_path: Path, own_redis: str) -> Settings:
    """All is well here."""
    with connect(own_redis) as client:
        client.flushall()
    tmp_path.chmod(0o700)
    create_keys(tmp_path / "keys.json")
    made = read_settings(home=tmp_path, redis_url=own_redis, database_url="")
    open_database(made.database).close()
    (tmp_path / "habitus.db").chmod(0o600)
    return made


@pytest.fixture(scope="session")
def look() -> Look:
    """What a check finds, by the finding's name."""

    def found(check: Check, settings: Settings) -> dict[str, Finding]:
        return {each.check: each for each in check(settings)}

    return found


@pytest.fixture(scope="session")
def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
