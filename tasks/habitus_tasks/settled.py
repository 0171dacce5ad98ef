"""How many submissions the database has settled, by outcome: the record zone's side of the identity (invariant 4)."""

from sqlalchemy import Connection, func, select

from habitus_schema.models import Outcome
from habitus_schema.tables import Settled, table
from habitus_tasks.store import Database


def settled_counts(database: Database) -> dict[Outcome, int]:
    """Tickets by outcome; every outcome is there. Raises UnavailableError when the database does not answer."""
    outcome = table(Settled).c.outcome

    def work(connection: Connection) -> dict[Outcome, int]:
        rows = connection.execute(select(outcome, func.count()).group_by(outcome))
        return dict.fromkeys(Outcome, 0) | {Outcome(name): count for name, count in rows}

    return database.read(None, work)
