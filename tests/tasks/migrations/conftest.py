"""Databases of a test's own, on both servers, and migrations made up by a test."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from habitus_tasks import migrations
from habitus_tasks.store import Database, connect


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Database]]:
    """Gives an empty database each time it is called."""
    opened: list[Database] = []

    def make() -> Database:
        name = f"m_{secrets.token_hex(6)}"
        url = f"sqlite:///{tmp_path / name}.db"
        if request.param == "postgresql":
            server = create_engine(request.getfixturevalue("postgres_url"), isolation_level="AUTOCOMMIT")
            with server.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
            url = server.url.set(database=name).render_as_string(hide_password=False)
            server.dispose()
        opened.append(connect(url))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def more(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of our migrations with one more, of the given body."""

    def made(body: str) -> Path:
        folder = tmp_path / "migrations"
        shutil.copytree(migrations.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        head = f'revision = "{migrations.latest() + 1:04}"\ndown_revision = "{migrations.latest():04}"\n'
        (folder / "versions" / "made_up.py").write_text(head + body)
        return folder

    return made
