"""What has to be done with time alone, for people of whom nothing new arrives: run it once a day."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial

from sqlalchemy import Connection, select

from habitus_schema.tables import Profile, Session, table
from habitus_tasks import decisions
from habitus_tasks.context import expire_sketches, window_start
from habitus_tasks.log_counting import count_up
from habitus_tasks.partitions import NOTHING_KEPT, Kept, keep_days
from habitus_tasks.profile import refresh
from habitus_tasks.promote import PromotionRule
from habitus_tasks.retention import erase_observations
from habitus_tasks.store import Database


@dataclass(frozen=True, slots=True)
class Upkeep:
    """How many people's profiles were settled anew, of how many the old sketches were erased, counts pruned, lines of
    the rejection log counted, what became of its days, and old observations erased."""

    settled: int
    sketches: int
    decisions: int = 0
    lines: int = 0
    log: Kept = NOTHING_KEPT
    observations: int = 0


def keep_up(
    database: Database,
    rule: PromotionRule,
    tenant: str | None = None,
    *,
    today: date | None = None,
    decision_days: int | None = None,
    log_days: int | None = None,
    evidence_days: int | None = None,
) -> Upkeep:
    """Lets promoted values go that fell under K, and erases sketches that left the window; one person a transaction.
    For all tenants it also counts the new lines of the rejection log (`log_counting`), makes its partitions of the
    days to come, and lets lines go that are older than `log_days` (`partitions`) and observations
    older than `evidence_days` (`retention`); None keeps them.

    `tenant` None means all: on PostgreSQL that takes the database's owner. `decision_days`: how long the decision log
    keeps its counts, which are about nobody; None leaves them alone.

    Raises:
        UsageError: for a tenant that is not a keyed id, or `evidence_days` less than the rule's window.
        UnavailableError: when the database does not answer; what was done before stays done.
    """
    day = today or datetime.now(UTC).date()
    whose = None if tenant is None else database.tenant(tenant)
    start = window_start(day, rule.window_days)
    profile, sessions = table(Profile).c, table(Session).c
    expired = select(profile.tenant, profile.subject).where(profile.expires <= day)
    sketched = select(sessions.tenant, sessions.subject).where(sessions.day < start, sessions.sketch_0.is_not(None))

    def found(connection: Connection) -> list[list[tuple[str, str]]]:
        queries = (query.distinct() for query in (expired, sketched))
        rows = [connection.execute(query).all() for query in queries]
        return [[(t, s) for t, s in each if whose is None or t in whose.tenants] for each in rows]

    due, old = database.read(whose, found)
    for ids in due:
        refresh(database, *ids, rule, today=day)
    for ids in old:
        person = database.person(*ids)
        database.write(person, partial(expire_sketches, person=person, today=day, window_days=rule.window_days))
    pruned = decisions.prune(database, day - timedelta(days=decision_days)) if decision_days else 0
    if whose is not None:
        return Upkeep(len(due), len(old), pruned)
    kept = keep_days(database, day, log_days)
    erased = erase_observations(database, rule, day, evidence_days) if evidence_days else 0
    return Upkeep(len(due), len(old), pruned, count_up(database), kept, erased)
