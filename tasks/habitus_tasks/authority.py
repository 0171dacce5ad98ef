"""The person's say over their own profile: it outranks the rule, and the last word counts."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from sqlalchemy import Connection, delete, select

from habitus_schema import catalog
from habitus_schema.models import Status
from habitus_schema.pairs import Pair
from habitus_schema.tables import BlockedPair, Observation, Profile, table
from habitus_tasks.adding import upsert
from habitus_tasks.person import Person, mine
from habitus_tasks.promote import PromotionRule
from habitus_tasks.settlement import decide, put
from habitus_tasks.store import Database

_PINNED = select(table(Profile).c.pinned).where(mine(Profile, "dimension", "value"))
_UNLEARN = delete(table(Observation)).where(mine(Observation, "dimension", "value"))
_DROP = delete(table(Profile)).where(mine(Profile, "dimension", "value"))
_UNBLOCK = delete(table(BlockedPair)).where(mine(BlockedPair, "dimension", "value"))


def pin(
    database: Database, tenant: str, subject: str, pair: Pair, rule: PromotionRule, *, today: date | None = None
) -> bool:
    """Puts the pair into the profile, in place of any other value of its dimension, until it is unpinned.

    Returns whether anything changed. Lifts a block of the same pair.

    Raises:
        UsageError: for a tenant or subject that is no keyed id.
        UnavailableError: when the database does not answer. So do all functions of this module.
    """
    person, day = database.person(tenant, subject), today or _today()

    def work(connection: Connection) -> bool:
        connection.execute(_UNBLOCK, _key(person, pair))
        if connection.scalar(_PINNED, _key(person, pair)):
            return False
        figures = {"status": Status.PROMOTED, "pinned": True}
        put(connection, person, pair.dimension.value, pair.value, figures, day)
        decide(connection, person, pair.dimension.value, rule, day)  # brings its counts up to date
        return True

    return database.write(person, work)


def unpin(
    database: Database, tenant: str, subject: str, pair: Pair, rule: PromotionRule, *, today: date | None = None
) -> bool:
    """Hands the pair back to the rule, which may keep it or not. Returns whether it was pinned."""

    def work(connection: Connection, person: Person) -> bool:
        if not connection.scalar(_PINNED, _key(person, pair)):
            return False
        connection.execute(_DROP, _key(person, pair))
        return True

    return _then_decide(database, database.person(tenant, subject), pair, rule, today, work)


def remove(
    database: Database, tenant: str, subject: str, pair: Pair, rule: PromotionRule, *, today: date | None = None
) -> bool:
    """Takes the pair out of the profile and forgets its evidence: it has to be learned anew, from new sessions.

    Returns whether there was anything to remove.
    """

    def work(connection: Connection, person: Person) -> bool:
        return _unlearn(connection, person, pair)

    return _then_decide(database, database.person(tenant, subject), pair, rule, today, work)


def block(
    database: Database, tenant: str, subject: str, pair: Pair, rule: PromotionRule, *, today: date | None = None
) -> bool:
    """Removes the pair, and keeps it from being learned until it is unblocked. Returns whether anything changed."""

    def work(connection: Connection, person: Person) -> bool:
        unlearned = _unlearn(connection, person, pair)
        row = _key(person, pair) | {"day": today or _today(), "catalog_version": catalog.version()}
        return bool(connection.execute(upsert(connection, BlockedPair, keep=True), row).rowcount) or unlearned

    return _then_decide(database, database.person(tenant, subject), pair, rule, today, work)


def unblock(database: Database, tenant: str, subject: str, pair: Pair) -> bool:
    """Lets the pair be learned again, from sessions yet to come. Returns whether it was blocked."""
    person = database.person(tenant, subject)
    return database.write(person, lambda connection: bool(connection.execute(_UNBLOCK, _key(person, pair)).rowcount))


def _today() -> date:
    return datetime.now(UTC).date()


def _key(person: Person, pair: Pair) -> dict[str, object]:
    return person.key(dimension=pair.dimension.value, value=pair.value)


def _unlearn(connection: Connection, person: Person, pair: Pair) -> bool:
    rows = [connection.execute(statement, _key(person, pair)).rowcount for statement in (_UNLEARN, _DROP)]
    return any(rows)


def _then_decide(
    database: Database,
    person: Person,
    pair: Pair,
    rule: PromotionRule,
    today: date | None,
    work: Callable[[Connection, Person], bool],
) -> bool:
    """Runs `work`, and lets the rule settle the dimension when it changed anything."""

    def both(connection: Connection) -> bool:
        changed = work(connection, person)
        if changed:
            decide(connection, person, pair.dimension.value, rule, today or _today())
        return changed

    return database.write(person, both)
