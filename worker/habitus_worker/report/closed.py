"""The proof that every stored value is closed: each value of each row is looked at by the kind of its column.

The database's own constraints say the same; this reads what is there, whatever wrote it and whatever they were then.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Enum, String, select, type_coerce

from habitus_schema import catalog
from habitus_schema.columns import TICKET_PATTERN, CatalogText, Day, KeyedText, TicketText
from habitus_schema.ids import ID_PATTERN
from habitus_schema.tables import Row
from habitus_tasks.store import Database

Judge = Callable[[Any], bool]
_WORDS = frozenset(word for pair in catalog.all_pairs() for word in (pair.dimension.value, pair.value))


@dataclass(frozen=True, slots=True)
class ClosedAudit:
    """How many rows and values were read, and how many values are not of their column's closed kind."""

    rows: int
    values: int
    open: int


def audit_closed(database: Database, whose: str | None = None) -> ClosedAudit:
    """Reads every row of every table (`whose`: of the tables with a tenant only that one's).

    Raises:
        UnavailableError: when the database does not answer.
    """
    tenant = None if whose is None else database.tenant(whose)

    def work(connection: Connection) -> ClosedAudit:
        rows = values = bad = 0
        for table in Row.metadata.sorted_tables:
            judges = [_judge(column.type) for column in table.columns]
            wanted = select(*(_plain(column) for column in table.columns))
            if tenant is not None and "tenant" in table.c:
                wanted = wanted.where(table.c.tenant.in_(tenant.tenants))
            for row in connection.execution_options(yield_per=2000).execute(wanted):
                rows += 1
                values += len(row)
                bad += sum(value is not None and not ok(value) for value, ok in zip(row, judges, strict=True))
        return ClosedAudit(rows, values, bad)

    return database.read(tenant, work)


def _plain(column: Any) -> Any:
    """The value as it is stored: an enum's conversion would stop at the very word that is looked for."""
    return type_coerce(column, String()) if isinstance(column.type, Enum) else column


def _judge(kind: Any) -> Judge:
    if isinstance(kind, KeyedText):
        return _matches(ID_PATTERN)
    if isinstance(kind, TicketText):
        return _matches(TICKET_PATTERN)
    if isinstance(kind, CatalogText):
        return _WORDS.__contains__
    if isinstance(kind, Enum):
        return frozenset(kind.enums).__contains__
    return (lambda value: isinstance(value, date)) if isinstance(kind, Day) else (lambda value: isinstance(value, int))


def _matches(pattern: str) -> Judge:
    compiled = re.compile(pattern.removeprefix("^").removesuffix("$"))
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None
