"""Does it help? Corrections a session on a dimension, before its value was promoted and after, from counts alone.

`before` are a person's sessions up to and with the day on which the value came to hold its dimension, `after` the later
ones. A correction is a session in which the person corrected or edited on that dimension, whatever they asked for.

The corrections that promote a value end `before`, which makes one person's first rate look too high: with K of them in
N sessions, K/N is on average up to K/(K-1) times the truth. Over many people it is not: the sum of the counts over
the sum of the sessions keeps the rate under any such rule of stopping (Wald's identity, Annals of Mathematical
Statistics 15, 1944). docs/log.md says how to read it.

The fleet's figure is of the people whose keyed ids come first. Keyed digests are random, so these are a random sample.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, select

from habitus_schema.models import Scope, Signal, Status
from habitus_schema.tables import Observation, Profile, Session, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.history import Vote, held_since
from habitus_tasks.intervals import Rate, Ratio, ratio_over_people
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database

PEOPLE = 2000
"""People in the fleet's figure."""
ENOUGH_SESSIONS, ENOUGH_CORRECTIONS = 5, 4
"""Sessions on each side, and corrections in all, under which nothing is told: with fewer, the exact interval of the
ratio holds 1 for all counts but the most extreme."""
_CHUNK = 500
"""People in one query."""
_CORRECTS = frozenset({Signal.CORRECTION, Signal.EDIT})
_O, _P, _S = table(Observation).c, table(Profile).c, table(Session).c


class Verdict(StrEnum):
    """What can be told."""

    FEWER = "fewer corrections"
    """The whole interval of the ratio lies under 1."""
    MORE = "more corrections"
    """The whole interval lies above 1."""
    UNCLEAR = "no difference that chance does not explain"
    """The interval holds 1."""
    TOO_LITTLE = "too little to tell"
    """Too few sessions or corrections, whatever the interval."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What followed the promotion of values of one dimension.

    Attributes:
        people: how many have a promoted value there, and sessions before and after.
    """

    dimension: Dimension
    people: int
    before: Rate
    after: Rate
    ratio: Ratio | None

    @property
    def verdict(self) -> Verdict:
        """What can be told of it."""
        few = min(self.before.sessions, self.after.sessions) < ENOUGH_SESSIONS
        if self.ratio is None or few or self.before.events + self.after.events < ENOUGH_CORRECTIONS:
            return Verdict.TOO_LITTLE
        if self.ratio.high < 1:
            return Verdict.FEWER
        return Verdict.MORE if self.ratio.low > 1 else Verdict.UNCLEAR


def of_person(
    database: Database, tenant: str, subject: str, rule: PromotionRule, *, today: date | None = None
) -> tuple[Effect, ...]:
    """For each dimension on which the person has a promoted value, in the vocabulary's order.

    Raises:
        UsageError: for a tenant or subject that is no keyed id.
        UnavailableError: when the database does not answer. So do all functions of this module.
    """
    person, day = database.person(tenant, subject), today or datetime.now(UTC).date()
    key = person.tenant, [person.subject]
    return _effects(database.read(person, lambda connection: list(_sides(connection, *key, rule, day))))


def of_fleet(
    database: Database, tenant: str | None, rule: PromotionRule, *, people: int = PEOPLE, today: date | None = None
) -> tuple[Effect, ...]:
    """The same over a random sample of so many people with a profile; `tenant` None takes the whole fleet's."""
    whose, day = None if tenant is None else database.tenant(tenant), today or datetime.now(UTC).date()

    def work(connection: Connection) -> list[_Sides]:
        chosen = select(_P.tenant, _P.subject).distinct().limit(people)
        if whose is not None:
            chosen = chosen.where(_P.tenant.in_(whose.tenants))
        # By subject over all tenants, so that no tenant comes first; within one, that is the order of the key.
        order = (_P.subject,) if whose is None else (_P.tenant, _P.subject)
        by_tenant: dict[str, list[str]] = defaultdict(list)
        for owner, subject in connection.execute(chosen.order_by(*order)):
            by_tenant[owner].append(subject)
        return [each for owner in by_tenant for each in _sides(connection, owner, by_tenant[owner], rule, day)]

    return _effects(database.read(whose, work))


@dataclass(frozen=True, slots=True)
class _Sides:
    dimension: Dimension
    before: Rate
    after: Rate


class _Said(NamedTuple):
    vote: Vote
    session: str
    corrects: bool


def _effects(found: Iterable[_Sides]) -> tuple[Effect, ...]:
    grouped: dict[Dimension, list[tuple[Rate, Rate]]] = defaultdict(list)
    for each in found:
        grouped[each.dimension].append((each.before, each.after))
    return tuple(_effect(dimension, grouped[dimension]) for dimension in Dimension if dimension in grouped)


def _effect(dimension: Dimension, people: Sequence[tuple[Rate, Rate]]) -> Effect:
    before, after = (sum((each[side] for each in people), Rate(0, 0)) for side in (0, 1))
    return Effect(dimension, len(people), before, after, ratio_over_people(people))


def _sides(
    connection: Connection, tenant: str, subjects: Sequence[str], rule: PromotionRule, today: date
) -> Iterator[_Sides]:
    """Both sides of each promoted value of these people of one tenant."""
    held = _rows(connection, (_P.dimension, _P.value), _P, tenant, subjects, _P.status == Status.PROMOTED)
    ended = _rows(connection, (_S.day,), _S, tenant, subjects)
    columns = (_O.dimension, _O.value, _O.context, _O.day, _O.signal, _O.scope, _O.session)
    said = _rows(connection, columns, _O, tenant, subjects)
    for subject, values in held.items():
        spoken: dict[str, list[_Said]] = defaultdict(list)
        for dimension, value, context, day, signal, scope, session in said[subject]:
            standing = signal is Signal.STANDING and scope is Scope.GENERAL
            spoken[dimension].append(_Said(Vote(value, context, day, standing), session, signal in _CORRECTS))
        days = [day for (day,) in ended[subject]]
        for dimension, value in values:
            since = held_since((each.vote for each in spoken[dimension]), value, rule, today)
            if since is not None:  # a pinned pair that the rule would not hold has no day of its own
                yield _split(Dimension(dimension), since, days, spoken[dimension])


def _rows(
    connection: Connection,
    columns: Sequence[Any],
    whose: Any,
    tenant: str,
    subjects: Sequence[str],
    *more: ColumnElement[bool],
) -> dict[str, list[Any]]:
    """The rows of these people, by person, without tenant and subject."""
    found: dict[str, list[Any]] = defaultdict(list)
    wanted = select(whose.subject, *columns).where(whose.tenant == tenant, *more)
    for at in range(0, len(subjects), _CHUNK):
        for subject, *row in connection.execute(wanted.where(whose.subject.in_(subjects[at : at + _CHUNK]))):
            found[subject].append(row)
    return found


def _split(dimension: Dimension, since: date, ended: list[date], said: list[_Said]) -> _Sides:
    corrected: dict[str, date] = {}
    for each in said:
        if each.corrects:
            corrected[each.session] = max(each.vote.day, corrected.get(each.session, each.vote.day))
    early, early_events = (sum(day <= since for day in days) for days in (ended, corrected.values()))
    return _Sides(dimension, Rate(early_events, early), Rate(len(corrected) - early_events, len(ended) - early))
