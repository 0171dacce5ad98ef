"""What habitus knows of a person, as they may read it: pairs, counts and days, never content."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, select

from habitus_schema import catalog
from habitus_schema.models import Scope, Signal, Status
from habitus_schema.pairs import Pair
from habitus_schema.tables import BlockedPair, Observation, Profile, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.authority import block, pin, remove, unblock, unpin
from habitus_tasks.history import Vote, replay, span
from habitus_tasks.person import Person, mine
from habitus_tasks.promote import PromotionRule, Reason
from habitus_tasks.settlement import decide_every
from habitus_tasks.store import Database

_ROW = table(Profile).c
_OBSERVED = table(Observation).c
_SHOWN = select(
    _ROW.dimension, _ROW.value, _ROW.status, _ROW.pinned, _ROW.contexts, _ROW.first_day, _ROW.last_day, _ROW.expires
).where(mine(Profile))
_SPOKEN = select(
    _OBSERVED.dimension, _OBSERVED.value, _OBSERVED.context, _OBSERVED.day, _OBSERVED.signal, _OBSERVED.scope
).where(mine(Observation))
_BLOCKED = select(table(BlockedPair).c.dimension, table(BlockedPair).c.value).where(mine(BlockedPair))
_ORDER = {pair: place for place, pair in enumerate(catalog.all_pairs())}


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One preference as it stands. `expires`: the first day on which it no longer holds; None for a pinned one."""

    pair: Pair
    status: Status
    pinned: bool
    contexts: int
    first_day: date
    last_day: date
    expires: date | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a pair is in the profile or not.

    Attributes:
        contexts: distinct task contexts inside the window; the days are of these.
        signals: the kinds of signal it was given by.
        rivals: other values of the dimension, with their contexts.
        status: its standing in the profile, or None when it is not there.
    """

    pair: Pair
    status: Status | None
    reason: Reason
    contexts: int
    first_day: date | None
    last_day: date | None
    signals: tuple[Signal, ...]
    rivals: tuple[tuple[Pair, int], ...]


def show(database: Database, tenant: str, subject: str, *, today: date | None = None) -> tuple[ProfileRow, ...]:
    """The person's profile as of `today`, in the catalog's order.

    Raises:
        UsageError: for a tenant or subject that is no keyed id.
        UnavailableError: when the database does not answer. So do all functions of this module.
    """
    person, day = database.person(tenant, subject), today or _today()
    return database.read(person, lambda connection: _shown(connection, person, day))


def explain(
    database: Database, tenant: str, subject: str, rule: PromotionRule, *, today: date | None = None
) -> tuple[Explanation, ...]:
    """Why each pair with evidence, a pin or a block is in the profile or not."""
    person, day = database.person(tenant, subject), today or _today()

    def work(connection: Connection) -> tuple[Explanation, ...]:
        shown = {row.pair: row for row in _shown(connection, person, day)}
        spoken = [_Spoken(_pair(d, v), *rest) for d, v, *rest in connection.execute(_SPOKEN, person.key())]
        blocked = {_pair(*row) for row in connection.execute(_BLOCKED, person.key())}
        pairs = {*shown, *blocked, *(each.pair for each in spoken)}
        return tuple(
            _explained(pair, shown, spoken, blocked, rule, day) for pair in sorted(pairs, key=_ORDER.__getitem__)
        )

    return database.read(person, work)


def export(database: Database, tenant: str, subject: str, *, today: date | None = None) -> dict[str, Any]:
    """The profile and the blocks as plain JSON values, with the catalog's meaning of each pair."""
    person, day = database.person(tenant, subject), today or _today()

    def work(connection: Connection) -> dict[str, Any]:
        blocked = sorted((_pair(*row) for row in connection.execute(_BLOCKED, person.key())), key=_ORDER.__getitem__)
        return {
            "catalog_version": catalog.version(),
            "preferences": [_exported(row) for row in _shown(connection, person, day)],
            "blocked": [_described(pair) for pair in blocked],
        }

    return database.read(person, work)


def markdown(rows: Iterable[ProfileRow]) -> str:
    """A section for AGENTS.md or CLAUDE.md: the settled preferences, in the catalog's words. Empty when none is."""
    settled = [row.pair for row in rows if row.status is Status.PROMOTED]
    if not settled:
        return ""
    lines = "\n".join(f"- {pair.dimension.value.replace('_', ' ')}: {catalog.meaning(pair)}" for pair in settled)
    return f"## How this person likes to work\n\n{lines}\n"


def refresh(
    database: Database, tenant: str, subject: str, rule: PromotionRule, *, today: date | None = None
) -> tuple[ProfileRow, ...]:
    """Settles all dimensions of the person as of `today`, also where nothing was said lately; the profile after it."""
    person, day = database.person(tenant, subject), today or _today()

    def work(connection: Connection) -> tuple[ProfileRow, ...]:
        decide_every(connection, person, rule, day)
        return _shown(connection, person, day)

    return database.write(person, work)


@dataclass(frozen=True, slots=True)
class _Spoken:
    pair: Pair
    context: str
    day: date
    signal: Signal
    scope: Scope

    @property
    def vote(self) -> Vote:
        standing = self.signal is Signal.STANDING and self.scope is Scope.GENERAL
        return Vote(self.pair.value, self.context, self.day, standing)


def _shown(connection: Connection, person: Person, today: date) -> tuple[ProfileRow, ...]:
    rows = [ProfileRow(_pair(d, v), *rest) for d, v, *rest in connection.execute(_SHOWN, person.key())]
    live = [row for row in rows if row.expires is None or today < row.expires]
    return tuple(sorted(live, key=lambda row: _ORDER[row.pair]))


def _explained(
    pair: Pair,
    shown: dict[Pair, ProfileRow],
    spoken: Sequence[_Spoken],
    blocked: set[Pair],
    rule: PromotionRule,
    today: date,
) -> Explanation:
    rivals = {each.pair for each in spoken if each.pair.dimension == pair.dimension} - {pair}
    votes = [each.vote for each in spoken if each.pair.dimension == pair.dimension]
    row, settlement, found = shown.get(pair), replay(votes, rule, today), span(votes, pair.value, rule, today)
    reason = settlement.reasons.get(pair.value, Reason.EXPIRED)
    if settlement.value == pair.value and any(
        each.pinned for each in shown.values() if each.pair.dimension == pair.dimension and each.pair != pair
    ):
        reason = Reason.HELD_BACK  # the rule would have it, but the person pinned another value
    if pair in blocked:
        reason = Reason.BLOCKED
    elif row is not None and row.pinned:
        reason = Reason.PINNED
    return Explanation(
        pair=pair,
        status=row.status if row else None,
        reason=reason,
        contexts=found.contexts if found else 0,
        first_day=found.first_day if found else None,
        last_day=found.last_day if found else None,
        signals=tuple(sorted({each.signal for each in spoken if each.pair == pair})),
        rivals=tuple(
            (rival, settlement.contexts.get(rival.value, 0)) for rival in sorted(rivals, key=_ORDER.__getitem__)
        ),
    )


def _pair(dimension: str, value: str) -> Pair:
    return Pair(dimension=Dimension(dimension), value=value)


def _described(pair: Pair) -> dict[str, Any]:
    return {**pair.model_dump(mode="json"), "meaning": catalog.meaning(pair)}


def _exported(row: ProfileRow) -> dict[str, Any]:
    return {
        **_described(row.pair),
        "status": row.status.value,
        "pinned": row.pinned,
        "contexts": row.contexts,
        "first_day": row.first_day.isoformat(),
        "last_day": row.last_day.isoformat(),
    }


def _today() -> date:
    return datetime.now(UTC).date()


__all__ = [
    "Explanation",
    "ProfileRow",
    "block",
    "explain",
    "export",
    "markdown",
    "pin",
    "refresh",
    "remove",
    "show",
    "unblock",
    "unpin",
]
