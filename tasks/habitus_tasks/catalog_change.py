"""What a migration does to rows when the catalog changes: a retired or renamed value maps or drops, and says so.

A migration to a new catalog calls `set_vocabulary` with the old and the new pairs, `remap`, and `set_vocabulary` with
the new pairs alone. Both look the tables up in the database: they work whatever these look like in later versions.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, MetaData, Table, and_, bindparam, delete, insert, or_, select, update

from habitus_schema.codes import Code, Stage

PairName = tuple[str, str]
"""(dimension, value), as stored."""
Mapped = Mapping[PairName, PairName | None]
_Row = dict[str, Any]


def set_vocabulary(connection: Connection, pairs: Collection[PairName], version: int) -> None:
    """Makes `pairs` the whole vocabulary of the database: its CHECKs, and the rows that preferences point at.

    Lines of the rejection log about a dimension that is no more lose that word, and its decision counts go. Words are
    the catalog's own: letters, digits and underscores.
    """
    values, lines = _table(connection, "catalog_value"), _table(connection, "rejection")
    known = _pairs(connection)
    gone = [{"d": dimension, "v": value} for dimension, value in known - set(pairs)]
    if gone:
        drop = delete(values).where(values.c.dimension == bindparam("d"), values.c.value == bindparam("v"))
        connection.execute(drop, gone)
    dimensions = list(dict.fromkeys(dimension for dimension, _ in pairs))
    connection.execute(update(lines).where(lines.c.dimension.not_in(dimensions)).values(dimension=None))
    counts = _table(connection, "decision")
    connection.execute(delete(counts).where(counts.c.dimension.not_in(dimensions)))
    _replace_check(connection, "catalog_value", "vocabulary", "dimension || '=' || value", map("=".join, pairs))
    for log in ("rejection", "decision"):
        _replace_check(connection, log, "dimension_closed", "dimension", dimensions)
    fresh = [pair for pair in pairs if pair not in known]
    if fresh:
        rows = [{"dimension": dimension, "value": value, "catalog_version": version} for dimension, value in fresh]
        connection.execute(insert(values), rows)


def _replace_check(connection: Connection, table: str, name: str, what: str, words: Iterable[str]) -> None:
    """Closes `what` to other words. SQLite: the table is built anew (see `habitus_tasks.migrate`), indexes as well."""
    check = f"CONSTRAINT ck_{table}_{name} CHECK ({what} IN ({', '.join(repr(str(word)) for word in words)}))"
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT ck_{table}_{name}")
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD {check}")
        return
    master = f"SELECT type, sql FROM sqlite_master WHERE tbl_name = '{table}' AND sql IS NOT NULL"  # noqa: S608 - ours
    made = connection.exec_driver_sql(master).all()
    before = next(sql for kind, sql in made if kind == "table")
    start = before.index(f"CONSTRAINT ck_{table}_{name} CHECK (")
    end = before.index("))", start) + 2
    after = f"{before[:start]}{check}{before[end:]}"
    connection.exec_driver_sql(after.replace(table, f"{table}_fresh", 1))
    connection.exec_driver_sql(f"INSERT INTO {table}_fresh SELECT * FROM {table}")  # noqa: S608 - a name of ours
    connection.exec_driver_sql(f"DROP TABLE {table}")
    connection.exec_driver_sql(f"ALTER TABLE {table}_fresh RENAME TO {table}")
    for kind, sql in made:
        if kind == "index":
            connection.exec_driver_sql(sql)


def remap(connection: Connection, mapping: Mapped, *, today: date | None = None) -> set[tuple[str, str]]:
    """Gives every vote, profile row and block of a pair in `mapping` the pair it maps to, or drops it (None).

    What falls together is kept once: of two votes of one session the general one, then the standing one, on the earlier
    day; of two rows of one dimension the pinned one, then the one that was there. Each vote, pin and block dropped for
    good is one SUPERSEDED line. When a whole dimension goes into another one, lines about it follow.

    Returns:
        the (tenant, subject) to be settled anew by the rule; a migration's `upgrade` returns them.
    """
    day = today or datetime.now(UTC).date()
    touched: set[tuple[str, str]] = set()
    for name, choose in (("observation", _better_vote), ("profile", _better_row), ("blocked_pair", _earlier)):
        rows = _Rows(connection, _table(connection, name), mapping)
        moving = rows.moving()
        touched |= {(row["tenant"], row["subject"]) for row in moving}
        lost = rows.move(moving, choose)
        _log(connection, [row for row in lost if name != "profile" or row["pinned"]], day)
    _rename_lines(connection, mapping)
    return touched


class _Rows:
    """The rows of one table with a pair in its columns."""

    def __init__(self, connection: Connection, table: Table, mapping: Mapped) -> None:
        self._connection, self._table, self._mapping = connection, table, mapping
        self._key = [column.name for column in table.primary_key]

    def moving(self) -> list[_Row]:
        """Those with a pair that changes, person by person."""
        columns = self._table.c
        old = or_(*(and_(columns.dimension == d, columns.value == v) for d, v in self._mapping))
        found = select(self._table).where(old).order_by(columns.tenant, columns.subject)
        return [dict(row) for row in self._connection.execute(found).mappings()]

    def move(self, moving: list[_Row], choose: Any) -> list[_Row]:
        """Moves them, and returns those that mapped to nothing."""
        lost = []
        for _, group in groupby(moving, key=itemgetter("tenant", "subject")):
            theirs = list(group)
            self._delete(theirs)
            kept: dict[tuple[Any, ...], _Row] = {}
            for row in theirs:
                pair = self._mapping[row["dimension"], row["value"]]
                if pair is None:
                    lost.append(row)
                    continue
                moved = row | {"dimension": pair[0], "value": pair[1]}
                key = self._key_of(moved)
                rival = kept.get(key) or self._stored(moved)
                kept[key] = choose(rival, moved) if rival else moved
            self._delete(kept.values())
            if kept:
                self._connection.execute(insert(self._table), list(kept.values()))
        return lost

    def _key_of(self, row: _Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in self._key)

    def _stored(self, row: _Row) -> _Row | None:
        same = and_(*(self._table.c[name] == row[name] for name in self._key))
        found = self._connection.execute(select(self._table).where(same)).mappings().one_or_none()
        return dict(found) if found else None

    def _delete(self, rows: Iterable[_Row]) -> None:
        keys = [{f"k_{name}": row[name] for name in self._key} for row in rows]
        if keys:
            same = and_(*(self._table.c[name] == bindparam(f"k_{name}") for name in self._key))
            self._connection.execute(delete(self._table).where(same), keys)


def _better_vote(there: _Row, moved: _Row) -> _Row:
    best = min((there, moved), key=lambda row: (row["scope"] != "general", row["signal"] != "standing"))
    return best | {"day": min(there["day"], moved["day"])}


def _better_row(there: _Row, moved: _Row) -> _Row:
    return moved if moved["pinned"] and not there["pinned"] else there


def _earlier(there: _Row, moved: _Row) -> _Row:
    return there | {"day": min(there["day"], moved["day"])}


def _log(connection: Connection, lost: Iterable[_Row], day: date) -> None:
    rows = [
        {
            "day": day,
            "stage": Stage.RECORD.value,
            "code": Code.SUPERSEDED.value,
            "dimension": row["dimension"],
            "tenant": row["tenant"],
            "subject": row["subject"],
            "session": row.get("session"),
            "catalog_version": row["catalog_version"],
        }
        for row in lost
    ]
    if rows:
        connection.execute(insert(_table(connection, "rejection")), rows)


def _rename_lines(connection: Connection, mapping: Mapped) -> None:
    lines, known = _table(connection, "rejection"), _pairs(connection)
    for dimension in {dimension for dimension, _ in mapping}:
        pairs = [pair for pair in known if pair[0] == dimension]
        into = {target[0] for pair in pairs if (target := mapping.get(pair, pair)) is not None}
        if len(into) == 1:
            renamed = update(lines).where(lines.c.dimension == dimension)
            connection.execute(renamed.values(dimension=into.pop()))


def _pairs(connection: Connection) -> set[PairName]:
    values = _table(connection, "catalog_value").c
    return {(dimension, value) for dimension, value in connection.execute(select(values.dimension, values.value))}


def _table(connection: Connection, name: str) -> Table:
    return Table(name, MetaData(), autoload_with=connection, resolve_fks=False)
