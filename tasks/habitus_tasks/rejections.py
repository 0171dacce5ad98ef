"""The rejection log: one content-free line for everything that habitus did not learn, and how people read it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Select, func, select

from habitus_schema import catalog
from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.errors import UsageError
from habitus_schema.models import Rejection
from habitus_schema.tables import RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.person import Person, Tenant
from habitus_tasks.store import Database

_DETECTORS = frozenset(Detector)
MAX_PAGE = 10_000
"""Lines in one page at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log, as it is shown. `id` grows; it is what the next page begins after."""

    id: int
    day: date
    stage: Stage
    code: Code
    dimension: Dimension | None
    detector: Detector | None
    tenant: str
    session: str | None
    catalog_version: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines, and the id after which the next page begins; None when these were the last."""

    lines: tuple[Line, ...]
    next_after: int | None


def log(
    connection: Connection,
    whose: Person | Tenant,
    rejections: Iterable[Rejection],
    *,
    day: date,
    session: str | None = None,
    catalog_version: int | None = None,
) -> None:
    """Writes one line for each rejection, in order. For a `Tenant` the line names no person."""
    subject = whose.subject if isinstance(whose, Person) else None
    rows = [
        {
            "day": day,
            "stage": each.stage,
            "code": each.code,
            "dimension": each.dimension,
            "detector": Detector(each.detector) if each.detector in _DETECTORS else None,
            "tenant": whose.tenant,
            "subject": subject,
            "session": session,
            "catalog_version": catalog_version or catalog.version(),
        }
        for each in rejections
    ]
    if rows:
        connection.execute(table(RejectionLine).insert(), rows)


def unlogged(
    connection: Connection, person: Person, session: str, rejections: Iterable[Rejection]
) -> Iterator[Rejection]:
    """Those of `rejections` that the log does not have for this session yet, each as often as it is missing."""
    columns = table(RejectionLine).c
    query = select(columns.code, columns.dimension, columns.detector)
    rows = connection.execute(query.where(person.owns(RejectionLine, session=session)))
    logged = Counter((code, dimension, detector) for code, dimension, detector in rows)
    for each in rejections:
        key = (each.code, each.dimension, each.detector if each.detector in _DETECTORS else None)
        if logged[key] > 0:
            logged[key] -= 1
        else:
            yield each


def query(
    database: Database,
    tenant: str | None = None,
    *,
    code: Code | None = None,
    stage: Stage | None = None,
    dimension: Dimension | None = None,
    since: date | None = None,
    after_id: int | None = None,
    limit: int = 100,
) -> Page:
    """One page of the log, oldest first (keyset paging: `after_id` is the last id already seen).

    `tenant` None reads the whole fleet: on PostgreSQL that takes the database's owner. There, ids are given before a
    transaction commits, so a line can appear a moment after a higher id was read; who follows the log and must miss
    none reads the last second's ids again.

    Raises:
        UsageError: for a limit outside 1 to `MAX_PAGE`, or a tenant that is not a keyed id.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise UsageError(f"the limit is a number from 1 to {MAX_PAGE}")
    columns = table(RejectionLine).c
    shown = [columns[name] for name in Line.__dataclass_fields__]
    whose = None if tenant is None else database.tenant(tenant)
    wanted = _filtered(select(*shown), whose, {"code": code, "stage": stage, "dimension": dimension}, since)
    wanted = wanted.where(columns.id > (after_id or 0)).order_by(columns.id).limit(limit + 1)
    rows = database.read(whose, lambda connection: connection.execute(wanted).all())
    lines = tuple(Line(*row) for row in rows[:limit])
    return Page(lines, lines[-1].id if len(rows) > limit else None)


def stats(
    database: Database, tenant: str | None = None, *, since: date | None = None
) -> Sequence[tuple[Stage, Code, Dimension | None, int]]:
    """How often each (stage, code, dimension) was logged, the most frequent first.

    Raises:
        UsageError: for a tenant that is not a keyed id.
    """
    columns = table(RejectionLine).c
    kinds = (columns.stage, columns.code, columns.dimension)
    whose = None if tenant is None else database.tenant(tenant)
    wanted = _filtered(select(*kinds, func.count()), whose, {}, since).group_by(*kinds)
    rows = database.read(whose, lambda connection: connection.execute(wanted).all())
    counted = [(stage, code, dimension, int(count)) for stage, code, dimension, count in rows]
    return sorted(counted, key=lambda row: (-row[3], row[0], row[1], row[2] or ""))


def rejection(code: Code, dimension: str | Dimension | None = None) -> Rejection:
    """A rejection of the record or queue stage: these have no detector."""
    return Rejection(code=code, dimension=Dimension(dimension) if dimension else None)


def _filtered(wanted: Select[Any], whose: Tenant | None, equal: Mapping[str, Any], since: date | None) -> Select[Any]:
    columns = table(RejectionLine).c
    if whose is not None:
        wanted = wanted.where(columns.tenant.in_(whose.tenants))
    for name, value in equal.items():
        if value is not None:
            wanted = wanted.where(columns[name] == value)
    return wanted if since is None else wanted.where(columns.day >= since)


__all__ = ["Line", "Page", "log", "query", "rejection", "stage_of", "stats", "unlogged"]
