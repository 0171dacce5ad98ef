"""Key files, and databases of a test's own on both servers that are opened with them."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from habitus_tasks.store import Database, open_database
from habitus_worker.keys import Watched, create_keys, load_id_keys


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    create_keys(path)
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the URL of an empty database each time it is called."""

    def make() -> str:
        name = f"r_{secrets.token_hex(6)}"
        if request.param == "sqlite":
            return f"sqlite:///{tmp_path / name}.db"
        server = create_engine(request.getfixturevalue("postgres_url"), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        server.dispose()
        return server.url.set(database=name).render_as_string(hide_password=False)

    return make


@pytest.fixture
def fresh(fresh_url: Callable[[], str], key_file: Path) -> Iterator[Callable[[], Database]]:
    """Gives an empty database, opened with the key file, each time it is called."""
    opened: list[Database] = []

    def make() -> Database:
        opened.append(open_database(fresh_url(), Watched(key_file, load_id_keys)))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
