"""The decision log: counts by day, dimension, policy and reason, over all people. No id and no word of a query.

It is there so that systematic misjudgement is seen: a dimension that is always ignored, a gate that is never open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, Table, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.tables import DecisionCount, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.store import Database

Kind = tuple[Dimension, PolicyWord, DecisionReason]
"""What is counted."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a dimension got a policy for a reason, in the days that were asked for."""

    dimension: Dimension
    policy: PolicyWord
    reason: DecisionReason
    decisions: int


def note(database: Database, counts: Mapping[Kind, int], day: date) -> None:
    """Adds to the counts of a day.

    Raises:
        UnavailableError: when the database does not answer; nothing was added.
    """
    rows = [
        {"day": day, "dimension": dimension, "policy": policy, "reason": reason, "decisions": count}
        for (dimension, policy, reason), count in sorted(counts.items())  # in one order, so that writers never cross
        if count > 0
    ]
    if rows:
        database.write(None, lambda connection: _add(connection, rows))


def _add(connection: Connection, rows: list[dict[str, object]]) -> None:
    counts = _counts()
    insert = (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(counts)
    key = [column.name for column in counts.primary_key]
    added = {"decisions": counts.c.decisions + insert.excluded.decisions}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=added), rows)


def totals(database: Database, since: date | None = None) -> list[Count]:
    """The counts from a day on, or of all days kept. Raises UnavailableError when the database does not answer."""
    columns = _counts().c
    query = select(columns.dimension, columns.policy, columns.reason, func.sum(columns.decisions))
    query = query.where(columns.day >= since) if since else query
    query = query.group_by(columns.dimension, columns.policy, columns.reason)
    rows = database.read(None, lambda connection: connection.execute(query).all())
    order = list(Dimension), list(PolicyWord), list(DecisionReason)
    found = [
        Count(Dimension(dimension), PolicyWord(policy), DecisionReason(reason), int(count))
        for dimension, policy, reason, count in rows
    ]
    return sorted(
        found, key=lambda c: (order[0].index(c.dimension), order[1].index(c.policy), order[2].index(c.reason))
    )


def prune(database: Database, before: date) -> int:
    """Deletes the counts of the days before; how many rows. Raises as `note` does."""
    old = delete(_counts()).where(_counts().c.day < before)
    return database.write(None, lambda connection: connection.execute(old).rowcount)


def _counts() -> Table:
    return table(DecisionCount)
