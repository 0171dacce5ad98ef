"""A rejection log full of made-up lines: skewed as real ones are, over 90 days, a twentieth of them out of order."""

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from habitus_schema import catalog
from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.vocabulary import Dimension

DAYS, DISTINCT, MOST_COPIES = 90, 1_000_000, 10
_CHUNK = 20_000
_COLUMNS = (
    "id", "day", "stage", "code", "dimension", "detector", "tenant", "subject", "session", "catalog_version",
)  # fmt: skip
_USUAL = {Code.ONE_OFF: 30, Code.BELOW_RECURRENCE: 40, Code.ENTITY_COUPLED: 8, Code.DUPLICATE_SESSION: 10}
"""How much more often than the others these come."""
_WITHOUT_DIMENSION = frozenset({Stage.PARSE, Stage.QUEUE})


def load_lines(
    connection: Connection, tenant: str, count: int, last: date, seed: int = 1, *, others: Sequence[str] = ()
) -> None:
    """Fills the log with `count` lines up to the day `last`, beginning at id 1: of one tenant, or a tenth of `others`.

    From twice `DISTINCT` lines on, each is there several times, under ids that follow one another, in a session of its
    own each time.

    Args:
        others: keyed ids of more tenants.
    """
    times = min(MOST_COPIES, max(1, count // DISTINCT))
    rows = lines(tenant, count // times, last, seed, others)
    connection.exec_driver_sql("CREATE TEMPORARY TABLE made AS SELECT * FROM rejection LIMIT 0")
    while chunk := [row for row, _ in zip(rows, range(_CHUNK), strict=False)]:
        _put(connection, chunk)
    copies = " UNION ALL ".join(f"SELECT {copy} AS copy" for copy in reversed(range(times)))
    own = {"id": f"id * {times} - copy", "session": "substr(session, 1, length(session) - 1) || copy"}
    shown = ", ".join(own.get(name, name) for name in _COLUMNS)
    connection.exec_driver_sql(
        f"INSERT INTO rejection ({', '.join(_COLUMNS)}) "  # noqa: S608 - columns of ours
        f"SELECT {shown} FROM made CROSS JOIN ({copies}) AS copies"
    )
    connection.exec_driver_sql("DROP TABLE made")


def lines(tenant: str, count: int, last: date, seed: int, others: Sequence[str] = ()) -> Iterator[tuple[Any, ...]]:
    """The lines, in the order of their ids; see `load_lines`."""
    chance = random.Random(seed)  # noqa: S311 - which made-up line comes next is no secret
    prefix = tenant.partition("-")[0]
    codes = list(Code)
    weights = [_USUAL.get(code, 1) for code in codes]
    dimensions, detectors = list(Dimension), list(Detector)
    skew = [1 / (place + 1) for place in range(len(dimensions))]
    for id_ in range(1, count + 1):
        (code,) = chance.choices(codes, weights)
        stage = stage_of(code)
        dimension = None if stage in _WITHOUT_DIMENSION else chance.choices(dimensions, skew)[0].value
        detector = chance.choice(detectors).value if stage is Stage.GATE else None
        late = chance.random() < 0.05
        place = chance.random() if late else id_ / count
        day = last - timedelta(days=int((1 - place) * (DAYS - 1)))
        session, subject = (f"{prefix}-{chance.getrandbits(128):032x}" for _ in range(2))
        owner = others[id_ // 10 % len(others)] if others and id_ % 10 == 0 else tenant
        yield id_, day, stage.value, code.value, dimension, detector, owner, subject, session, catalog.version()


def _put(connection: Connection, rows: list[tuple[Any, ...]]) -> None:
    cursor = connection.connection.cursor()
    if connection.dialect.name == "postgresql":
        with cursor.copy(f"COPY made ({', '.join(_COLUMNS)}) FROM STDIN") as copy:
            for values in rows:
                copy.write_row(values)
    else:
        marks = ", ".join("?" * len(_COLUMNS))
        plain = [tuple(value.isoformat() if isinstance(value, date) else value for value in each) for each in rows]
        cursor.executemany(f"INSERT INTO made ({', '.join(_COLUMNS)}) VALUES ({marks})", plain)  # noqa: S608
    cursor.close()
