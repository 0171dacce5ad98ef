"""Recurrence scenarios in memory, through the real record code: `habitus simulate`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import groupby
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, delete, select

from habitus_schema import catalog
from habitus_schema.codes import Code, Stage
from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, IdKeys, Kind
from habitus_schema.models import Observed, Outcome, Scope, SessionRecord, Signal, Status
from habitus_schema.pairs import Pair
from habitus_schema.tables import CatalogValue, Profile, RejectionLine, Row, SchemaVersion, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.gate import off_catalog
from habitus_tasks.person import Person
from habitus_tasks.profile import refresh
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database, open_database

_lock = Lock()


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the profile at the end of a scenario."""

    subject: str
    dimension: Dimension
    value: str
    contexts: int
    status: Status


@dataclass(frozen=True, slots=True)
class Refusal:
    """One line of the rejection log at the end of a scenario."""

    stage: Stage
    code: Code
    dimension: Dimension | None
    detector: str | None
    session: str | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a scenario left behind. `outcomes`: one for each record, in order."""

    profile: tuple[Standing, ...]
    rejections: tuple[Refusal, ...]
    outcomes: tuple[Outcome, ...]


class GivenObservation(BaseModel):
    """One line of `habitus simulate --observations`: plain names, which are keyed before anything is counted.

    Fields that it does not have are ignored. A dimension or value that is not in the catalog is one for the gate.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    user: str
    session: str
    context: str
    day: date
    dimension: Any
    value: Any
    signal: Signal = Signal.CORRECTION
    scope: Scope = Scope.GENERAL
    tenant: str = Field(default="default")


def simulate_records(k: int, records: Iterable[SessionRecord], *, window_days: int = 180) -> Simulation:
    """Runs the records, in order, through `record_session` on a database in memory, and settles all on the last day.

    Each record is counted as of the latest day so far. The tickets need not differ: each record is one submission.

    Raises:
        UsageError: when `k` is below 2, or a record is outside the contract.
    """
    rule = PromotionRule(k, window_days)
    given = list(records)
    with _lock:
        database = _in_memory()
        database.write(None, _clear)
        outcomes, today = [], date.min
        for number, record in enumerate(given):
            today = max(today, record.day)
            numbered = record.model_copy(update={"ticket": f"{number:032x}"})
            outcomes.append(record_session(database, numbered, rule, today=today))
        for person in dict.fromkeys(Person(record.tenant, record.subject) for record in given):
            refresh(database, person.tenant, person.subject, rule, today=today)
        profile, rejections = database.read(None, _left)
    return Simulation(profile, rejections, tuple(outcomes))


def simulate_observations(
    k: int, observations: Sequence[Mapping[str, Any]], *, key: IdKeys | None = None, window_days: int = 180
) -> Simulation:
    """Counts observations that are given directly, so that the counter is judged apart from extraction.

    Neighbouring observations of one session, context and day are one submission. Each observation is one message:
    given twice, it is the same message again.

    Raises:
        UsageError: when `k` is below 2, or an observation is not of the published form; nothing of it is repeated.
    """
    rule = PromotionRule(k, window_days)
    try:
        given = [GivenObservation.model_validate(each) for each in observations]
        records = list(_records(given, key or IdKey.generate()))
    except ValidationError:
        raise UsageError("an observation is not of the published form") from None
    return simulate_records(rule.k, records, window_days=rule.window_days)


def _records(given: Sequence[GivenObservation], key: IdKeys) -> Iterator[SessionRecord]:
    homes: dict[tuple[str, ...], str] = {}
    for each in given:
        if each.scope is Scope.GENERAL:
            homes.setdefault((each.tenant, each.user, each.session), each.context)

    def submission(each: GivenObservation) -> tuple[str, ...]:
        name = each.tenant, each.user, each.session
        home = homes.get(name, "")
        context = each.context if each.scope is Scope.GENERAL else home
        # One session is in one context; a name that is used in two stands for two sessions.
        return *name, context, context if context != home else "", each.day.isoformat()

    for (tenant, user, session, context, apart, day), members in groupby(given, submission):
        lines = list(members)
        refused = [off_catalog(each.dimension, each.value) for each in lines]
        observed = [_observed(each, key) for each, refusal in zip(lines, refused, strict=True) if refusal is None]
        yield SessionRecord(
            ticket="0" * 32,
            tenant=key.keyed(Kind.TENANT, tenant),
            subject=key.keyed(Kind.SUBJECT, tenant, user),
            session=key.keyed(Kind.SESSION, tenant, user, session, apart),
            context=key.keyed(Kind.CONTEXT, tenant, user, context) if context else None,
            messages=tuple(dict.fromkeys(_message(each, key) for each in lines)),
            day=date.fromisoformat(day),
            observations=tuple(observed),
            rejections=tuple(filter(None, refused)),
            catalog_version=catalog.version(),
        )


def _observed(given: GivenObservation, key: IdKeys) -> Observed:
    return Observed(
        pair=Pair(dimension=given.dimension, value=given.value),
        signal=given.signal,
        scope=given.scope,
        message=_message(given, key),
        entity=key.keyed(Kind.ENTITY, given.tenant, given.user, given.context) if given.scope is Scope.ENTITY else None,
    )


def _message(given: GivenObservation, key: IdKeys) -> str:
    return key.keyed(Kind.MESSAGE, *(str(part) for part in given.model_dump(mode="json").values()))


@cache
def _in_memory() -> Database:
    return open_database("sqlite://")


def _clear(connection: Connection) -> None:
    kept = {table(CatalogValue), table(SchemaVersion)}
    for each in reversed(Row.metadata.sorted_tables):
        if each not in kept:
            connection.execute(delete(each))


def _left(connection: Connection) -> tuple[tuple[Standing, ...], tuple[Refusal, ...]]:
    row, line = table(Profile).c, table(RejectionLine).c
    standings = select(row.subject, row.dimension, row.value, row.contexts, row.status)
    refusals = select(line.stage, line.code, line.dimension, line.detector, line.session)
    profile = connection.execute(standings.order_by(row.tenant, row.subject, row.dimension))
    rejections = connection.execute(refusals.order_by(line.id))
    return (
        tuple(Standing(subject, Dimension(dimension), *rest) for subject, dimension, *rest in profile),
        tuple(Refusal(*refusal) for refusal in rejections),
    )
