"""From the votes of one person in one dimension to the row of the profile that says how it stands."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date

from sqlalchemy import Connection, bindparam, delete, select

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.models import Scope, Signal, Status
from habitus_schema.tables import Observation, Profile, table
from habitus_tasks.history import Vote, replay, span
from habitus_tasks.person import Person, mine
from habitus_tasks.promote import PromotionRule, Reason, Settlement
from habitus_tasks.store import upsert

_OBSERVED, _PROFILE = table(Observation).c, table(Profile).c
_VOTES = select(_OBSERVED.value, _OBSERVED.context, _OBSERVED.day, _OBSERVED.signal, _OBSERVED.scope).where(
    mine(Observation, "dimension")
)
_STANDING = select(_PROFILE.value, _PROFILE.pinned).where(mine(Profile, "dimension"))
_DROP = delete(table(Profile)).where(mine(Profile, "dimension"))
_DUE = select(_PROFILE.dimension).where(mine(Profile), _PROFILE.expires <= bindparam("today"))
_SPOKEN = select(_OBSERVED.dimension).where(mine(Observation)).distinct()
_SHOWN = select(_PROFILE.dimension).where(mine(Profile))


@dataclass(frozen=True, slots=True)
class Change:
    """What a decision changed: the value in the profile before and after, and the settlement behind it."""

    before: str | None
    after: str | None
    settlement: Settlement

    def codes(self, voted: Collection[str]) -> Iterator[Code]:
        """Why the values that a session voted for are not in the profile, and whether another was displaced."""
        reasons = self.settlement.reasons
        for value in voted:
            if value == self.after:
                continue
            below = reasons[value] in (Reason.BELOW_K, Reason.EXPIRED)
            yield Code.BELOW_RECURRENCE if below else Code.CONFLICTING_EVIDENCE
        if voted and self.after is None and Reason.HELD_BACK in reasons.values():
            yield Code.CONFLICTING_EVIDENCE
        if self.before is not None and self.after not in (None, self.before):
            yield Code.SUPERSEDED


def votes_of(connection: Connection, person: Person, dimension: str) -> list[Vote]:
    """All votes of the person in the dimension."""
    rows = connection.execute(_VOTES, person.key(dimension=dimension))
    return [
        Vote(value, context, day, signal is Signal.STANDING and scope is Scope.GENERAL)
        for value, context, day, signal, scope in rows
    ]


def decide(connection: Connection, person: Person, dimension: str, rule: PromotionRule, today: date) -> Change:
    """Applies the rule to the person's votes in the dimension and writes the profile accordingly.

    A pinned value stays whatever the rule says; only its figures are brought up to date.
    """
    votes = votes_of(connection, person, dimension)
    settlement = replay(votes, rule, today)
    row = connection.execute(_STANDING, person.key(dimension=dimension)).one_or_none()
    before, pinned = (row.value, row.pinned) if row else (None, False)
    after = before if pinned else settlement.value
    if after is None:
        if before is not None:
            connection.execute(_DROP, person.key(dimension=dimension))
        return Change(before, None, settlement)
    status = Status.PROMOTED if pinned or settlement.status is None else settlement.status
    figures = _figures(votes, after, rule, today) | {"status": status, "pinned": pinned}
    if pinned:
        figures["expires"] = None
    put(connection, person, dimension, after, figures, today)
    return Change(before, after, settlement)


def decide_all(
    connection: Connection, person: Person, touched: Iterable[str], rule: PromotionRule, today: date
) -> dict[str, Change]:
    """Decides the dimensions touched, and those whose promoted value has expired by `today`."""
    dimensions = sorted({*touched, *_due(connection, person, today)})
    return {dimension: decide(connection, person, dimension, rule, today) for dimension in dimensions}


def decide_every(connection: Connection, person: Person, rule: PromotionRule, today: date) -> dict[str, Change]:
    """Decides every dimension on which the person has a vote or a row in the profile."""
    spoken = connection.scalars(_SPOKEN, person.key())
    shown = connection.scalars(_SHOWN, person.key())
    dimensions = sorted({*spoken, *shown})
    return {dimension: decide(connection, person, dimension, rule, today) for dimension in dimensions}


def put(
    connection: Connection, person: Person, dimension: str, value: str, figures: Mapping[str, object], today: date
) -> None:
    """Writes the person's profile row of the dimension. A row without evidence counts from `today`."""
    row = {"first_day": today, "last_day": today, "contexts": 0, "expires": None} | dict(figures)
    row |= {"value": value, "catalog_version": catalog.version()}
    connection.execute(upsert(connection, Profile), person.key(dimension=dimension, **row))


def _due(connection: Connection, person: Person, today: date) -> set[str]:
    """The dimensions whose promoted value has fallen under K by `today`."""
    return set(connection.scalars(_DUE, person.key(today=today)))


def _figures(votes: Iterable[Vote], value: str, rule: PromotionRule, today: date) -> dict[str, object]:
    found = span(votes, value, rule, today)
    return asdict(found) if found else {}
