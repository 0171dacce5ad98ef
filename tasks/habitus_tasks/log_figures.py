"""How often what was refused: counts by day, code and dimension, read from the sums and the lines after them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, distinct, func, null, select, type_coerce, union_all

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.tables import RejectionLine, Session, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_counting import cube
from habitus_tasks.log_reading import in_days
from habitus_tasks.store import Database

_C = table(RejectionLine).c
DEFERRED = frozenset({Code.BELOW_RECURRENCE, Code.CONFLICTING_EVIDENCE})
"""Not refused: it counts on, and may still become a habit."""
NO_REFUSAL = DEFERRED | {Code.DUPLICATE_SESSION, Code.SUPERSEDED}
"""Lines that say how something was counted, and refuse nothing."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a code was given on a day for a dimension."""

    day: date
    code: Code
    dimension: Dimension | None
    count: int

    @property
    def stage(self) -> Stage:
        """The stage that gave it."""
        return stage_of(self.code)


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a range by day and code, and of the lines that name a dimension by dimension and code."""

    days: Mapping[tuple[date, Code], int]
    places: Mapping[tuple[Dimension, Code], int]

    def __add__(self, other: "Summary") -> "Summary":
        days, places = Counter(self.days), Counter(self.places)
        days.update(other.days)
        places.update(other.places)
        return Summary(days, places)


@dataclass(frozen=True, slots=True)
class Share:
    """Sessions that ended in some days, and how many of them had anything refused."""

    sessions: int
    refused: int


def counts(
    database: Database, tenant: str | None = None, *, since: date | None = None, until: date | None = None
) -> tuple[Count, ...]:
    """The counts of each day in the range, oldest first. `tenant` None counts the whole fleet's.

    Raises:
        UsageError: for a tenant that is not a keyed id.
        UnavailableError: when the database does not answer. So do all functions of this module.
    """
    whose = None if tenant is None else database.tenant(tenant)

    def work(connection: Connection) -> tuple[Count, ...]:
        found = Counter[tuple[date, Code, Dimension | None]]()
        tables = [each.c for each in cube(connection, whose, since, until)]
        kinds = [select(c.day, c.code, c.dimension, _sum(c)).group_by(c.day, c.code, c.dimension) for c in tables]
        for *kind, n in connection.execute(union_all(*kinds)):
            found[tuple(kind)] += int(n)
        return tuple(Count(*kind, found[kind]) for kind in sorted(found, key=lambda kind: kind[0]))

    return database.read(whose, work)


def summary(
    database: Database, tenant: str | None = None, *, since: date | None = None, until: date | None = None
) -> Summary:
    """The summary of the range. `tenant` None sums the whole fleet up."""
    whose = None if tenant is None else database.tenant(tenant)
    no_dimension, no_day = type_coerce(null(), _C.dimension.type), type_coerce(null(), _C.day.type)

    def work(connection: Connection) -> Summary:
        tables = [each.c for each in cube(connection, whose, since, until)]
        by_day = [select(c.day, c.code, no_dimension, _sum(c)).group_by(c.day, c.code) for c in tables]
        named = [select(no_day, c.code, c.dimension, _sum(c)).where(c.dimension.is_not(None)) for c in tables]
        by_place = [each.group_by(c.dimension, c.code) for each, c in zip(named, tables, strict=True)]
        days, places = Counter[tuple[date, Code]](), Counter[tuple[Dimension, Code]]()
        for day, code, dimension, n in connection.execute(union_all(*by_day, *by_place)):
            if day is None:
                places[dimension, code] += int(n)
            else:
                days[day, code] += int(n)
        return Summary(days, places)

    return database.read(whose, work)


def _sum(columns: Any) -> ColumnElement[Any]:
    return func.sum(columns.lines)


def stats(
    database: Database, tenant: str | None = None, *, since: date | None = None, until: date | None = None
) -> Sequence[tuple[Stage, Code, Dimension | None, int]]:
    """How often each (stage, code, dimension) was logged, the most frequent first. Raises as `counts` does."""
    total: dict[tuple[Stage, Code, Dimension | None], int] = {}
    for each in counts(database, tenant, since=since, until=until):
        key = each.stage, each.code, each.dimension
        total[key] = total.get(key, 0) + each.count
    return sorted(((*key, n) for key, n in total.items()), key=lambda row: (-row[3], row[0], row[1], row[2] or ""))


def share_refused(
    database: Database, tenant: str | None = None, *, since: date | None = None, until: date | None = None
) -> Share:
    """How many sessions ended in the range, and how many of them had anything refused (`NO_REFUSAL` is not)."""
    whose = None if tenant is None else database.tenant(tenant)
    ended = table(Session).c
    refused = select(func.count(distinct(_C.session))).where(*in_days(since, until), _C.code.not_in(NO_REFUSAL))
    days = [*([ended.day >= since] if since else []), *([ended.day <= until] if until else [])]
    sessions = select(func.count()).select_from(table(Session)).where(*days)
    if whose is not None:
        refused = refused.where(_C.tenant.in_(whose.tenants))
        sessions = sessions.where(ended.tenant.in_(whose.tenants))

    def work(connection: Connection) -> Share:
        found = connection.scalar(refused) or 0
        return Share(max(connection.scalar(sessions) or 0, found), found)

    return database.read(whose, work)
