"""How people page through the rejection log: by keyset, at a cost that does not grow with the log's length.

Every choice comes down to a few ranges of an index whose last columns are the day and the id: one for each code that
may match (`code, day, id` or `dimension, code, day, id`, each also by tenant), or the detector's. From each range the
first ids are taken, the page is cut from them, and only its lines are fetched.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, UnaryExpression, func, select, tuple_, union_all
from sqlalchemy.sql.operators import custom_op

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.errors import UsageError
from habitus_schema.tables import RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.store import Database

MAX_PAGE = 10_000
"""Lines in one page at most."""
MAX_TENANTS = 1000
"""Tenants to choose from at most."""
_C = table(RejectionLine).c


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


class Place(NamedTuple):
    """Where a line stands in the log's order: by day, then by id."""

    day: date
    id: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines, and the id of the last one if there are more; None after the last.

    Attributes:
        lines: in the order that was asked for.
        next_after: what the next page of `query` begins after.
    """

    lines: tuple[Line, ...]
    next_after: int | None

    @property
    def next_place(self) -> Place | None:
        """What the next page of `listed` begins after."""
        return Place(self.lines[-1].day, self.lines[-1].id) if self.next_after is not None else None


_SHOWN = [_C[name] for name in Line.__dataclass_fields__]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines. None means any; the days are both included."""

    code: Code | None = None
    stage: Stage | None = None
    dimension: Dimension | None = None
    detector: Detector | None = None
    since: date | None = None
    until: date | None = None

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes that may match."""
        codes = tuple(Code) if self.code is None else (self.code,)
        return tuple(code for code in codes if self.stage in (None, stage_of(code)))


def query(
    database: Database,
    tenant: str | None = None,
    *,
    code: Code | None = None,
    stage: Stage | None = None,
    dimension: Dimension | None = None,
    detector: Detector | None = None,
    since: date | None = None,
    until: date | None = None,
    after_id: int | None = None,
    limit: int = 100,
) -> Page:
    """One page of the log in the order of its writing: for who follows it. `after_id` is the last id already seen.

    `tenant` None reads the whole fleet: on PostgreSQL that takes the database's owner. There, ids are given before a
    transaction commits, so a line can appear a moment after a higher id was read; who follows the log and must miss
    none reads the last second's ids again.

    Raises:
        UsageError: for a limit outside 1 to `MAX_PAGE`, or a tenant that is not a keyed id.
    """
    _check(limit)
    whose = None if tenant is None else database.tenant(tenant)
    wanted = Wanted(code, stage, dimension, detector, since, until)
    # The primary key alone: SQLite would otherwise sort all lines of the tenant, or of the code, for each page.
    bare = by_id_alone(database.engine.dialect.name)
    lines = select(*_SHOWN).where(_C.id > (after_id or 0), *in_days(since, until), *_equal(wanted, bare))
    if whose is not None:
        lines = lines.where(bare(_C.tenant).in_(whose.tenants))
    lines = lines.order_by(_C.id).limit(limit + 1)
    return _page(database.read(whose, lambda connection: [Line(*row) for row in connection.execute(lines)]), limit)


def listed(
    database: Database,
    tenant: str | None,
    wanted: Wanted,
    *,
    after: Place | None = None,
    newest_first: bool = False,
    limit: int = 100,
) -> Page:
    """One page in the order of days, and of ids within a day. `after`: the last line already seen, in that order.

    Raises:
        UsageError: for a limit outside 1 to `MAX_PAGE`, or a tenant that is not a keyed id.
    """
    _check(limit)
    whose = None if tenant is None else database.tenant(tenant)
    order = (_C.day.desc(), _C.id.desc()) if newest_first else (_C.day, _C.id)
    here = tuple_(_C.day, _C.id)
    edge = [] if after is None else [here < tuple_(*after) if newest_first else here > tuple_(*after)]
    bounds = [*edge, *in_days(wanted.since, wanted.until)]

    def work(connection: Connection) -> list[Line]:
        ranges = [
            select(_C.day, _C.id).where(*conditions, *bounds).order_by(*order).limit(limit + 1).subquery()
            for conditions in _ranges(None if whose is None else whose.tenants, wanted)
        ]
        if not ranges:
            return []
        found = union_all(*(select(each) for each in ranges)).subquery()
        first = (found.c.day.desc(), found.c.id.desc()) if newest_first else (found.c.day, found.c.id)
        ids = select(found.c.id).order_by(*first).limit(limit + 1)
        lines = select(*_SHOWN).where(_C.id.in_(ids.scalar_subquery())).order_by(*order)
        return [Line(*row) for row in connection.execute(lines)]

    return _page(database.read(whose, work), limit)


def tenants(database: Database, limit: int = MAX_TENANTS) -> tuple[str, ...]:
    """The keyed ids of the tenants that have lines, in order; the first `limit`, one look into an index for each.

    Raises UnavailableError when the database does not answer.
    """
    first = select(func.min(_C.tenant).label("tenant")).cte("found", recursive=True)
    later = select(func.min(_C.tenant)).where(_C.tenant > first.c.tenant).scalar_subquery()
    found = first.union_all(select(later).where(first.c.tenant.is_not(None)))
    wanted = select(found.c.tenant).where(found.c.tenant.is_not(None)).limit(limit)
    return tuple(database.read(None, lambda connection: connection.scalars(wanted).all()))


def _check(limit: int) -> None:
    if not 1 <= limit <= MAX_PAGE:
        raise UsageError(f"the limit is a number from 1 to {MAX_PAGE}")


def _page(lines: list[Line], limit: int) -> Page:
    return Page(tuple(lines[:limit]), lines[limit - 1].id if len(lines) > limit else None)


def _ranges(tenants: Sequence[str] | None, wanted: Wanted) -> Iterator[list[ColumnElement[bool]]]:
    """For each range of an index that the page may be cut from, its conditions."""
    for owner in [[]] if tenants is None else [[_C.tenant == tenant] for tenant in tenants]:
        if wanted.detector is not None:
            yield [*owner, *_equal(wanted)]
        else:
            place = [] if wanted.dimension is None else [_C.dimension == wanted.dimension]
            yield from ([*owner, *place, _C.code == code] for code in wanted.codes)


def _equal(wanted: Wanted, of: Callable[[Any], Any] = lambda column: column) -> list[ColumnElement[bool]]:
    """The conditions of the filter but for the days; `of`: what they are put on in a column's place."""
    narrowed = wanted.code is not None or wanted.stage is not None
    return [
        *([] if wanted.dimension is None else [of(_C.dimension) == wanted.dimension]),
        *([] if wanted.detector is None else [of(_C.detector) == wanted.detector]),
        *([of(_C.code).in_(wanted.codes)] if narrowed else []),
    ]


def by_id_alone(dialect: str) -> Callable[[Any], Any]:
    """What keeps SQLite from looking lines up by a column, for conditions beside one on the id.

    That is a unary plus: https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_.
    PostgreSQL knows by its figures what is quickest.
    """
    if dialect != "sqlite":
        return lambda column: column
    return lambda column: UnaryExpression(column, operator=custom_op("+"), type_=column.type)


def in_days(since: date | None, until: date | None, day: Any = _C.day) -> list[ColumnElement[bool]]:
    """The conditions that a day, of a line if not said otherwise, is in the range, both ends included."""
    return [*([day >= since] if since else []), *([day <= until] if until else [])]
