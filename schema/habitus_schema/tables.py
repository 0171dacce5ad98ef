"""The tables of the record zone. No column of any of them can hold a sentence: see `habitus_schema.columns`.

Facts: `session`, `session_message`, `observation`, and the person's own word in `profile.pinned`, `blocked_pair` and
`tombstone`. Decisions: `profile`, which can be computed anew from the facts at any time. Accounts: `settled`,
`rejection` with its sums in `rejection_count`, and `decision`. Every table about a person begins its key with tenant
and subject.
"""

from datetime import date

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, MetaData, Table, event
from sqlmodel import SQLModel

from habitus_schema import catalog, recount
from habitus_schema.codes import Code, Stage
from habitus_schema.columns import calendar_day, catalog_word, closed, flag, guard, keyed, one_of, ticket_name, whole
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.detectors import Detector
from habitus_schema.models import Outcome, Scope, Signal, Status
from habitus_schema.vocabulary import Dimension

SCHEMA_VERSION = 4
"""Raised with every change of these tables; a program refuses a database of another version."""

NAMES = {
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def _pair_key() -> ForeignKeyConstraint:
    """The third lock (invariant 1): a pair that is not in the catalog has no row to point at."""
    return ForeignKeyConstraint(["dimension", "value"], ["catalog_value.dimension", "catalog_value.value"])


CLUSTERED = {"sqlite_with_rowid": False}
"""SQLite keeps the rows in the order of their key, so that one person's lie together; PostgreSQL does not know it."""


def _session_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["tenant", "subject", "session"], ["session.tenant", "session.subject", "session.session"]
    )


class Row(SQLModel):
    """Base of all tables, with metadata of its own."""

    metadata = MetaData(naming_convention=NAMES)


class SchemaVersion(Row, table=True):
    """The one row that says which version of these tables the database has."""

    __tablename__ = "schema_version"

    version: int = whole(key=True)


class CatalogValue(Row, table=True):
    """The closed vocabulary, seeded from the catalog."""

    __tablename__ = "catalog_value"
    __table_args__ = (
        CheckConstraint(
            f"dimension || '=' || value IN ({', '.join(repr(str(pair)) for pair in catalog.all_pairs())})",
            name="vocabulary",
        ),
    )

    dimension: str = catalog_word(key=True)
    value: str = catalog_word(key=True)
    catalog_version: int = whole()


class Session(Row, table=True):
    """One assistant session that was counted.

    `named`: its context came from the caller, itself or by way of the session it joined.
    `sketch_0` to `sketch_7`: the keyed MinHash, eight signatures of eight bits each; NULL once it is out of the window.
    """

    __tablename__ = "session"
    __table_args__ = (Index(None, "tenant", "subject", "day"), CLUSTERED)

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    session: str = keyed(key=True)
    context: str = keyed()
    named: bool = flag()
    day: date = calendar_day()
    catalog_version: int = whole()
    sketch_0: int | None = whole(optional=True)
    sketch_1: int | None = whole(optional=True)
    sketch_2: int | None = whole(optional=True)
    sketch_3: int | None = whole(optional=True)
    sketch_4: int | None = whole(optional=True)
    sketch_5: int | None = whole(optional=True)
    sketch_6: int | None = whole(optional=True)
    sketch_7: int | None = whole(optional=True)


class SessionMessage(Row, table=True):
    """A message of the person, owned by the session that brought it first; `day`: the earliest day it was seen on."""

    __tablename__ = "session_message"
    __table_args__ = (_session_key(), Index(None, "tenant", "subject", "session"), CLUSTERED)

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    message: str = keyed(key=True)
    session: str = keyed()
    day: date = calendar_day()


class Observation(Row, table=True):
    """One session's vote for one pair, in a task context. What is counted are distinct contexts."""

    __tablename__ = "observation"
    __table_args__ = (
        _pair_key(),
        _session_key(),
        Index(None, "tenant", "subject", "session"),
        CLUSTERED,
    )

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    dimension: str = catalog_word(key=True)
    value: str = catalog_word(key=True)
    session: str = keyed(key=True)
    context: str = keyed()
    signal: Signal = closed(Signal)
    scope: Scope = closed(Scope)
    message: str | None = keyed(optional=True)
    day: date = calendar_day()
    catalog_version: int = whole()


class Profile(Row, table=True):
    """What the reader reads: at most one value a dimension. `expires`: the first day on which it no longer holds."""

    __tablename__ = "profile"
    __table_args__ = (_pair_key(), Index(None, "expires"), CLUSTERED)

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    dimension: str = catalog_word(key=True)
    value: str = catalog_word()
    status: Status = closed(Status)
    pinned: bool = flag()
    contexts: int = whole()
    first_day: date = calendar_day()
    last_day: date = calendar_day()
    expires: date | None = calendar_day(optional=True)
    catalog_version: int = whole()


class BlockedPair(Row, table=True):
    """A pair that the person does not want learned."""

    __tablename__ = "blocked_pair"
    __table_args__ = (_pair_key(), CLUSTERED)

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    dimension: str = catalog_word(key=True)
    value: str = catalog_word(key=True)
    day: date = calendar_day()
    catalog_version: int = whole()


class Tombstone(Row, table=True):
    """A person who asked to be forgotten; sessions that ended on `day` or before are refused."""

    __tablename__ = "tombstone"
    __table_args__ = CLUSTERED

    tenant: str = keyed(key=True)
    subject: str = keyed(key=True)
    day: date = calendar_day()


class Settled(Row, table=True):
    """How a submission ended: once for each ticket, whatever is delivered again (invariant 4)."""

    __tablename__ = "settled"
    __table_args__ = CLUSTERED

    ticket: str = ticket_name()
    outcome: Outcome = closed(Outcome)
    day: date = calendar_day()


class RejectionLine(Row, table=True):
    """One content-free line of the rejection log."""

    __tablename__ = "rejection"
    __table_args__ = (
        Index(None, "tenant", "subject", "session"),
        Index(None, "tenant", "code", "day", "id"),
        Index(None, "tenant", "dimension", "code", "day", "id"),
        Index(None, "code", "day", "id"),  # this and the next two: what an operator reads, of all tenants
        Index(None, "dimension", "code", "day", "id"),
        Index(None, "detector", "day", "id", "tenant"),
        Index(None, "tenant", "day", "code", "dimension"),  # what is not in `rejection_count` yet is counted from it
    )

    id: int | None = whole(key=True)
    day: date = calendar_day()
    stage: Stage = closed(Stage)
    code: Code = closed(Code)
    dimension: Dimension | None = closed(Dimension, optional=True)
    detector: Detector | None = closed(Detector, optional=True)
    tenant: str = keyed()
    subject: str | None = keyed(optional=True)
    session: str | None = keyed(optional=True)
    catalog_version: int = whole()


class RejectionCount(Row, table=True):
    """How many lines of the log, of those up to `CountedTo.upto`, a tenant has of a kind on a day.

    It never disagrees with the lines: what changes or deletes a counted line changes its sum too, by the triggers of
    `habitus_schema.recount`, whoever does it. `dimension`: ``none`` for the lines that name none.
    """

    __tablename__ = "rejection_count"
    __table_args__ = (Index(None, "day", "code", "dimension", "lines"), CLUSTERED)

    tenant: str = keyed(key=True)
    day: date = calendar_day(key=True)
    code: Code = closed(Code, key=True)
    dimension: str = one_of(*Dimension, recount.NO_DIMENSION, key=True)
    lines: int = whole()


class CountedTo(Row, table=True):
    """The one row that says up to which id the lines of the log are in `rejection_count`; none is as good as 0."""

    __tablename__ = "rejection_counted"

    upto: int = whole(key=True)


class DecisionCount(Row, table=True):
    """How often a dimension got a policy for a reason on a day, in a sample over all people: no id is in it."""

    __tablename__ = "decision"
    __table_args__ = CLUSTERED

    day: date = calendar_day(key=True)
    dimension: Dimension = closed(Dimension, key=True)
    policy: PolicyWord = closed(PolicyWord, key=True)
    reason: DecisionReason = closed(DecisionReason, key=True)
    decisions: int = whole()


def table(row: type[Row]) -> Table:
    """The SQLAlchemy table behind a class of this module."""
    return row.metadata.tables[str(row.__tablename__)]


for _table in Row.metadata.tables.values():
    guard(_table)
for _statement in recount.triggers():
    event.listen(Row.metadata, "after_create", _statement)
