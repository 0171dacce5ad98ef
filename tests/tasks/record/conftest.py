"""A person whose sessions are counted, on either database. Each test has a key, and so a tenant, of its own."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest

from habitus_schema import catalog
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Observed, Outcome, Rejection, Scope, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile, rejections
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database, open_database

DAY = date(2026, 3, 1)


@dataclass
class World:
    """One person of one tenant, and what is said in their sessions. Names are plain here and keyed in the records."""

    database: Database
    key: IdKey = field(default_factory=IdKey.generate)
    user: str = "ada"
    tenant: str = "acme"
    rule: PromotionRule = field(default_factory=PromotionRule)
    today: date = DAY + timedelta(days=60)

    @property
    def who(self) -> tuple[str, str]:
        return self.key.keyed(Kind.TENANT, self.tenant), self.key.keyed(Kind.SUBJECT, self.tenant, self.user)

    def id(self, kind: Kind, name: str) -> str:
        return self.key.keyed(kind, self.tenant, self.user, name)

    def says(
        self,
        pair: str,
        *,
        message: str | None = None,
        signal: Signal = Signal.CORRECTION,
        entity: str | None = None,
    ) -> Observed:
        dimension, value = pair.split("=")
        return Observed(
            pair=Pair(dimension=Dimension(dimension), value=value),
            signal=signal,
            scope=Scope.ENTITY if entity else Scope.GENERAL,
            message=self.id(Kind.MESSAGE, message) if message else None,
            entity=self.id(Kind.ENTITY, entity) if entity else None,
        )

    def session(
        self,
        name: str,
        *said: Observed | str,
        day: int = 0,
        messages: tuple[str, ...] | str | None = None,
        context: str | None = None,
        sketch: tuple[int, ...] = (),
        rejections: tuple[Rejection, ...] = (),
        ticket: str | None = None,
    ) -> SessionRecord:
        names = (f"{name}-1", f"{name}-2") if messages is None else tuple(messages)
        return SessionRecord(
            ticket=ticket or secrets.token_hex(16),
            tenant=self.who[0],
            subject=self.who[1],
            session=self.id(Kind.SESSION, name),
            context=self.id(Kind.CONTEXT, context) if context else None,
            messages=tuple(self.id(Kind.MESSAGE, each) for each in names),
            sketch=sketch,
            day=DAY + timedelta(days=day),
            observations=tuple(self.says(each) if isinstance(each, str) else each for each in said),
            rejections=rejections,
            catalog_version=catalog.version(),
        )

    def record(self, record: SessionRecord) -> Outcome:
        return record_session(self.database, record, self.rule, today=self.today)

    def counts(self, name: str, *said: Observed | str, **more: object) -> Outcome:
        return self.record(self.session(name, *said, **more))  # type: ignore[arg-type]

    def profile(self) -> dict[str, tuple[int, str]]:
        """Pair to (contexts, status)."""
        rows = profile.show(self.database, *self.who, today=self.today)
        return {str(row.pair): (row.contexts, row.status.value) for row in rows}

    def pairs(self) -> set[str]:
        return set(self.profile())

    def log(self) -> list[tuple[str, str | None]]:
        """(code, dimension) of each line of the tenant."""
        page = rejections.query(self.database, self.who[0], limit=1000)
        return [(line.code.value, line.dimension.value if line.dimension else None) for line in page.lines]


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('record') / 'habitus.db'}"
    else:
        url = request.getfixturevalue("empty_postgres")()
    opened = open_database(url)
    yield opened
    opened.close()


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


@pytest.fixture
def world_of() -> Callable[[Database], World]:
    """A world on a database of the test's own."""
    return World
