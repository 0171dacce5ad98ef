"""Databases of a test's own, on both servers, and migrations made up by a test."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from habitus_tasks import migrations
from habitus_tasks.store import Database, connect


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Database]]:
    """Gives an empty database each time it is called."""
    opened: list[Database] = []

    def make() -> Database:
        url = f"sqlite:///{tmp_path / secrets.token_hex(6)}.db"
        if request.param == "postgresql":
            url = request.getfixturevalue("empty_postgres")()
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
