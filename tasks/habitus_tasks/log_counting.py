"""The sums of the rejection log: each line is counted once, so that a figure over millions of lines costs thousands.

A sum is of the lines up to an id; those after it are counted when they are asked for. So nothing is counted while a
session is recorded, lines of days long past may come at any time, and what deletes a line takes it from its sum
(`habitus_schema.recount`): sums and later lines together are the counts of the log, at every moment.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, text, type_coerce
from sqlalchemy.dialects import postgresql, sqlite

from habitus_schema.errors import UnavailableError
from habitus_schema.recount import COUNTING, NO_DIMENSION
from habitus_schema.tables import CountedTo, RejectionCount, RejectionLine, table
from habitus_tasks.log_reading import by_id_alone, in_days
from habitus_tasks.person import Tenant
from habitus_tasks.store import Database

CHUNK = 50_000
"""Lines in one transaction: on SQLite the writers wait for it, for a part of a second."""
WAIT = "2s"
"""How long the count waits for its turn on PostgreSQL, and writers behind it; it is as well done the day after."""
FEW = 8
"""Lines after the last count are looked up by id while they are at most one in so many of the log."""
_LINES, _SUMS = table(RejectionLine), table(RejectionCount)
_LINE, _SUM = _LINES.c, _SUMS.c
_BOUND = select(func.coalesce(func.max(table(CountedTo).c.upto), 0)).scalar_subquery()
_NAMED = func.coalesce(_LINE.dimension, NO_DIMENSION)


def count_up(database: Database, chunk: int = CHUNK) -> int:
    """Counts the lines that are not in the sums yet; returns how many. Once a day is enough, and never is not wrong.

    On PostgreSQL it takes the database's owner: a role that sees one tenant at a time counts nothing.

    Raises:
        UnavailableError: when the database does not answer; what was counted before stays counted.
    """
    last = _last(database)
    done = 0
    while count := database.write(None, lambda connection: _count(connection, last, chunk)):
        done += count
    return done


def _last(database: Database) -> int:
    """An id up to which every line that was begun is there to be counted, or was given up; 0 for none."""
    newest = select(func.coalesce(func.max(_LINE.id), 0))
    found: int = database.read(None, lambda connection: connection.scalar(newest)) or 0
    if database.engine.dialect.name == "sqlite" or not found:
        return found

    def work(connection: Connection) -> int:
        # Ids are given before a transaction commits: whoever has written has to end before the highest is read.
        connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT}'"))
        connection.execute(text("LOCK TABLE rejection IN SHARE MODE"))
        return connection.scalar(newest) or 0

    try:
        return database.write(None, work)
    except UnavailableError:
        return 0  # a long transaction holds the table


def _count(connection: Connection, last: int, most: int) -> int:
    """Moves the bound up by a chunk at most; returns how many lines were counted."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(COUNTING)))
    bound: int = connection.scalar(select(_BOUND)) or 0
    chunk = select(_LINE.id).where(_LINE.id > bound, _LINE.id <= last).order_by(_LINE.id).limit(most).subquery()
    end, count = connection.execute(select(func.max(chunk.c.id), func.count())).one()
    if not count:
        return 0
    kinds = (_LINE.tenant, _LINE.day, _LINE.code, _NAMED)
    between = select(*kinds, func.count()).where(_LINE.id > bound, _LINE.id <= end).group_by(*kinds)
    connection.execute(_adding(connection, between))
    connection.execute(delete(table(CountedTo)))
    connection.execute(insert(table(CountedTo)).values(upto=end))
    return int(count)


def _adding(connection: Connection, sums: Select[Any]) -> Any:
    add = (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(_SUMS)
    add = add.from_select([column.name for column in _SUMS.columns], sums)
    more = {"lines": _SUM.lines + add.excluded.lines}
    return add.on_conflict_do_update(index_elements=list(_SUMS.primary_key), set_=more)


def cube(connection: Connection, whose: Tenant | None, since: date | None, until: date | None) -> tuple[Any, Any]:
    """Two tables of (day, code, dimension, lines) over the days, both included, for the tenant; None: for all.

    The first is of the sums and may have a kind on many rows, the second of the later lines. They are to be read in one
    statement, so that no count comes in between.
    """
    tenants = _tenants(connection, whose)
    named = type_coerce(func.nullif(_SUM.dimension, NO_DIMENSION), _LINE.dimension.type)
    sums = select(_SUM.day, _SUM.code, named.label("dimension"), _SUM.lines)
    bare = by_id_alone("sqlite" if _few(connection) else "")
    kinds = [bare(_LINE[name]).label(name) for name in ("day", "code", "dimension")]
    later = select(*kinds, func.count().label("lines"))
    later = later.where(*_later(connection), *_within(bare(_LINE.tenant), tenants), *in_days(since, until))
    return (
        sums.where(*_within(_SUM.tenant, tenants), *in_days(since, until, _SUM.day)).subquery("sums"),
        later.group_by(*kinds).cte("later").prefix_with("MATERIALIZED"),
    )


def _tenants(connection: Connection, whose: Tenant | None) -> Sequence[str] | None:
    """Whose lines; None for all. Where the whole log is one tenant's, that one: its index gives them in order."""
    if whose is not None:
        return whose.tenants
    first, last = (connection.scalar(select(edge(_LINE.tenant))) for edge in (func.min, func.max))
    return (first,) if first is not None and first == last else None


def _within(owner: Any, tenants: Sequence[str] | None) -> list[ColumnElement[bool]]:
    if tenants is None:
        return []
    return [owner == tenants[0] if len(tenants) == 1 else owner.in_(tenants)]


def _later(connection: Connection) -> list[ColumnElement[bool]]:
    """The lines after the bound. The bound of a moment ago, which only grows on PostgreSQL, tells its planner how few
    these are."""
    bound = [_LINE.id > _BOUND]
    return bound if connection.dialect.name == "sqlite" else [_LINE.id > connection.scalar(select(_BOUND)), *bound]


def _few(connection: Connection) -> bool:
    """Whether SQLite, which has no such figures, had better go by the ids than by the index of the days."""
    if connection.dialect.name != "sqlite":
        return False
    bound, newest = (int(connection.scalar(select(each)) or 0) for each in (_BOUND, func.max(_LINE.id)))
    return newest - bound <= newest // FEW
