"""Letting old observations go: of no use to the rule once they have left its window, and the evidence of a person.

What tells a copy of an old session from a new one (`session`, `session_message`) stays, so that one which comes again
still counts for nothing. A person's older history and its effects are no longer to be seen.
"""

from datetime import date, timedelta
from functools import partial

from sqlalchemy import Connection, delete, select

from habitus_schema.errors import UsageError
from habitus_schema.tables import Observation, table
from habitus_tasks.person import Person
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database

_VOTES = table(Observation)


def erase_observations(database: Database, rule: PromotionRule, today: date, keep: int) -> int:
    """Deletes observations that are older than `keep` days, one person a transaction; returns how many.

    On PostgreSQL it takes the database's owner: a role that sees one tenant at a time finds nobody.

    Raises:
        UsageError: when that is less than the rule's window.
        UnavailableError: when the database does not answer; what was done before stays done.
    """
    if keep < rule.window_days:
        raise UsageError(f"evidence counts for {rule.window_days} days (HABITUS_WINDOW_DAYS): keep it as long")
    oldest = today - timedelta(days=keep)
    old = select(_VOTES.c.tenant, _VOTES.c.subject).where(_VOTES.c.day < oldest).distinct()
    people = database.read(None, lambda connection: connection.execute(old).all())
    erased = 0
    for ids in people:
        person = database.person(*ids)
        erased += database.write(person, partial(_erase, person=person, oldest=oldest))
    return erased


def _erase(connection: Connection, person: Person, oldest: date) -> int:
    return connection.execute(delete(_VOTES).where(person.owns(Observation), _VOTES.c.day < oldest)).rowcount
