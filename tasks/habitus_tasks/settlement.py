"""From the votes of one person in one dimension to the row of the profile that says how it stands."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.models import Scope, Signal, Status
from habitus_schema.tables import Observation, Profile, table
from habitus_tasks.adding import upsert
from habitus_tasks.history import Vote, replay, span
from habitus_tasks.person import Person, mine
from habitus_tasks.promote import PromotionRule, Reason, Settlement
from habitus_tasks.wanted import among, rows_of

_OBSERVED, _PROFILE = table(Observation).c, table(Profile).c
_ASKED = ("subject", "dimension")
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


@dataclass(frozen=True, slots=True)
class Question:
    """How does this dimension of this person stand at the end of `today`?"""

    person: Person
    dimension: str
    today: date


def decide(connection: Connection, person: Person, dimension: str, rule: PromotionRule, today: date) -> Change:
    """Applies the rule to the person's votes in the dimension and writes the profile accordingly.

    A pinned value stays whatever the rule says; only its figures are brought up to date.
    """
    (change,) = decide_together(connection, person.tenant, [Question(person, dimension, today)], rule)
    return change


def decide_together(
    connection: Connection, tenant: str, questions: Sequence[Question], rule: PromotionRule
) -> list[Change]:
    """`decide` for many people of one tenant at once; no question twice."""
    if not questions:
        return []
    votes, rows = _votes_of(connection, tenant, questions), _rows_of(connection, tenant, questions)
    changes: list[Change] = []
    written: list[dict[str, Any]] = []
    for each in questions:
        key = each.person.subject, each.dimension
        settlement = replay(votes[key], rule, each.today)
        before, pinned = rows.get(key, (None, False))
        after = before if pinned else settlement.value
        if after is not None:
            status = Status.PROMOTED if pinned or settlement.status is None else settlement.status
            figures = _figures(votes[key], after, rule, each.today) | {"status": status, "pinned": pinned}
            written.append(_row(each.person, each.dimension, after, figures, each.today))
        elif before is not None:
            connection.execute(_DROP, each.person.key(dimension=each.dimension))
        changes.append(Change(before, after, settlement))
    if written:
        connection.execute(upsert(connection, Profile), written)
    return changes


def due_of(connection: Connection, person: Person, today: date, expires: date | None) -> set[str]:
    """The dimensions whose promoted value has fallen under K by `today`.

    `expires`: the first day on which a value of the person's profile no longer holds.
    """
    if expires is None or expires > today:
        return set()
    return set(connection.scalars(_DUE, person.key(today=today)))


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
    connection.execute(upsert(connection, Profile), _row(person, dimension, value, figures, today))


def _row(person: Person, dimension: str, value: str, figures: Mapping[str, object], today: date) -> dict[str, Any]:
    row = {"first_day": today, "last_day": today, "contexts": 0, "expires": None} | dict(figures)
    row |= {"value": value, "catalog_version": catalog.version()}
    if row["pinned"]:
        row["expires"] = None
    return person.key(dimension=dimension, **row)


def _votes_of(connection: Connection, tenant: str, questions: Sequence[Question]) -> dict[tuple[str, str], list[Vote]]:
    """All votes of each person in the dimension asked for."""
    found: dict[tuple[str, str], list[Vote]] = {(each.person.subject, each.dimension): [] for each in questions}
    for subject, dimension, value, context, day, signal, scope in _asked(connection, tenant, questions, _votes):
        standing = signal is Signal.STANDING and scope is Scope.GENERAL
        found[subject, dimension].append(Vote(value, context, day, standing))
    return found


def _rows_of(
    connection: Connection, tenant: str, questions: Sequence[Question]
) -> dict[tuple[str, str], tuple[str, bool]]:
    """The value that the profile has for each, where it has one, and whether it is pinned."""
    rows = _asked(connection, tenant, questions, _standing)
    return {(subject, dimension): (value, pinned) for subject, dimension, value, pinned in rows}


def _asked(connection: Connection, tenant: str, questions: Sequence[Question], query: Callable[[str], Any]) -> Any:
    dialect = connection.dialect.name
    asked = rows_of(dialect, _ASKED, [(each.person.subject, each.dimension) for each in questions])
    return connection.execute(query(dialect), {"tenant": tenant, **asked})


@cache
def _votes(dialect: str) -> Any:
    return _of_each(dialect, _OBSERVED, "value", "context", "day", "signal", "scope")


@cache
def _standing(dialect: str) -> Any:
    return _of_each(dialect, _PROFILE, "value", "pinned")


def _of_each(dialect: str, columns: Any, *names: str) -> Any:
    asked = columns.tenant == bindparam("tenant"), among(dialect, [columns[name] for name in _ASKED])
    return select(*(columns[name] for name in (*_ASKED, *names))).where(*asked)


def _figures(votes: Iterable[Vote], value: str, rule: PromotionRule, today: date) -> dict[str, object]:
    found = span(votes, value, rule, today)
    return asdict(found) if found else {}
