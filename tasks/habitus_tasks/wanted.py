"""What is asked of many people, asked once: a table of words that a statement takes as a parameter.

The text of the statement is the same for any number of rows, so that it is compiled and planned once. PostgreSQL takes
an array for each column, SQLite one JSON text.
"""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, FromClause, Text, bindparam, func, select, tuple_


def wanted(dialect: str, *names: str) -> FromClause:
    """The table, with columns of these names. Its rows are given by `rows_of`."""
    if dialect == "postgresql":
        columns = [bindparam(f"wanted_{name}", type_=ARRAY(Text)) for name in names]
        return func.unnest(*columns).table_valued(*names).render_derived("wanted")
    each = func.json_each(bindparam("wanted")).table_valued("value")
    parts = [func.json_extract(each.c.value, f"$[{at}]").label(name) for at, name in enumerate(names)]
    return select(*parts).subquery("wanted")


def among(dialect: str, columns: Sequence[Any]) -> ColumnElement[bool]:
    """That these columns are those of a wanted row. As a join, SQLite would go through the whole table."""
    asked = wanted(dialect, *(column.name for column in columns))
    return tuple_(*columns).in_(select(*asked.c))


def rows_of(dialect: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The parameters that give `wanted` these rows."""
    if dialect == "postgresql":
        return {f"wanted_{name}": [row[at] for row in rows] for at, name in enumerate(names)}
    return {"wanted": json.dumps(rows)}
