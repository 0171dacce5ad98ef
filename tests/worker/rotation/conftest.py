"""Key files, databases of a test's own on both servers, and people whose sessions exercise all that hangs on ids."""

import hashlib
import random
import secrets
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.ids import IdKey, KeyChain, Kind
from habitus_schema.models import Observed, Rejection, Scope, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.tables import Row
from habitus_schema.vocabulary import Dimension
from habitus_tasks.store import Database, open_database
from habitus_worker.keys import Watched, create_keys, load_id_keys

DAY = date(2026, 3, 1)
_PAIRS = [("response_density", "concise_direct"), ("response_density", "detailed_explanatory"), ("list_style", "prose")]


def _sessions_of(key: IdKey, user: str, count: int) -> list[SessionRecord]:
    """Sessions in order, in ids of the first key; the same for the same user."""
    chance = random.Random(user)

    def keyed(kind: Kind, name: str) -> str:
        return key.keyed(kind, "acme", user, name)

    made: list[SessionRecord] = []
    for number in range(count):
        messages = [f"{number}-a", f"{number}-b"]
        if number and chance.random() < 0.4:  # it resumes or forks an earlier one
            messages.insert(0, f"{chance.randrange(number)}-a")
        dimension, value = chance.choice(_PAIRS)
        entity = chance.random() < 0.2
        observed = Observed(
            pair=Pair(dimension=Dimension(dimension), value=value),
            signal=chance.choice(list(Signal)),
            scope=Scope.ENTITY if entity else Scope.GENERAL,
            message=keyed(Kind.MESSAGE, chance.choice(messages)),
            entity=keyed(Kind.ENTITY, "northwind") if entity else None,
        )
        name = f"s{chance.randrange(number)}" if number and chance.random() < 0.15 else f"s{number}"
        made.append(
            SessionRecord(
                ticket=hashlib.blake2b(f"{user} {number}".encode(), digest_size=16).hexdigest(),
                tenant=key.keyed(Kind.TENANT, "acme"),
                subject=key.keyed(Kind.SUBJECT, "acme", user),
                session=keyed(Kind.SESSION, name),
                context=keyed(Kind.CONTEXT, f"c{number % 4}") if chance.random() < 0.3 else None,
                messages=tuple(keyed(Kind.MESSAGE, each) for each in messages),
                day=DAY + timedelta(days=chance.randrange(20)),
                observations=(observed,),
                rejections=(Rejection(code=Code.ONE_OFF),) if chance.random() < 0.3 else (),
                catalog_version=catalog.version(),
            )
        )
    return made


def _contents(database: Database, chain: KeyChain | None = None) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table but its number, in the ids of the newest key of `chain`."""

    def under(value: Any) -> Any:
        return chain.lift(value) if chain and isinstance(value, str) and value[:1] == "k" and "-" in value else value

    def work(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            each.name: sorted(
                (
                    tuple(under(value) for name, value in row.items() if (each.name, name) != ("rejection", "id"))
                    for row in connection.execute(select(each)).mappings()
                ),
                key=repr,
            )
            for each in Row.metadata.sorted_tables
        }

    return database.read(None, work)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    create_keys(path)
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the URL of an empty database each time it is called."""

    def make() -> str:
        if request.param == "sqlite":
            return f"sqlite:///{tmp_path / secrets.token_hex(6)}.db"
        url: str = request.getfixturevalue("empty_postgres")()
        return url

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


@pytest.fixture
def sessions_of() -> Callable[[IdKey, str, int], list[SessionRecord]]:
    """(first key, user, how many) to sessions in order."""
    return _sessions_of


@pytest.fixture
def contents() -> Callable[..., dict[str, list[tuple[Any, ...]]]]:
    """(database, chain or nothing) to all rows, in the ids of the chain's newest key."""
    return _contents
