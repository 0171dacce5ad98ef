"""Statements that add rows, made once for each kind of database."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ARRAY, Connection, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite

from habitus_schema.tables import Row, table


def upsert(connection: Connection, row: type[Row], *, keep: bool = False, only: frozenset[str] = frozenset()) -> Any:
    """An INSERT into `row`'s table that overwrites a row with the same key, or leaves it as it is (`keep`).

    `only`: the columns to write; all when empty.
    """
    return _upsert(connection.dialect.name, row, keep, only)


@cache
def _upsert(dialect: str, row: type[Row], keep: bool, only: frozenset[str]) -> Any:
    added = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table(row))
    if keep:
        return added.on_conflict_do_nothing().execution_options(preserve_rowcount=True)
    key = [column.name for column in table(row).primary_key]
    written = only or {column.name for column in table(row).columns}
    changes = {name: added.excluded[name] for name in written if name not in key}
    return added.on_conflict_do_update(index_elements=key, set_=changes)


def insert(connection: Connection, row: type[Row], rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes new rows, all with the same columns. On PostgreSQL they are one statement: an array for each column."""
    if connection.dialect.name == "postgresql":
        arrays = {name: [each[name] for each in rows] for name in rows[0]}
        connection.execute(_insert_arrays(row, tuple(arrays)), arrays)
    else:
        connection.execute(table(row).insert(), rows)


@cache
def _insert_arrays(row: type[Row], names: tuple[str, ...]) -> Any:
    columns = [bindparam(name, type_=ARRAY(table(row).c[name].type)) for name in names]
    fresh = func.unnest(*columns).table_valued(*names).render_derived("fresh")
    return table(row).insert().from_select(list(names), select(*fresh.c))
