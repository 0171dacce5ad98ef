"""The rejection log: one content-free line for everything that habitus did not learn. `log_reading` reads it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from habitus_schema import catalog
from habitus_schema.codes import Code, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.models import Rejection
from habitus_schema.tables import RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_figures import stats
from habitus_tasks.log_reading import MAX_PAGE, Line, Page, query
from habitus_tasks.person import Person, Tenant

_DETECTORS = frozenset(Detector)


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
    write_lines(connection, lines_of(whose, rejections, day=day, session=session, catalog_version=catalog_version))


def lines_of(
    whose: Person | Tenant,
    rejections: Iterable[Rejection],
    *,
    day: date,
    session: str | None = None,
    catalog_version: int | None = None,
) -> list[dict[str, Any]]:
    """The lines that `log` writes."""
    subject = whose.subject if isinstance(whose, Person) else None
    return [
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


def write_lines(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Writes lines, in order."""
    if lines:
        connection.execute(table(RejectionLine).insert(), lines)


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


def rejection(code: Code, dimension: str | Dimension | None = None) -> Rejection:
    """A rejection of the record or queue stage: these have no detector."""
    return Rejection(code=code, dimension=Dimension(dimension) if dimension else None)


__all__ = [
    "MAX_PAGE",
    "Line",
    "Page",
    "lines_of",
    "log",
    "query",
    "rejection",
    "stage_of",
    "stats",
    "unlogged",
    "write_lines",
]
