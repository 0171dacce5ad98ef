"""The profile, read-only: SQLite or PostgreSQL, without a database toolkit, behind a small cache.

Its worst failure is an empty profile, which the classifier turns into 'ignore' (invariant 7).
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from habitus_schema.errors import UsageError
from habitus_schema.vocabulary import VALUES, Dimension

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

CACHE_SECONDS = 5.0
"""How long a pair that was meanwhile forgotten, contested or removed may still be served."""
CACHE_PEOPLE = 10_000
"""Profiles held at once; when there are more, all are read anew."""
BUSY_SECONDS = 0.25
"""How long a read waits for the database before it gives up: a query must not hang on its profile."""

_QUERY = (
    "SELECT dimension, value, expires FROM profile "
    "WHERE tenant = {0} AND subject = {0} AND status = 'promoted' LIMIT 1000"
)
Rows = Iterable[tuple[str, str, Any]]


class Settled(NamedTuple):
    """A pair as it was read: what `habitus_schema.pairs.Pair` holds, without the library that checks it.

    It is of the catalog all the same, since only what is in it is read.
    """

    dimension: Dimension
    value: str

    def __str__(self) -> str:
        return f"{self.dimension}={self.value}"


_CATALOG = tuple(Settled(dimension, str(value)) for dimension, values in VALUES.items() for value in values)


class Reader:
    """Reads profiles from the database at `url`. Safe to share between threads.

    Attributes:
        errors: reads that failed since the start; each gave an empty profile.

    Raises:
        UsageError: for a URL of another kind than ``sqlite:///file`` or ``postgresql+psycopg://``.
    """

    def __init__(self, url: str, cache_seconds: float = CACHE_SECONDS) -> None:
        self._fetch = _source(url)
        self._seconds = cache_seconds
        self._cache: dict[tuple[str, str], tuple[float, tuple[Settled, ...]]] = {}
        self._lock = threading.Lock()
        self.errors = 0

    def pairs(self, tenant: str, subject: str) -> tuple["Pair", ...]:
        """The person's settled pairs in the catalog's order; empty when there are none or the database is in trouble.

        Args:
            tenant, subject: keyed ids.
        """
        return tuple(map(_pair, self.settled(tenant, subject)))

    def settled(self, tenant: str, subject: str) -> tuple[Settled, ...]:
        """The same in another type, for callers who cannot wait for pydantic to be imported."""
        person, now = (tenant, subject), time.monotonic()
        until, known = self._cache.get(person, (0.0, ()))
        if now < until:
            return known
        try:
            found = _live(self._fetch(tenant, subject), datetime.now(UTC).date())
        except Exception:  # noqa: BLE001 - whatever the driver raises, a query goes on without a profile
            with self._lock:
                self.errors += 1
            return ()
        with self._lock:
            if len(self._cache) >= CACHE_PEOPLE:
                self._cache.clear()
            self._cache[person] = (now + self._seconds, found)
        return found

    def close(self) -> None:
        """Closes the connection that is kept to a server, if there is one; the next read makes a new one."""
        if isinstance(self._fetch, _Postgres):
            self._fetch.close()


@cache
def _pair(settled: Settled) -> "Pair":
    from habitus_schema.pairs import Pair

    return Pair(dimension=settled.dimension, value=settled.value)


def _live(rows: Rows, today: date) -> tuple[Settled, ...]:
    live = {(dimension, value) for dimension, value, expires in rows if expires is None or today < _day(expires)}
    return tuple(each for each in _CATALOG if (each.dimension.value, each.value) in live)


def _day(value: Any) -> date:
    return value if isinstance(value, date) else date.fromisoformat(value)


def _source(url: str) -> Callable[[str, str], Rows]:
    kind, _, rest = url.partition("://")
    if kind == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return _sqlite(rest[1:])
    if kind in ("postgresql", "postgresql+psycopg"):
        return _Postgres(f"postgresql://{rest}")
    raise UsageError("the profile reader takes sqlite:///file or postgresql+psycopg:// URLs")


def _sqlite(path: str) -> Callable[[str, str], Rows]:
    uri = f"file:{quote(path)}?mode=ro"

    def fetch(tenant: str, subject: str) -> Rows:
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)
        try:
            return connection.execute(_QUERY.format("?"), (tenant, subject)).fetchall()
        finally:
            connection.close()

    return fetch


class _Postgres:
    """One connection, made on first use and again after trouble; reads take turns on it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Any = None
        self._lock = threading.Lock()

    def __call__(self, tenant: str, subject: str) -> Rows:
        with self._lock:
            try:
                return self._read(tenant, subject)
            except Exception:
                self._drop()
                raise

    def close(self) -> None:
        """Closes the connection; the next call makes a new one."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _read(self, tenant: str, subject: str) -> Rows:
        if self._connection is None:
            import psycopg  # only where the profile is on PostgreSQL

            self._connection = psycopg.connect(self._url, connect_timeout=1, autocommit=True)
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("SELECT set_config('habitus.tenant', %s, true)", (tenant,))  # row-level security
            rows: Rows = cursor.execute(_QUERY.format("%s"), (tenant, subject)).fetchall()
            return rows
